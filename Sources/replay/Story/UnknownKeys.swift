import PurchaseEvents

/// Finds the keys of a line that the format doesn't define for the event's type.
enum UnknownKeys {
    /// A key and its value, as in the line.
    struct Member: Hashable, Sendable {
        var key: String
        var value: String
    }

    /// The unknown members of an event's line, in order; the decoder's notes say where each begins.
    ///
    /// - Precondition: The decoder has read the line as an event, so the line is a JSON object.
    static func members(_ notes: [Diagnostic], in line: UnsafeRawBufferPointer) -> [Member] {
        notes.filter { $0.code == .unknownKey }.map { note in
            var scanner = MemberScanner(bytes: line, place: note.byte - 1)
            return scanner.member()
        }
    }
}

/// Reads a member of a JSON object that is known to be well formed.
private struct MemberScanner {
    let bytes: UnsafeRawBufferPointer
    /// The position of the next byte; at first, of the member's key.
    var place: Int

    mutating func member() -> UnknownKeys.Member {
        let key = string()
        skip { $0 == UInt8(ascii: ":") || MemberScanner.isSpace($0) }
        let start = place
        value()
        return UnknownKeys.Member(
            key: String(text(key).dropFirst().dropLast()), value: text(start..<place))
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
    }

    /// The range of a string with its quotes.
    private mutating func string() -> Range<Int> {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return start..<place
    }

    /// Skips a value, with everything nested in it.
    private mutating func value() {
        var depth = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                _ = string()
                if depth == 0 { return }
                continue
            }
            let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            if depth == 0, closes || byte == UInt8(ascii: ",") || MemberScanner.isSpace(byte) {
                return
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            place += 1
            if closes {
                depth -= 1
                if depth == 0 { return }
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
