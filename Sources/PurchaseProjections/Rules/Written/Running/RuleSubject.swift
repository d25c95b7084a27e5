import PurchaseEvents

/// The subject of a finding of a rule file: a name, by its handle.
struct RuleSubject: Sendable {
    private var role = NameRole.transaction
    /// The handle plus one; 0 if the event names nothing.
    private var packed: UInt32 = 0

    fileprivate init() {}

    /// Creates a subject from a value of ``EventValues``.
    fileprivate init(_ role: NameRole, _ value: Int64) {
        self.role = role
        packed = UInt32(truncatingIfNeeded: value) &+ 1
    }

    /// The name; `nil` if the event names nothing.
    func key(_ names: NameTable) -> String? {
        guard packed != 0 else { return nil }
        return names.withBytes(of: packed &- 1, role) { String(decoding: $0, as: UTF8.self) }
    }

    /// The name of an event of a type: `queue.finished of transaction …`.
    func name(of type: EventType, _ names: NameTable) -> String {
        type.wireName + (key(names).map { " of \(role.word) \($0)" } ?? "")
    }
}

/// The keys that may name the subject of an event, for each type in order of preference.
///
/// First come the keys that join the rule's events and name one thing, then the usual keys of the
/// type, then the group if it joins the events.
struct RuleSubjects: Sendable {
    /// The keys and their roles, by the type's number.
    private let keys: [[(key: Key, role: NameRole)]]

    /// Creates the keys for a rule whose events are joined by `joining`.
    init(_ joining: [Key]) {
        keys = EventType.allCases.map { type in
            let usual = RuleSubjects.usual.filter { key in
                type.schema.contains { $0.key == key }
            }
            let telling = joining.filter { !RuleSubjects.shared.contains($0) }
            // A payment stands in for a transaction that isn't known yet.
            let payment: [Key] = telling.contains(.transaction) ? [.payment] : []
            let all = telling + payment + usual + joining.filter { $0 == .group }
            return all.compactMap { key in
                guard case .name(let role) = RuleKeys.kind(of: key, in: type) else { return nil }
                return (key, role)
            }
        }
    }

    /// The keys that many events share, so that they identify no single subject.
    private static let shared: [Key] = [.account, .device, .product, .group]

    private static let usual: [Key] = [
        .transaction, .payment, .original, .receipt, .notification, .product, .content,
    ]

    func subject(of event: LogEvent, _ facts: Facts) -> RuleSubject {
        for (key, role) in keys[Int(event.type.rawValue)] {
            if let value = EventValues.value(key, event, facts) { return RuleSubject(role, value) }
        }
        return RuleSubject()
    }
}

extension NameRole {
    fileprivate var word: String {
        switch self {
        case .transaction: "transaction"
        case .payment: "payment"
        case .account: "account"
        case .device: "device"
        case .product: "product"
        case .group: "group"
        case .download: "download"
        case .notification: "notification"
        case .receipt: "receipt"
        case .content: "content"
        case .payer: "payer"
        }
    }
}
