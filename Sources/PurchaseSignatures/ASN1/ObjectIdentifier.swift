/// An ASN.1 object identifier, stored as its encoded content.
package struct ObjectIdentifier: Hashable, Sendable {
    package let encoded: [UInt8]

    package init(encoded: [UInt8]) { self.encoded = encoded }

    package init(_ numbers: UInt64...) {
        precondition(numbers.count >= 2, "an object identifier has at least two numbers")
        var bytes: [UInt8] = []
        for number in [numbers[0] * 40 + numbers[1]] + numbers.dropFirst(2) {
            var groups = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                groups.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            bytes.append(contentsOf: groups.reversed())
        }
        encoded = bytes
    }
}

extension ObjectIdentifier: CustomStringConvertible {
    /// The numbers separated by dots, with `?` for a number above 64 bits; a long identifier is cut
    /// and ends with `...`.
    package var description: String {
        var numbers: [String] = []
        var (number, isTooBig) = (UInt64(0), false)
        for byte in encoded.prefix(ObjectIdentifier.longestShown) {
            isTooBig = isTooBig || number > UInt64.max >> 7
            number = number << 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if numbers.isEmpty, !isTooBig {
                let first = min(number / 40, 2)
                numbers = ["\(first)", "\(number - first * 40)"]
            } else {
                numbers.append(isTooBig ? "?" : "\(number)")
            }
            (number, isTooBig) = (0, false)
        }
        let isCut = encoded.count > ObjectIdentifier.longestShown
        return numbers.joined(separator: ".") + (isCut ? "..." : "")
    }

    private static let longestShown = 64
}
