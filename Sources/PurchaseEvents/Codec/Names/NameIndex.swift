/// Names of one role, and open addressing from their bytes to their numbers.
///
/// The storage is raw memory, so that looking a name up counts no references and checks no
/// access. An index belongs to one reader at a time, but a name stays where it is once it is there:
/// whoever was handed a number may read its name while the reader goes on.
struct NameIndex: ~Copyable {
    /// The number plus one, in as many bits as tell a slot, and above it those of a hash: 0 is an
    /// empty slot.
    private var slots: UnsafeMutablePointer<UInt32>
    private var slotMask: UInt32 = 15
    private var names: NameStore
    private let seed: UInt64
    /// The names that were interned last: lines near each other mostly name the same.
    private let recent: RecentNames

    init(seed: UInt64, form: NameStore.Form = .any) {
        self.seed = seed
        names = NameStore(form)
        recent = RecentNames()
        slots = LongMemory.allocateZeroed(UInt32.self, capacity: 16)
    }

    deinit {
        LongMemory.deallocate(slots, capacity: Int(slotMask) + 1)
        recent.deallocate()
    }

    /// The number of names.
    var count: Int { names.count }

    /// The number of a name, the next free one on first sight.
    @inline(__always)
    mutating func intern(_ name: UnsafeRawBufferPointer) -> UInt32 {
        let recentPlace = recent.place(of: name)
        if let number = recent.number(of: name, at: recentPlace) { return number }
        let hash = ByteHash.hash(name, seed: seed)
        let (slot, known) = place(of: name, hash)
        let number = known ?? insert(name, hash, slot)
        recent.keep(name, number, at: recentPlace)
        return number
    }

    /// The number of a name met before.
    func find(_ name: UnsafeRawBufferPointer) -> UInt32? {
        place(of: name, ByteHash.hash(name, seed: seed)).number
    }

    /// The slot of a name and its number, or the slot where it would go.
    @inline(__always)
    private func place(
        of name: UnsafeRawBufferPointer, _ hash: UInt64
    ) -> (slot: Int, number: UInt32?) {
        var slot = NameIndex.slot(hash, slotMask)
        while slots[slot] != 0 {
            if let number = match(slots[slot], hash, name) { return (slot, number) }
            slot = (slot &+ 1) & Int(slotMask)
        }
        return (slot, nil)
    }

    /// Whether two names have the same bytes, the last of them asked first: names are told apart
    /// by their ends.
    @inline(__always)
    static func areEqual(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        let count = left.count
        // No name is empty, but a place that has none is.
        guard count == right.count, count > 0 else { return false }
        guard count >= 8 else { return left.paddedWord(at: 0) == right.paddedWord(at: 0) }
        guard left.word(at: count &- 8) == right.word(at: count &- 8) else { return false }
        var place = 0
        while place &+ 8 < count {
            if left.word(at: place) != right.word(at: place) { return false }
            place &+= 8
        }
        return true
    }

    /// Calls `body` with the bytes of a name.
    ///
    /// - Precondition: the number is one of this table's.
    func withName<Result>(
        _ number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { names.withBytes(of: number, body) }

    /// How many bytes a name has.
    @inline(__always)
    func length(of number: UInt32) -> Int { names.length(of: number) }

    /// Whether a name has these bytes.
    @inline(__always)
    func areEqual(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        names.areEqual(number, bytes)
    }

    /// The bytes of a name that is kept as it is, valid as long as the table.
    func keptName(_ number: UInt32) -> UnsafeRawBufferPointer? { names.keptBytes(of: number) }

    @inline(__always)
    private func match(
        _ entry: UInt32, _ hash: UInt64, _ name: UnsafeRawBufferPointer
    ) -> UInt32? {
        guard (entry ^ UInt32(truncatingIfNeeded: hash)) & ~slotMask == 0 else { return nil }
        let number = (entry & slotMask) &- 1
        return names.areEqual(number, name) ? number : nil
    }

    @inline(never)
    private mutating func insert(
        _ name: UnsafeRawBufferPointer, _ hash: UInt64, _ slot: Int
    ) -> UInt32 {
        let number = names.append(name)
        slots[slot] = NameIndex.entry(number, hash, slotMask)
        // There are no more slots than numbers.
        if count * 3 > Int(slotMask) * 2, slotMask < .max { growSlots() }
        return number
    }

    @inline(__always)
    private static func entry(_ number: UInt32, _ hash: UInt64, _ mask: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: hash) & ~mask | (number &+ 1)
    }

    /// Doubles the slots. An entry doesn't keep its hash, so the names are hashed anew, in the
    /// order in which they lie.
    private mutating func growSlots() {
        let mask = slotMask &* 2 &+ 1
        let grown = LongMemory.allocateZeroed(UInt32.self, capacity: Int(mask) + 1)
        for number in 0..<UInt32(count) {
            let hash = names.withBytes(of: number) { ByteHash.hash($0, seed: seed) }
            var slot = NameIndex.slot(hash, mask)
            while grown[slot] != 0 { slot = (slot + 1) & Int(mask) }
            grown[slot] = NameIndex.entry(number, hash, mask)
        }
        LongMemory.deallocate(slots, capacity: Int(slotMask) + 1)
        (slots, slotMask) = (grown, mask)
    }

    /// The slot where a name of a hash is looked for first, by the hash's high half.
    @inline(__always)
    private static func slot(_ hash: UInt64, _ mask: UInt32) -> Int {
        Int(UInt32(truncatingIfNeeded: hash &>> 32) & mask)
    }
}
