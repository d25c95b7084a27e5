import PurchaseEvents

/// A compiled ``RuleRelation``: compares a key of the rule's two events.
struct EventRelation: Sendable {
    private let key: Key
    let order: RuleRelation.Order

    /// Creates the relation of the rule's other event to the event that the rule is about, or the
    /// inverse.
    init(_ relation: RuleRelation, isInverse: Bool = false) {
        key = relation.key
        switch relation.order {
        case .different: order = .different
        case .later: order = isInverse ? .earlier : .later
        case .earlier: order = isInverse ? .later : .earlier
        }
    }

    /// The value of an event; `nil` if the event lacks the key.
    func value(of event: LogEvent, _ facts: Facts) -> Int64? { JoinKey.part(key, event, facts) }

    @inline(__always)
    func holds(_ value: Int64, to other: Int64) -> Bool {
        switch order {
        case .different: value != other
        case .later: value > other
        case .earlier: value < other
        }
    }
}

/// The earlier events with equal keys that a rule with a relation remembers.
///
/// For the relations `later` and `earlier`, the event with the greatest or the least time is
/// enough. For `different`, two events are needed: the latest, and the latest with another value.
struct RelatedMarks: Sendable {
    private var mark = RuleMark(), other = RuleMark()
    private var value: Int64 = 0

    mutating func store(_ mark: RuleMark, _ value: Int64, _ relation: EventRelation) {
        if self.mark.line != 0 {
            guard relation.order == .different || !relation.holds(self.value, to: value) else {
                return
            }
            if value != self.value { other = self.mark }
        }
        self.mark = mark
        self.value = value
    }

    /// The stored event that has the relation to a value; line 0 if none has.
    func mark(for value: Int64, _ relation: EventRelation) -> RuleMark {
        if relation.holds(self.value, to: value) { return mark }
        return relation.order == .different ? other : RuleMark()
    }
}
