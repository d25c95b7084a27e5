import PurchaseEvents
import PurchaseSignatures

/// Recognises the lines of one receipt in base64.
///
/// The receipt ends after padding, at its stated size, and before a line that isn't base64.
struct Base64Lines {
    /// The size of the receipt in bytes, from its header; `nil` if the header doesn't state it.
    private var expected: Int?
    /// The number of digits so far, without padding.
    private var digits = 0
    private var isFirst = true
    private var isPadded = false

    /// Whether a line may begin a receipt: a SEQUENCE with an indefinite length or a length of one
    /// to four bytes.
    static func beginReceipt(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 16, line.starts(with: "MI".utf8), line.allSatisfy(isDigit) else {
            return false
        }
        return (UInt8(ascii: "A")...UInt8(ascii: "T")).contains(line[line.startIndex + 2])
    }

    /// Takes a line, ignoring spaces around it; returns false if the line isn't part of the
    /// receipt.
    mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        var line = line.drop(while: JSONReader.isSpace)
        while let last = line.last, JSONReader.isSpace(last) { line.removeLast() }
        guard !line.isEmpty, line.allSatisfy(Base64Lines.isDigit), !isPadded else { return false }
        if isFirst {
            expected = Base64Lines.length(line)
            isFirst = false
        } else if let expected, digits * 6 / 8 >= expected {
            return false
        }
        digits += line.count { $0 != UInt8(ascii: "=") }
        isPadded = line.last == UInt8(ascii: "=")
        return true
    }

    /// The size of a receipt in bytes, including its header; `nil` if the header doesn't state it.
    private static func length(_ line: ArraySlice<UInt8>) -> Int? {
        let head = line.prefix(8)
        guard head.count == 8, let bytes = try? Base64.decode(head), bytes.count >= 6,
            (0x81...0x84).contains(bytes[1])
        else { return nil }
        let count = Int(bytes[1] & 0x7F)
        return bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) } + 2 + count
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="):
            true
        case _: false
        }
    }
}
