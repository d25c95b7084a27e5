import PurchaseEvents

/// Builds the JSON of one object of the App Store; the members keep the order of their adding.
struct StoreJSON {
    private var body = ""

    /// The object.
    var text: String { "{\(body)}" }

    /// Adds a text; `nil` adds nothing.
    mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(key, raw: StoreJSON.quoted(value))
    }

    /// Adds an integer; `nil` adds nothing.
    mutating func add(_ key: String, _ value: Int64?) {
        guard let value else { return }
        add(key, raw: String(value))
    }

    /// Adds a time in milliseconds since 1970; `nil` adds nothing.
    mutating func add(_ key: String, _ value: Timestamp?) { add(key, value?.milliseconds) }

    /// Adds a flag; `nil` adds nothing.
    mutating func add(_ key: String, _ value: Bool?) {
        guard let value else { return }
        add(key, raw: value ? "true" : "false")
    }

    /// Adds an array of JSON texts.
    mutating func add(_ key: String, list: [String]) {
        add(key, raw: "[\(list.joined(separator: ","))]")
    }

    /// Adds JSON.
    mutating func add(_ key: String, raw: String) {
        if !body.isEmpty { body += "," }
        body += "\"\(key)\":\(raw)"
    }

    /// A text as a JSON string.
    static func quoted(_ text: String) -> String {
        "\"\(EscapedText.escape(text, quoting: true))\""
    }
}
