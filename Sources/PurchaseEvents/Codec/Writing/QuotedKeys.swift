/// The keys as they appear in a line, with quotes and colon, for copying without a loop.
///
/// Only `init` writes the memory, which lives as long as the process.
struct QuotedKeys: @unchecked Sendable {
    /// The maximum length of a key with quotes and colon, in bytes.
    static let longest = 24
    static let shared = QuotedKeys()

    /// For each key: its bytes in three words, and the number of bytes.
    private let words: UnsafeMutablePointer<UInt64>

    private init() {
        words = .allocate(capacity: Key.allCases.count * 4)
        for key in Key.allCases {
            let bytes = key.quotedName
            precondition(bytes.count <= QuotedKeys.longest, "a key of at most 21 bytes")
            let padded = bytes + [UInt8](repeating: 0, count: QuotedKeys.longest - bytes.count)
            let place = words + Int(key.rawValue) * 4
            for index in 0..<3 {
                let word = padded.withUnsafeBytes { $0.word(at: index * 8) }
                (place + index).initialize(to: word)
            }
            (place + 3).initialize(to: UInt64(bytes.count))
        }
    }

    /// The three words of a key, padded with zeros, and the number of its bytes.
    func words(of key: Key) -> (words: [UInt64], count: Int) {
        let place = words + Int(key.rawValue) * 4
        return ((0..<3).map { place[$0] }, Int(truncatingIfNeeded: place[3]))
    }

    /// Copies a key to a place with room for ``longest`` bytes, and returns its length.
    @inline(__always)
    func copy(_ key: Key, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let key = words + Int(key.rawValue) &* 4
        let place = UnsafeMutableRawPointer(place)
        place.storeBytes(of: key[0].littleEndian, as: UInt64.self)
        place.storeBytes(of: key[1].littleEndian, toByteOffset: 8, as: UInt64.self)
        place.storeBytes(of: key[2].littleEndian, toByteOffset: 16, as: UInt64.self)
        return Int(truncatingIfNeeded: key[3])
    }
}
