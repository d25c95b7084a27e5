import PurchaseEvents
import PurchaseSignatures

/// A document that stands as text, told by the beginning of the text.
enum DocumentText {
    /// JSON, and whether it stood in base64.
    case json([UInt8], isBase64: Bool)
    case jws([UInt8])
    case receipt

    init?(_ text: [UInt8]) {
        let start = text.firstIndex { !JSONReader.isSpace($0) } ?? text.endIndex
        guard start < text.endIndex else { return nil }
        if text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") {
            self = .json(text, isBase64: false)
        } else if RecordCutter.beginsJWS(text[start...]) {
            guard !text.contains(UInt8(ascii: ".")),
                let bytes = DocumentText.decoded(text[start...])
            else {
                self = .jws(Array(text[start...]))
                return
            }
            self = .json(bytes, isBase64: true)
        } else if Base64Lines.beginReceipt(text[start...].prefix { $0 != 0x0A && $0 != 0x0D }) {
            self = .receipt
        } else if text[start...].starts(with: "ZXlK".utf8),
            let bytes = DocumentText.decoded(text[start...]), RecordCutter.beginsJWS(bytes)
        {
            self = .jws(bytes)
        } else {
            return nil
        }
    }

    /// The bytes of base64 or base64url, with or without padding and ends of line.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits: [UInt8] = []
        for byte in text where !JSONReader.isSpace(byte) && byte != UInt8(ascii: "=") {
            switch byte {
            case UInt8(ascii: "+"): digits.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): digits.append(UInt8(ascii: "_"))
            case _: digits.append(byte)
            }
        }
        return try? Base64.decodeURL(digits[...])
    }
}

/// A receipt of iOS 6 style: a property list with a signature and the purchase, which only Apple's
/// verifyReceipt reads.
enum LegacyReceipt {
    static let message =
        "a receipt of iOS 6 style, a property list that only verifyReceipt reads: import the "
        + "response of verifyReceipt instead; skipped"

    /// Whether bytes that aren't JSON begin such a receipt.
    static func isBegun(by bytes: some Sequence<UInt8>) -> Bool {
        let head = String(decoding: Array(bytes.prefix(256)), as: UTF8.self)
        let words = head.split(maxSplits: 3) { $0.isWhitespace || $0 == "{" }
        guard words.count > 1, words[1] == "=" else { return false }
        return ["signature", "purchase-info", "environment", "pod", "signing-status"].contains {
            words[0] == "\"\($0)\"" || words[0] == $0
        }
    }
}
