/// Names of one role: their bytes one after the other, and open addressing from bytes to number.
struct SymbolTable {
    /// The high half of a hash, and the number plus one: 0 is an empty slot.
    private var slots: [UInt64]
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        slots = Array(repeating: 0, count: 16)
    }

    var count: Int { ends.count }

    /// The number of a name, the next free one on first sight.
    @inline(__always)
    mutating func intern(_ name: UnsafeRawBufferPointer) -> UInt32 {
        let hash = ByteHash.hash(name, seed: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            if let number = match(slots[slot], hash, name) { return number }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return insert(name, hash, slot)
    }

    /// The number of a name met before.
    func find(_ name: UnsafeRawBufferPointer) -> UInt32? {
        let hash = ByteHash.hash(name, seed: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            if let number = match(slots[slot], hash, name) { return number }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// The bytes of a name.
    func withBytes<Result>(
        of number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let range = range(of: number)
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    private func range(of number: UInt32) -> Range<Int> {
        (number == 0 ? 0 : ends[Int(number) &- 1])..<ends[Int(number)]
    }

    @inline(__always)
    private func match(
        _ entry: UInt64, _ hash: UInt64, _ name: UnsafeRawBufferPointer
    ) -> UInt32? {
        guard entry >> 32 == hash >> 32 else { return nil }
        let number = UInt32(truncatingIfNeeded: entry) &- 1
        let range = range(of: number)
        guard range.count == name.count else { return nil }
        let isEqual = bytes.withUnsafeBytes { known in
            var offset = 0
            let known = UnsafeRawBufferPointer(rebasing: known[range])
            while offset < name.count {
                if known.paddedWord(at: offset) != name.paddedWord(at: offset) { return false }
                offset &+= 8
            }
            return true
        }
        return isEqual ? number : nil
    }

    @inline(never)
    private mutating func insert(
        _ name: UnsafeRawBufferPointer, _ hash: UInt64, _ slot: Int
    ) -> UInt32 {
        precondition(ends.count < Int(UInt32.max) - 1, "at most 2^32 − 2 names of one role")
        let number = UInt32(ends.count)
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        slots[slot] = (hash >> 32) << 32 | UInt64(number + 1)
        if ends.count * 3 > slots.count * 2 { grow() }
        return number
    }

    private mutating func grow() {
        let count = slots.count * 2
        var grown = [UInt64](repeating: 0, count: count)
        for number in 0..<ends.count {
            let hash = withBytes(of: UInt32(number)) { ByteHash.hash($0, seed: seed) }
            var slot = Int(truncatingIfNeeded: hash) & (count - 1)
            while grown[slot] != 0 { slot = (slot + 1) & (count - 1) }
            grown[slot] = (hash >> 32) << 32 | UInt64(number + 1)
        }
        slots = grown
    }
}

/// A hash of bytes, 16 at a time, by widening multiplications.
enum ByteHash {
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var state = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15)
        var offset = 0
        repeat {
            let first = bytes.paddedWord(at: offset)
            let second = bytes.count &- offset > 8 ? bytes.paddedWord(at: offset &+ 8) : 0
            state = mix(first ^ state, second ^ 0xA409_3822_299F_31D0)
            offset &+= 16
        } while offset < bytes.count
        return mix(state ^ 0x082E_FA98_EC4E_6C89, 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low
    }
}
