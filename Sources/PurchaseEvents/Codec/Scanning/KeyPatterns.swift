/// The keys as they appear in a line, with quotes and colon, for comparison without a loop.
///
/// Only `init` writes the memory, which lives as long as the process.
struct KeyPatterns: @unchecked Sendable {
    static let shared = KeyPatterns()

    /// For each key: its bytes in three words, a mask for each word, and the number of bytes.
    private let patterns: UnsafeMutablePointer<UInt64>

    private init() {
        patterns = .allocate(capacity: Key.allCases.count * 8)
        for key in Key.allCases {
            patterns.advanced(by: Int(key.rawValue) * 8).initialize(
                from: KeyPatterns.pattern(of: key), count: 8)
        }
    }

    private static func pattern(of key: Key) -> [UInt64] {
        let (words, count) = QuotedKeys.shared.words(of: key)
        let masks = [0, 8, 16].map { offset -> UInt64 in
            let left = min(max(count - offset, 0), 8)
            return left == 0 ? 0 : ~0 >> UInt64((8 - left) * 8)
        }
        return words + masks + [UInt64(count), 0]
    }

    /// The length of a key with its quotes and colon, if the line has that key at a place; else
    /// `nil`.
    @inline(__always)
    func length(of key: Key, at place: Int, in line: UnsafeRawPointer, _ count: Int) -> Int? {
        let pattern = patterns + Int(key.rawValue) &* 8
        let length = Int(truncatingIfNeeded: pattern[6])
        guard place &+ 24 <= count else {
            return KeyPatterns.matchesNearEnd(pattern, line + place, count &- place, length)
                ? length : nil
        }
        let first = (line.word(at: place) & pattern[3]) ^ pattern[0]
        let second = (line.word(at: place &+ 8) & pattern[4]) ^ pattern[1]
        let third = (line.word(at: place &+ 16) & pattern[5]) ^ pattern[2]
        return first | second | third == 0 ? length : nil
    }

    @inline(never)
    private static func matchesNearEnd(
        _ pattern: UnsafeMutablePointer<UInt64>, _ line: UnsafeRawPointer, _ left: Int,
        _ length: Int
    ) -> Bool {
        guard length <= left else { return false }
        let bytes = UnsafeRawBufferPointer(start: line, count: length)
        return bytes.paddedWord(at: 0) == pattern[0]
            && (length <= 8 || bytes.paddedWord(at: 8) == pattern[1])
            && (length <= 16 || bytes.paddedWord(at: 16) == pattern[2])
    }
}
