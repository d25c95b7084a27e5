/// A row as keys and JSON texts, in the order of tool.md.
struct RowMembers {
    let members: [(key: String, text: String)]
    /// The members that distinguish the row from others of its projection.
    let identity: [(key: String, text: String)]

    init(_ row: UnsafeRawBufferPointer, _ keys: [String]) {
        members = (LineMembers(Array(row))?.members ?? []).map {
            ($0.key, LineMembers.text(of: $0.value))
        }
        // An account's purchases of a consumable share one row, whichever original the row names.
        let isConsumable = members.contains { $0.key == "kind" && $0.text == #""consumable""# }
        identity = members.filter {
            keys.contains($0.key) && !(isConsumable && $0.key == "original")
        }
    }

    var identityText: String { identity.map { "\($0.key):\($0.text)" }.joined(separator: ",") }
}
