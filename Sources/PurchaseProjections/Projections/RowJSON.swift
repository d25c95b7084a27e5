import PurchaseEvents

/// Writes rows as JSON: keys in their order, no spaces, escaped as the format's own lines are
/// (event-log.md, 1), so that what is printed can't drive a terminal.
public enum RowJSON {
    /// An object of the fields, on one line, without its end.
    public static func text(of fields: [RowField]) -> String { text(of: .object(fields)) }

    /// A value on one line.
    public static func text(of value: RowValue) -> String {
        var text = ""
        append(value, to: &text)
        return text
    }

    /// Appends a value.
    public static func append(_ value: RowValue, to text: inout String) {
        switch value {
        case .text(let string): append(string, to: &text)
        case .integer(let integer): text += String(integer)
        case .flag(let flag): text += flag ? "true" : "false"
        case .time(let time): append(time.text, to: &text)
        case .list(let values):
            text.append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { text.append(",") }
                append(value, to: &text)
            }
            text.append("]")
        case .object(let fields):
            text.append("{")
            for (index, field) in fields.enumerated() {
                if index > 0 { text.append(",") }
                append(field.key, to: &text)
                text.append(":")
                append(field.value, to: &text)
            }
            text.append("}")
        }
    }

    /// Appends a string between quotes.
    private static func append(_ string: String, to text: inout String) {
        text.append("\"")
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                text.append("\\")
                text.unicodeScalars.append(scalar)
            } else if let short = shortEscapes[scalar] {
                text += short
            } else if EscapedText.isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        text.append("\"")
    }

    private static let shortEscapes: [Unicode.Scalar: String] = [
        "\u{8}": "\\b", "\u{9}": "\\t", "\u{A}": "\\n", "\u{C}": "\\f", "\u{D}": "\\r",
    ]
}
