extension Base64 {
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = digits(of: bytes, standardDigits)
        text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
        return text
    }

    package static func encodeURL(_ bytes: [UInt8]) -> [UInt8] { digits(of: bytes, urlDigits) }

    private static func digits(of bytes: [UInt8], _ digits: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[start + 2]) }
            text.append(digits[Int(group >> 18)])
            text.append(digits[Int(group >> 12 & 63)])
            if count > 1 { text.append(digits[Int(group >> 6 & 63)]) }
            if count > 2 { text.append(digits[Int(group & 63)]) }
        }
        return text
    }

    private static let standardDigits = digits("+/")
    private static let urlDigits = digits("-_")
}
