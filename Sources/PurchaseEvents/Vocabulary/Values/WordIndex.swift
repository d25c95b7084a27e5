/// Finds a word of a fixed list by its bytes: one hash and one comparison of 24 bytes.
///
/// An index is built once for each list and lives as long as the process. Only `init` writes its
/// memory.
public struct WordIndex<Value: Sendable>: @unchecked Sendable {
    private struct Entry {
        var words = PaddedWords()
        var value: Value?
    }

    private let entries: UnsafePointer<Entry>
    private let mask: Int
    let first: Value

    /// Creates an index of one word or more, each of 1 to 24 bytes and no two equal.
    init(pairs: [(word: String, value: Value)]) {
        precondition(!pairs.isEmpty, "a list has a word")
        first = pairs[0].value
        var capacity = 8
        while capacity < pairs.count * 4 { capacity *= 2 }
        mask = capacity - 1
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
        for (word, value) in pairs {
            let padded = Array(word.utf8).withUnsafeBytes { PaddedWords($0) }
            guard let padded else { preconditionFailure("a word of 1 to 24 bytes: \(word)") }
            var slot = padded.hash & mask
            while entries[slot].value != nil {
                precondition(entries[slot].words != padded, "the word \(word) twice")
                slot = (slot + 1) & mask
            }
            entries[slot] = Entry(words: padded, value: value)
        }
        self.entries = UnsafePointer(entries)
    }

    @inline(__always)
    func find(_ bytes: UnsafeRawBufferPointer) -> Value? {
        guard let padded = PaddedWords(bytes) else { return nil }
        var slot = padded.hash & mask
        while let value = entries[slot].value {
            if entries[slot].words == padded { return value }
            slot = (slot &+ 1) & mask
        }
        return nil
    }
}

extension WordIndex where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    init() { self.init(pairs: Value.allCases.map { ($0.rawValue, $0) }) }
}

/// Up to 24 bytes as three 64-bit words, padded with zeros.
struct PaddedWords: Equatable, Sendable {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0

    init() {}

    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        // A zero at the end, which only an escape can produce, would look like padding.
        if count == 0 || count > 24 || bytes[count &- 1] == 0 { return nil }
        first = bytes.paddedWord(at: 0)
        if count > 8 { second = bytes.paddedWord(at: 8) }
        if count > 16 { third = bytes.paddedWord(at: 16) }
    }

    @inline(__always)
    var hash: Int {
        let mixed = (first ^ (second &* 0x9E37_79B9_7F4A_7C15)) &+ (third ^ 0x5851_F42D)
        return Int(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) >> 40)
    }
}
