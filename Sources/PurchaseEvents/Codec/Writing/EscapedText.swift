/// Text that can't control a terminal: escapes the characters named in event-log.md, section 1.
package enum EscapedText {
    /// Whether a scalar is C0, DEL, C1, a line separator, or a control of the text direction.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        unsafeRanges.contains { $0.contains(scalar.value) }
    }

    private static let unsafeRanges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
        0x2066...0x2069,
    ]

    static func holdsUnsafe(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.allSatisfy(isPlainASCII)
            && String(decoding: text, as: UTF8.self).unicodeScalars.contains { isUnsafe($0) }
    }

    private static func isPlainASCII(_ byte: UInt8) -> Bool { 0x20 <= byte && byte < 0x7F }

    /// The text with unsafe scalars as `\u` and four hex digits; with `quoting`, quotes and
    /// backslashes are escaped too.
    package static func escape(_ text: String, quoting: Bool = false) -> String {
        let isPlain = text.utf8.allSatisfy {
            isPlainASCII($0) && !(quoting && ($0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")))
        }
        if isPlain { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                escaped += "\\u" + hex(UInt16(truncatingIfNeeded: scalar.value))
            } else {
                if quoting, scalar == "\"" || scalar == "\\" { escaped.append("\\") }
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The bytes as safe text, cut after at most `limit` bytes between two scalars; `…` marks a
    /// cut, and U+FFFD what isn't UTF-8.
    package static func excerpt(_ bytes: UnsafeRawBufferPointer, limit: Int = 40) -> String {
        guard bytes.count > limit else { return escape(String(decoding: bytes, as: UTF8.self)) }
        let shown = bytes.prefix(wholeScalars(of: bytes, limit: limit))
        return escape(String(decoding: shown, as: UTF8.self)) + "…"
    }

    package static func excerpt(of text: String) -> String {
        Array(text.utf8).withUnsafeBytes { excerpt($0) }
    }

    /// The number of bytes, at most `limit`, that end between two scalars.
    private static func wholeScalars(of bytes: UnsafeRawBufferPointer, limit: Int) -> Int {
        let isContinuation: (UInt8) -> Bool = { $0 & 0xC0 == 0x80 }
        guard limit > 0, isContinuation(bytes[limit]) else { return limit }
        for start in stride(from: limit - 1, through: max(0, limit - 3), by: -1)
        where !isContinuation(bytes[start]) {
            // The lead byte gives the length of the sequence; a wrong one isn't UTF-8 anyway.
            let length = (~bytes[start]).leadingZeroBitCount
            return length > limit - start ? start : limit
        }
        return limit
    }

    static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
