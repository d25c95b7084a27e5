import PurchaseEvents

/// Builds a JSON object in one line, its keys in the order in which they are added.
struct JSONText {
    private var members: [String] = []

    /// The text of the object.
    var text: String { "{\(members.joined(separator: ","))}" }

    /// Adds a text; `nil` adds nothing.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(key, raw: JSONText.string(value))
    }

    /// Adds a whole number; `nil` adds nothing.
    mutating func add(_ key: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        add(key, raw: String(value))
    }

    /// Adds a flag.
    mutating func add(_ key: String, _ value: Bool) { add(key, raw: value ? "true" : "false") }

    /// Adds an array of JSON texts; an empty list adds nothing.
    mutating func add(_ key: String, list: [String]) {
        guard !list.isEmpty else { return }
        add(key, raw: "[\(list.joined(separator: ","))]")
    }

    /// Adds a JSON text as it is.
    mutating func add(_ key: String, raw: String) {
        members.append("\(JSONText.string(key)):\(raw)")
    }

    /// A text as a JSON string, in which control characters are escaped too.
    static func string(_ text: String) -> String {
        "\"\(EscapedText.escape(text, quoting: true))\""
    }
}
