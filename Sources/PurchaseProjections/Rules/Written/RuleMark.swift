import PurchaseEvents

/// An event that a rule of a file keeps: where and when it was.
struct RuleMark: Sendable {
    /// The event's line; 0 for no event.
    var line: LineNumber = 0
    /// The index of its device, and the launches of the device until then.
    var device: UInt32 = 0, launches: UInt32 = 0
    var type = EventType.logOpened
    var at = Timestamp(milliseconds: 0)

    init() {}

    @inline(__always)
    init(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        self.line = line.number
        device = UInt32(truncatingIfNeeded: Facts.index(of: event.device))
        launches = facts.devices[Int(device)].launches
        type = event.type
        at = event.at
    }

    /// Whether a span that begins at the event is over at a time, or after the device's launches
    /// until now.
    @inline(__always)
    func isOver(_ span: RuleSpan?, at time: Timestamp, _ facts: Facts) -> Bool {
        switch span {
        case nil: false
        case .time(let milliseconds, _): at.distance(to: time) > milliseconds
        case .launches(let count, _): facts.devices[Int(device)].launches &- launches >= count
        }
    }
}

/// What a finding of a rule file is about: a name, by its handle.
struct RuleSubject: Sendable {
    private var role: NameRole
    /// The handle plus one; 0 where the event names nothing.
    private var packed: UInt32

    /// What an event of a rule with these joining keys is about.
    init(_ event: Event<Interned>, _ keys: [Key], _ facts: Facts) {
        (role, packed) = (.transaction, 0)
        for key in keys where packed == 0 {
            guard case .name(let keyRole) = RuleKeys.kind(of: key, in: event.type),
                keyRole != .account, keyRole != .device
            else { continue }
            if key == .transaction, EventValues.transaction(event, facts) == nil {
                set(.payment, .payment, event, facts)
            } else {
                set(key, keyRole, event, facts)
            }
        }
        for (key, role) in RuleSubject.usual where packed == 0 {
            guard event.type.schema.contains(where: { $0.key == key }) else { continue }
            set(key, role, event, facts)
        }
    }

    private static let usual: [(Key, NameRole)] = [
        (.transaction, .transaction), (.payment, .payment), (.original, .transaction),
        (.receipt, .receipt), (.notification, .notification), (.product, .product),
        (.content, .content),
    ]

    private mutating func set(
        _ key: Key, _ role: NameRole, _ event: Event<Interned>, _ facts: Facts
    ) {
        guard let value = EventValues.value(key, event, facts) else { return }
        (self.role, packed) = (role, UInt32(truncatingIfNeeded: value) &+ 1)
    }

    /// The name; `nil` where the event names nothing.
    func key(_ names: NameTable) -> String? {
        guard packed != 0 else { return nil }
        return names.withBytes(of: packed &- 1, role) { String(decoding: $0, as: UTF8.self) }
    }

    /// The text ` of transaction …`; empty where the event names nothing.
    func suffix(_ names: NameTable) -> String {
        key(names).map { " of \(role) \($0)" } ?? ""
    }
}

/// What the messages of a rule file have in common.
struct RulePhrases: Sendable {
    let syntax: RuleSyntax
    /// The place of the rule in its file.
    let origin: String

    /// Every key that joins, for the subject of a finding.
    var keys: [Key] { syntax.same }

    /// The other event, as the rule names it.
    var other: String { (syntax.other?.text ?? "") + RuleSyntax.join(syntax.same) }

    var hint: String { "the rule is written at \(origin)" }

    /// A note on a kept event.
    func note(_ mark: RuleMark, _ verb: String) -> Finding.Note {
        Finding.Note(
            line: mark.line, message: "\(verb) \(mark.type.wireName) at \(mark.at.text)")
    }
}
