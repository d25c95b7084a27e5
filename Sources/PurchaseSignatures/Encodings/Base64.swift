/// Decodes base64 and base64url (RFC 4648) strictly: apart from skipped spaces, each sequence of
/// bytes has exactly one text.
package enum Base64 {
    /// Decodes base64url without padding, the encoding of the parts of a JWS.
    package static func decodeURL(_ text: ArraySlice<UInt8>) throws(EncodingProblem) -> [UInt8] {
        try decode(text, urlValues, skipsSpaces: false)
    }

    /// Decodes base64 with padding; can skip spaces and ends of line.
    package static func decode(
        _ text: ArraySlice<UInt8>, skippingSpaces skipsSpaces: Bool = false
    ) throws(EncodingProblem) -> [UInt8] {
        let padding = text.reversed().prefix {
            $0 == UInt8(ascii: "=") || (skipsSpaces && isSpace($0))
        }
        let digits = text.dropLast(padding.count)
        let count = skipsSpaces ? digits.count { !isSpace($0) } : digits.count
        let equals = padding.count { !isSpace($0) }
        guard equals == (4 - count % 4) % 4 else {
            throw EncodingProblem(
                digits.endIndex - text.startIndex,
                "base64 of \(count) digits has \(equals) padding characters, expected "
                    + "\((4 - count % 4) % 4)")
        }
        return try decode(digits, standardValues, skipsSpaces: skipsSpaces)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func decode(
        _ text: ArraySlice<UInt8>, _ values: [UInt8], skipsSpaces: Bool
    ) throws(EncodingProblem) -> [UInt8] {
        var (bytes, held, bits) = ([UInt8](), UInt32(0), 0)
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        for (offset, digit) in text.enumerated() {
            let value = values[Int(digit)]
            guard value < 64 else {
                if skipsSpaces, isSpace(digit) { continue }
                throw EncodingProblem(offset, wrong(digit))
            }
            held = held << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        guard bits < 6 else {
            throw EncodingProblem(text.count, "base64 ends with one digit of four, expected two")
        }
        guard held & (1 << UInt32(bits) - 1) == 0 else {
            throw EncodingProblem(text.count, "the last base64 digit has nonzero unused bits")
        }
        return bytes
    }

    private static func wrong(_ digit: UInt8) -> String {
        digit == UInt8(ascii: "=")
            ? "base64 padding where none is allowed"
            : "a byte that is not a base64 digit"
    }

    /// The 64 digits in the order of their values; the `last` two tell base64 from base64url.
    static func digits(_ last: String) -> [UInt8] {
        Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    }

    private static func values(_ last: String) -> [UInt8] {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits(last).enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }

    private static let standardValues = values("+/")
    private static let urlValues = values("-_")
}
