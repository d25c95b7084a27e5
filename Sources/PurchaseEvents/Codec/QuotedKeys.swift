/// The keys as they appear in a line, with quotes and colon, to copy and compare without a loop;
/// only `init` writes the memory.
struct QuotedKeys: @unchecked Sendable {
    /// The maximum length of a key with quotes and colon, in bytes.
    static let longest = 24
    static let shared = QuotedKeys()

    /// For each key: its bytes in three words, a mask for each word, and the number of bytes; with
    /// padding, eight words.
    private let patterns: UnsafeMutablePointer<UInt64>

    private init() {
        patterns = .allocate(capacity: Key.allCases.count * 8)
        for key in Key.allCases {
            patterns.advanced(by: Int(key.rawValue) * 8).initialize(
                from: QuotedKeys.pattern(of: key), count: 8)
        }
    }

    private static func pattern(of key: Key) -> [UInt64] {
        let bytes = key.quotedName
        precondition(bytes.count <= longest, "a key of at most 21 bytes")
        let offsets = [0, 8, 16]
        let words = bytes.withUnsafeBytes { bytes in offsets.map { bytes.paddedWord(at: $0) } }
        let masks = offsets.map { offset -> UInt64 in
            let left = min(max(bytes.count - offset, 0), 8)
            return left == 0 ? 0 : ~0 >> UInt64((8 - left) * 8)
        }
        return words + masks + [UInt64(bytes.count), 0]
    }

    /// Copies a key to a place with room for ``longest`` bytes, and returns its length.
    @inline(__always)
    func copy(_ key: Key, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let pattern = patterns + Int(key.rawValue) &* 8
        let place = UnsafeMutableRawPointer(place)
        place.storeBytes(of: pattern[0].littleEndian, as: UInt64.self)
        place.storeBytes(of: pattern[1].littleEndian, toByteOffset: 8, as: UInt64.self)
        place.storeBytes(of: pattern[2].littleEndian, toByteOffset: 16, as: UInt64.self)
        return Int(truncatingIfNeeded: pattern[6])
    }

    /// The length of a key with its quotes and colon, if the line has it at a place, else `nil`.
    @inline(__always)
    func length(of key: Key, at place: Int, in line: UnsafeRawPointer, _ count: Int) -> Int? {
        let pattern = patterns + Int(key.rawValue) &* 8
        let length = Int(truncatingIfNeeded: pattern[6])
        guard place &+ 24 <= count else {
            return QuotedKeys.isNext(key, line + place, count &- place) ? length : nil
        }
        let first = (line.word(at: place) & pattern[3]) ^ pattern[0]
        let second = (line.word(at: place &+ 8) & pattern[4]) ^ pattern[1]
        let third = (line.word(at: place &+ 16) & pattern[5]) ^ pattern[2]
        return first | second | third == 0 ? length : nil
    }

    /// Whether the last bytes of a line, too few to read three words, begin with a key.
    @inline(never)
    private static func isNext(_ key: Key, _ line: UnsafeRawPointer, _ left: Int) -> Bool {
        UnsafeRawBufferPointer(start: line, count: left).starts(with: key.quotedName)
    }
}
