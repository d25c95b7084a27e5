import PurchaseEvents

/// Collects the bytes of a page, and escapes text so that a log can't add markup.
///
/// Markup must be a literal in the source code or a file of the project.
struct Markup {
    private(set) var bytes: [UInt8] = []

    enum Piece: ExpressibleByStringLiteral {
        /// Markup, verbatim.
        case markup(StaticString)
        /// Text from anywhere, escaped for an element's content and for a quoted attribute.
        case text(String)
        /// An integer.
        case number(Int)

        init(stringLiteral markup: StaticString) { self = .markup(markup) }
    }

    mutating func add(_ pieces: Piece...) {
        for piece in pieces {
            switch piece {
            case .markup(let markup): markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
            case .text(let text): bytes.append(contentsOf: Markup.escape(text).utf8)
            case .number(let number): bytes.append(contentsOf: String(number).utf8)
            }
        }
    }

    mutating func add(_ other: Markup) { bytes.append(contentsOf: other.bytes) }

    /// Adds a file of the project verbatim: the style or the script.
    mutating func add(file: String) { bytes.append(contentsOf: file.utf8) }

    /// Adds JSON as the content of a data block, with `<` escaped so that no text can end the
    /// block.
    mutating func add(json: String) {
        for byte in json.utf8 {
            if byte == UInt8(ascii: "<") {
                bytes.append(contentsOf: "\\u003c".utf8)
            } else {
                bytes.append(byte)
            }
        }
    }

    /// A text escaped for an element's content or a quoted attribute.
    ///
    /// Control characters and characters that control the text direction become `\u` and four
    /// digits; markup characters become references.
    static func escape(_ text: String) -> String {
        let text = text.escaped
        guard text.utf8.contains(where: isOfMarkup) else { return text }
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): escaped.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): escaped.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): escaped.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): escaped.append(contentsOf: "&#39;".utf8)
            case _: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isOfMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        case _: false
        }
    }
}
