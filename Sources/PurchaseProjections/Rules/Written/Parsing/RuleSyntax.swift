import PurchaseEvents

struct RuleSyntax: Sendable {
    /// The form of a rule: how its events relate.
    enum Template: Hashable, Sendable {
        case followed, notFollowed, preceded, notPreceded, never
        case atMost(Int)
    }

    var template: Template
    /// The events that the rule is about.
    var each: EventPhrase
    /// The events that must, or must not, follow or precede.
    var other: EventPhrase?
    /// The keys that join the two events, in file order.
    var same: [Key] = []
    /// The key in which the two events must differ, if any.
    var relation: RuleRelation?
    /// The events that must come before each event of the rule.
    var after: [JoinedPhrase] = []
    /// The event that a log must have for the rule to apply.
    var log: EventPhrase?
    var within: RuleSpan?
    /// The event that ends the wait for the other event.
    var before: JoinedPhrase?
    /// The event that excuses a violation.
    var unless: JoinedPhrase?
}

/// Events of some types that meet the conditions.
struct EventPhrase: Hashable, Sendable {
    /// The type or family as written in the file.
    var name: String
    /// The types that remain after conditions on `type`.
    var types: EventTypes
    var conditions: [RuleCondition] = []
    /// The conditions as written in the file; empty if there are none.
    var spelling: [String] = []
}

/// Events that share keys with the rule's event.
struct JoinedPhrase: Hashable, Sendable {
    var event: EventPhrase
    var same: [Key]
}

/// How a key of the other event of a rule differs from that of the event the rule is about.
struct RuleRelation: Hashable, Sendable {
    /// The difference between the two values.
    enum Order: String, CaseIterable, Sendable { case different, later, earlier }

    var order: Order
    var key: Key

    /// The relation as written in the file.
    var text: String { " and \(order == .earlier ? "an" : "a") \(order.rawValue) \(key.wireName)" }
}

struct RuleCondition: Hashable, Sendable {
    enum Test: Hashable, Sendable {
        case among([String])
        case outside([String])
        case less(Int64), atMost(Int64), greater(Int64), atLeast(Int64)
        case absent
    }

    var key: Key
    var test: Test
}

/// A span of time, measured by recording times or by the launches of a device.
enum RuleSpan: Hashable, Sendable {
    /// Milliseconds, and their spelling.
    case time(Int64, String)
    /// Within N launches: before the device's Nth launch after the earlier event.
    case launches(UInt32, String)

    var words: String {
        switch self {
        case .time(_, let words), .launches(_, let words): words
        }
    }
}

// The rule as text, for its statement and its messages.
extension EventPhrase {
    var text: String {
        spelling.isEmpty ? name : "\(name) where \(spelling.joined(separator: " and "))"
    }
}

extension JoinedPhrase {
    var text: String { event.text + RuleSyntax.join(same) }
}

extension RuleSyntax {
    /// The text ` of the same …`; empty without keys.
    static func join(_ keys: [Key]) -> String {
        guard !keys.isEmpty else { return "" }
        return " of the same " + keys.map(\.wireName).joined(separator: " and ")
    }

    /// The text ` of the same …` of the rule's two events, with their relation.
    var joining: String { RuleSyntax.join(same) + (relation?.text ?? "") }

    /// The events that the rule is about, as written in the file.
    var eachText: String {
        let earlier = after.map { "after \($0.text)" }.joined(separator: " and ")
        return each.text + (earlier.isEmpty ? "" : " \(earlier)")
            + (log.map { " in a log with \($0.text)" } ?? "")
    }

    /// The text ` within …`; empty without a limit.
    var limit: String { within.map { " within \($0.words)" } ?? "" }

    var conditions: String {
        limit + (before.map { " before \($0.text)" } ?? "")
            + (unless.map { " unless \($0.text) comes between" } ?? "")
    }

    var statement: String {
        var text: String
        switch template {
        case .followed: text = "Each \(eachText) is followed by"
        case .notFollowed: text = "Each \(eachText) is not followed by"
        case .preceded: text = "Each \(eachText) is preceded by"
        case .notPreceded: text = "Each \(eachText) is not preceded by"
        case .never: text = "Each \(eachText) never happens"
        case .atMost(let count): text = "At most \(count) \(each.text)"
        }
        if let other { text += " \(other.text)" }
        return text + joining + conditions + "."
    }

    var reads: EventTypes {
        var types = each.types
        for phrase in [other, before?.event, unless?.event, log] + after.map(\.event) {
            if let phrase { types.formUnion(phrase.types) }
        }
        return types
    }
}

extension RuleSpan {
    var isOfLaunches: Bool { launches != nil }

    /// The number of launches; `nil` if the span is a time.
    var launches: UInt32? {
        switch self {
        case .time: nil
        case .launches(let count, _): count
        }
    }
}
