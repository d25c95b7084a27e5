import PurchaseEvents

/// The keys of events in a rule file: the keys of their lines, and keys that the facts add.
enum RuleKeys {
    /// The kind of a key's values if events of at least one of the types have the key; a closed
    /// list combines the words of all types.
    static func kind(of key: Key, in types: EventTypes) -> FieldKind? {
        guard key != .id, key != .chain else { return nil }
        var words: [String] = []
        for type in types.types {
            guard let kind = kind(of: key, in: type) else { continue }
            guard case .word(let list) = kind else { return kind }
            words += list.filter { !words.contains($0) }
        }
        return words.isEmpty ? nil : .word(words)
    }

    /// The kind of a key's values in events of a type; `nil` if those events never have the key.
    static func kind(of key: Key, in type: EventType) -> FieldKind? {
        for fields in [EventType.envelope, type.schema] {
            if let field = fields.first(where: { $0.key == key }) { return field.kind }
        }
        return isAddedByFacts(key, of: type) ? addedByFacts[key] : nil
    }

    /// The kinds of the keys that facts add to events whose lines lack them.
    private static let addedByFacts: [Key: FieldKind] = [
        .transaction: .name(.transaction), .payment: .name(.payment),
        .original: .name(.transaction), .product: .name(.product), .group: .name(.group),
        .notification: .name(.notification), .kind: .word(ProductKind.allCases.map(\.rawValue)),
        .outcome: .word(ValidationOutcome.allCases.map(\.rawValue)),
    ]

    private static func isAddedByFacts(_ key: Key, of type: EventType) -> Bool {
        func has(_ key: Key) -> Bool { type.schema.contains { $0.key == key } }
        if key == .notification { return true }
        let hasTransaction = has(.transaction), hasPayment = has(.payment)
        if key == .transaction { return hasPayment }
        if key == .payment || key == .original || key == .outcome { return hasTransaction }
        if key == .product { return hasTransaction || hasPayment }
        if key == .kind || key == .group { return hasTransaction || hasPayment || has(.product) }
        return false
    }

    /// Every key that events of at least one of the types have, in the order of ``Key``.
    static func names(in types: EventTypes) -> [String] {
        Key.allCases.filter { kind(of: $0, in: types) != nil }.map(\.wireName)
    }

    static func isTime(_ key: Key, _ types: EventTypes) -> Bool {
        switch kind(of: key, in: types) {
        case .time: true
        case .name, .word, .id, .text, .flag, .currency, .integer, nil: false
        }
    }

    /// Whether a key can join events: its values are names, or the key is `environment` or `kind`.
    static func joins(_ key: Key, _ types: EventTypes) -> Bool {
        switch kind(of: key, in: types) {
        case .name: true
        case .word: key == .environment || key == .kind
        case .id, .text, .time, .flag, .currency, .integer, nil: false
        }
    }
}
