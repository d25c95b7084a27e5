#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Names of one role, and open addressing from their bytes to their numbers.
///
/// The storage is raw memory, so that looking a name up counts no references and checks no
/// access. A table belongs to one reader at a time, but a name stays where it is once it is there:
/// who was handed a number may read its name while the reader goes on.
struct SymbolTable: ~Copyable {
    /// The high half of a hash, and the number plus one: 0 is an empty slot.
    private var slots: UnsafeMutablePointer<UInt64>
    private var slotMask = 15
    private var names = NameStore()
    private let seed: UInt64
    /// The name that was interned last: lines in a row mostly name the same.
    private var latest = UnsafeRawBufferPointer(start: nil, count: 0)
    private var latestNumber: UInt32 = 0

    init(seed: UInt64) {
        self.seed = seed
        slots = .allocate(capacity: slotMask + 1)
        slots.initialize(repeating: 0, count: slotMask + 1)
    }

    deinit { slots.deallocate() }

    /// The number of names.
    var count: Int { names.count }

    /// The number of a name, the next free one on first sight.
    @inline(__always)
    mutating func intern(_ name: UnsafeRawBufferPointer) -> UInt32 {
        if SymbolTable.areEqual(latest, name) { return latestNumber }
        let number = internNew(name)
        (latest, latestNumber) = (names[number], number)
        return number
    }

    /// Whether two names have the same bytes, the last of them asked first: names are told apart
    /// by their ends.
    @inline(__always)
    private static func areEqual(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        let count = left.count
        guard count == right.count, count >= 8 else { return false }
        guard word(left, count &- 8) == word(right, count &- 8) else { return false }
        var place = 0
        while place &+ 8 < count {
            if word(left, place) != word(right, place) { return false }
            place &+= 8
        }
        return true
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }

    @inline(__always)
    private mutating func internNew(_ name: UnsafeRawBufferPointer) -> UInt32 {
        let hash = ByteHash.hash(name, seed: seed)
        var slot = SymbolTable.slot(hash, slotMask)
        while slots[slot] != 0 {
            if let number = match(slots[slot], hash, name) { return number }
            slot = (slot &+ 1) & slotMask
        }
        return insert(name, hash, slot)
    }

    /// The number of a name met before.
    func find(_ name: UnsafeRawBufferPointer) -> UInt32? {
        let hash = ByteHash.hash(name, seed: seed)
        var slot = SymbolTable.slot(hash, slotMask)
        while slots[slot] != 0 {
            if let number = match(slots[slot], hash, name) { return number }
            slot = (slot &+ 1) & slotMask
        }
        return nil
    }

    /// The bytes of a name, valid as long as the table.
    ///
    /// - Precondition: the number is one of this table's.
    @inline(__always)
    func name(_ number: UInt32) -> UnsafeRawBufferPointer { names[number] }

    @inline(__always)
    private func match(
        _ entry: UInt64, _ hash: UInt64, _ name: UnsafeRawBufferPointer
    ) -> UInt32? {
        guard entry >> 32 == hash >> 32 else { return nil }
        let number = UInt32(truncatingIfNeeded: entry) &- 1
        return isName(number, name) ? number : nil
    }

    @inline(__always)
    private func isName(_ number: UInt32, _ name: UnsafeRawBufferPointer) -> Bool {
        let known = names[number]
        guard known.count == name.count, let base = name.baseAddress,
            let knownBase = known.baseAddress
        else { return false }
        return memcmp(base, knownBase, name.count) == 0
    }

    @inline(never)
    private mutating func insert(
        _ name: UnsafeRawBufferPointer, _ hash: UInt64, _ slot: Int
    ) -> UInt32 {
        let number = names.append(name)
        slots[slot] = (hash >> 32) << 32 | UInt64(number) + 1
        if count * 3 > slotMask * 2 { growSlots() }
        return number
    }

    private mutating func growSlots() {
        let mask = slotMask * 2 + 1
        let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: mask + 1)
        grown.initialize(repeating: 0, count: mask + 1)
        for index in 0...slotMask where slots[index] != 0 {
            // The half of the hash that an entry keeps tells its slot.
            var slot = SymbolTable.slot(slots[index], mask)
            while grown[slot] != 0 { slot = (slot + 1) & mask }
            grown[slot] = slots[index]
        }
        slots.deallocate()
        (slots, slotMask) = (grown, mask)
    }

    /// The slot where a name of a hash is looked for first, by the hash's high half.
    @inline(__always)
    private static func slot(_ hash: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: hash >> 32) & mask
    }
}

/// A hash of bytes, 16 at a time, by widening multiplications.
enum ByteHash {
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15)
        var offset = 0
        while offset &+ 16 <= bytes.count {
            state = mix(
                word(bytes, offset) ^ state, word(bytes, offset &+ 8) ^ 0xA409_3822_299F_31D0)
            offset &+= 16
        }
        if offset < bytes.count {
            // Of a name of 16 bytes or more the last 16, which overlap what was taken already.
            if bytes.count >= 16 {
                let last = bytes.count &- 16
                state = mix(
                    word(bytes, last) ^ state, word(bytes, last &+ 8) ^ 0x452_821E_638D_0137)
            } else {
                let second = bytes.count > 8 ? bytes.paddedWord(at: 8) : 0
                state = mix(bytes.paddedWord(at: 0) ^ state, second ^ 0xBE54_66CF_34E9_0C6C)
            }
        }
        return mix(state ^ 0x082E_FA98_EC4E_6C89, 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
