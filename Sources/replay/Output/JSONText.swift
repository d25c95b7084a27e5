import PurchaseEvents

/// A JSON object in one line, its keys in the order in which they are added.
struct JSONText {
    private var members: [String] = []

    /// The object's text.
    var text: String { "{\(members.joined(separator: ","))}" }

    /// Adds a text; nothing where there is none.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(key, raw: JSONText.string(value))
    }

    /// Adds a whole number; nothing where there is none.
    mutating func add(_ key: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        add(key, raw: String(value))
    }

    /// Adds a flag.
    mutating func add(_ key: String, _ value: Bool) { add(key, raw: value ? "true" : "false") }

    /// Adds a list of what is JSON already; nothing where it is empty.
    mutating func add(_ key: String, list: [String]) {
        guard !list.isEmpty else { return }
        add(key, raw: "[\(list.joined(separator: ","))]")
    }

    /// Adds what is JSON already.
    mutating func add(_ key: String, raw: String) {
        members.append("\(JSONText.string(key)):\(raw)")
    }

    /// A text as JSON, escaped so that it can't drive a terminal either.
    static func string(_ text: String) -> String {
        "\"\(EscapedText.escape(text, quoting: true))\""
    }
}
