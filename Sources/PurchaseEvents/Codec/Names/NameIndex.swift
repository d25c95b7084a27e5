/// The names of one role: an open-addressing hash table from a name's bytes to its number.
///
/// The storage is raw memory, so a lookup counts no references and checks no exclusive access. Only
/// one reader may add names at a time, but a name never moves: a thread that has been given a
/// number may read its name while the reader goes on.
struct NameIndex: ~Copyable {
    /// The slots: 0 if empty, else a name's number plus one under the mask, and bits of its hash.
    private var slots: UnsafeMutablePointer<UInt32>
    private var slotMask: UInt32 = 15
    private var names: NameStore
    let key: HashKey
    /// The names looked up last: neighbouring lines mostly share their names.
    private let recent: RecentNames

    init(key: HashKey, form: NameStore.Form = .any) {
        self.key = key
        names = NameStore(form)
        recent = RecentNames()
        slots = LongMemory.allocateZeroed(UInt32.self, capacity: 16)
    }

    deinit {
        LongMemory.deallocate(slots, capacity: Int(slotMask) + 1)
        recent.deallocate()
    }

    var count: Int { names.count }

    /// The number of a name; a new name gets the next free number.
    @inline(__always)
    mutating func intern(_ name: UnsafeRawBufferPointer) -> UInt32 {
        let recentPlace = recent.place(of: name)
        if let number = recent.number(of: name, at: recentPlace) { return number }
        let hash = ByteHash.hash(name, key.high)
        let (slot, known) = place(of: name, hash)
        let number = known ?? insert(name, hash, slot)
        recent.keep(name, number, at: recentPlace)
        return number
    }

    func find(_ name: UnsafeRawBufferPointer) -> UInt32? {
        place(of: name, ByteHash.hash(name, key.high)).number
    }

    /// The slot and the number of a name, or the empty slot where the name belongs.
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

    /// Whether two names have the same bytes; the last are compared first, as names differ there.
    @inline(__always)
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        let count = left.count
        // No name is empty; only an unused place in a cache has no bytes.
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

    /// Calls `body` with the bytes of a name, whose number this table gave.
    func withName<Result>(
        _ number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { names.withBytes(of: number, body) }

    /// The bytes of a verbatim name, valid as long as the table; `nil` for a packed name.
    func keptName(_ number: UInt32) -> UnsafeRawBufferPointer? { names.keptBytes(of: number) }

    @inline(__always)
    private func match(_ entry: UInt32, _ hash: UInt64, _ name: UnsafeRawBufferPointer) -> UInt32? {
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
        // The number of slots can't exceed the range of the numbers.
        if count * 3 > Int(slotMask) * 2, slotMask < .max { growSlots() }
        return number
    }

    @inline(__always)
    private static func entry(_ number: UInt32, _ hash: UInt64, _ mask: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: hash) & ~mask | (number &+ 1)
    }

    /// Visits the slots and the names; an empty index with the same key can be read into.
    mutating func visitFields(_ visitor: FieldVisitor) {
        var mask = slotMask
        visitor.visit(&mask)
        let count = visitor.visitCount(Int(mask) + 1, ofSize: MemoryLayout<UInt32>.stride)
        if visitor.isReading {
            guard count == Int(mask) + 1, count & Int(mask) == 0 else { return }
            LongMemory.deallocate(slots, capacity: Int(slotMask) + 1)
            slots = LongMemory.allocateZeroed(UInt32.self, capacity: count)
            slotMask = mask
        }
        visitor.visitBytes(
            UnsafeMutableRawBufferPointer(start: slots, count: count * MemoryLayout<UInt32>.stride))
        names.visitFields(visitor)
    }

    /// Doubles the slots; an entry doesn't keep its whole hash, so every name is hashed again.
    private mutating func growSlots() {
        let mask = slotMask &* 2 &+ 1
        let grown = LongMemory.allocateZeroed(UInt32.self, capacity: Int(mask) + 1)
        for number in 0..<UInt32(count) {
            let hash = names.withBytes(of: number) { ByteHash.hash($0, key.high) }
            var slot = NameIndex.slot(hash, mask)
            while grown[slot] != 0 { slot = (slot + 1) & Int(mask) }
            grown[slot] = NameIndex.entry(number, hash, mask)
        }
        LongMemory.deallocate(slots, capacity: Int(slotMask) + 1)
        (slots, slotMask) = (grown, mask)
    }

    /// The slot where the search for a hash begins; the high half of the hash picks it.
    @inline(__always)
    private static func slot(_ hash: UInt64, _ mask: UInt32) -> Int {
        Int(UInt32(truncatingIfNeeded: hash &>> 32) & mask)
    }
}
