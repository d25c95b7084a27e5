/// Builds a JSON object on one line; keys keep the order in which they were added.
package struct JSONText {
    private var members: [String] = []

    package init() {}

    package var text: String { "{\(members.joined(separator: ","))}" }

    package mutating func add(_ key: String, _ value: String?) {
        guard let value else { return }
        add(key, raw: JSONText.string(value))
    }

    package mutating func add(_ key: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        add(key, raw: String(value))
    }

    package mutating func add(_ key: String, _ value: Bool) {
        add(key, raw: value ? "true" : "false")
    }

    package mutating func add(_ key: String, list: [String]) {
        guard !list.isEmpty else { return }
        add(key, raw: "[\(list.joined(separator: ","))]")
    }

    package mutating func add(_ key: String, raw: String) {
        members.append("\(JSONText.string(key)):\(raw)")
    }

    /// A text as a JSON string; characters that could control a terminal are escaped too.
    package static func string(_ text: String) -> String {
        "\"\(EscapedText.escape(text, quoting: true))\""
    }
}
