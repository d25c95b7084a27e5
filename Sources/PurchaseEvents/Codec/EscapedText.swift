/// Text that can't drive a terminal: the characters that event-log.md, section 1, wants escaped.
public enum EscapedText {
    /// Whether a scalar must not be printed as it is: C0, DEL, C1 and what steers text direction.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        unsafeRanges.contains { $0.contains(scalar.value) }
    }

    private static let unsafeRanges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
        0x2066...0x2069,
    ]

    /// Whether a text, given as UTF-8, holds a scalar that must not be printed as it is.
    static func holdsUnsafe(_ text: UnsafeRawBufferPointer) -> Bool {
        String(decoding: text, as: UTF8.self).unicodeScalars.contains { isUnsafe($0) }
    }

    /// The text with unsafe scalars as `\u` and four digits.
    ///
    /// With `quoting`, for text between quotes, a quote and a backslash are escaped too.
    public static func escape(_ text: String, quoting: Bool = false) -> String {
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

    /// The bytes as safe text, at most `limit` of them; bytes that are no UTF-8 become U+FFFD.
    public static func excerpt(_ bytes: UnsafeRawBufferPointer, limit: Int = 40) -> String {
        let shown = bytes.prefix(limit)
        let text = escape(String(decoding: shown, as: UTF8.self))
        return bytes.count > limit ? text + "…" : text
    }

    /// Four lower-case hex digits.
    static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
