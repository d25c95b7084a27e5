import PurchaseEvents

/// The open keys of one device: those that nothing closed since they were opened.
///
/// Memory is proportional to the open keys.
struct OpenKeys: Sendable, SnapshottedElement {
    struct Mark: Sendable {
        var key: HandleKey
        var line: LineNumber
        /// The account that opened the key, if recorded.
        var account: AccountHandle?
    }

    private var byKey: [HandleKey: [Mark]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&byKey) }

    /// The open keys, by line; a key that was opened several times is open as often.
    var marks: [Mark] { byKey.values.joined().sorted { $0.line < $1.line } }

    var isEmpty: Bool { byKey.isEmpty }

    /// Opens a key, or closes all earlier openings of it.
    mutating func note(
        _ key: HandleKey, _ line: LineNumber, by account: AccountHandle? = nil, opens: Bool
    ) {
        guard opens else { return byKey[key] = nil }
        byKey[key, default: []].append(Mark(key: key, line: line, account: account))
    }
}
