import PurchaseEvents
import PurchaseSignatures

/// Writes DER; each function returns one element.
package enum DERWriter {
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        DEREncoding.element(tag, content)
    }

    package static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(0x30, elements.flatMap { $0 })
    }

    /// A SET of elements, in DER's order.
    package static func set(_ elements: [[UInt8]]) -> [UInt8] {
        element(0x31, elements.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    /// A context-specific field around elements.
    package static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0xA0 | number, content)
    }

    package static func integer(_ number: Int64) -> [UInt8] {
        var bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        while bytes.count > 1,
            (bytes[0] == 0 && bytes[1] < 0x80)
                || (bytes[0] == 0xFF && bytes[1] >= 0x80)
        {
            bytes.removeFirst()
        }
        return element(0x02, bytes)
    }

    /// A non-negative number, given big-endian.
    package static func natural(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    package static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    package static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }
    package static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    package static func ascii(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    package static func boolean(_ value: Bool) -> [UInt8] { element(0x01, [value ? 0xFF : 0]) }
    package static let null: [UInt8] = [0x05, 0x00]

    /// An object identifier, given in dotted notation.
    package static func identifier(_ dotted: String) -> [UInt8] {
        let numbers = dotted.split(separator: ".").compactMap { UInt64($0) }
        precondition(numbers.count > 1, "an object identifier has two numbers or more")
        var bytes: [UInt8] = []
        for number in [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2) {
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            bytes += groups
        }
        return element(0x06, bytes)
    }

    /// A time as certificates encode it: UTCTime up to 2049, GeneralizedTime after that.
    package static func time(_ time: Timestamp) -> [UInt8] {
        let digits = time.text.prefix(19).filter(\.isNumber)
        return time < Timestamp(milliseconds: 2_524_608_000_000)
            ? element(0x17, Array((digits.dropFirst(2) + "Z").utf8))
            : element(0x18, Array((digits + "Z").utf8))
    }

    /// A name with only a common name.
    package static func name(_ common: String) -> [UInt8] {
        sequence(set([sequence(identifier("2.5.4.3"), text(common))]))
    }
}
