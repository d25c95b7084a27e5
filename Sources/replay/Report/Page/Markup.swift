import PurchaseEvents

/// The bytes of a page: a literal of the source code, in which whatever is inserted is escaped, so
/// that a log can't add markup.
struct Markup: ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []

    init() {}

    init(stringLiteral markup: StaticString) { markup.withUTF8Buffer { bytes += $0 } }

    init(stringInterpolation parts: StringInterpolation) { bytes = parts.bytes }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ markup: StaticString) {
            markup.withUTF8Buffer { bytes += $0 }
        }

        mutating func appendInterpolation(_ text: String) { bytes += Markup.escape(text).utf8 }

        mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }

        mutating func appendInterpolation(_ markup: Markup) { bytes += markup.bytes }
    }

    mutating func add(_ other: Markup) { bytes += other.bytes }

    /// Adds a file of the project verbatim: the style or the script.
    mutating func add(file: String) { bytes += file.utf8 }

    /// Adds JSON as the content of a data block, with `<` escaped so that no text can end the
    /// block.
    mutating func add(json: String) { bytes += json.replacing(["<": "\\u003c"]).utf8 }

    /// A text escaped for an element's content or a quoted attribute; characters that control a
    /// terminal or the text direction become `\u` and four digits.
    static func escape(_ text: String) -> String { text.escaped.replacing(references) }

    private static let references: KeyValuePairs<Unicode.Scalar, String> = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]
}
