import PurchaseEvents

/// A rule of a rule file, as parsed: what it says, in one of four templates.
struct RuleSyntax: Sendable {
    /// How the events of a rule hang together.
    enum Template: Hashable, Sendable {
        case followed, notFollowed, preceded, notPreceded, never
        case atMost(Int)
    }

    var template: Template
    /// The events that the rule is about.
    var each: EventPhrase
    /// The events that follow or precede, or must not.
    var other: EventPhrase?
    /// The keys that join the two, in the order of the file.
    var same: [Key] = []
    var within: RuleSpan?
    /// What ends the wait for the other event.
    var before: JoinedPhrase?
    /// What excuses the event.
    var unless: JoinedPhrase?
}

/// Events of some types that meet conditions.
struct EventPhrase: Hashable, Sendable {
    /// The type or family, as the file names it.
    var name: String
    /// The types that the conditions on `type` leave.
    var types: EventTypes
    var conditions: [RuleCondition] = []
    /// The conditions as the file spells them; empty for none.
    var spelling: [String] = []
}

/// Events that share keys with the event that a rule is about.
struct JoinedPhrase: Hashable, Sendable {
    var event: EventPhrase
    var same: [Key]
}

/// A condition on a key of an event.
struct RuleCondition: Hashable, Sendable {
    /// What the value of the key must be.
    enum Test: Hashable, Sendable {
        case among([String])
        case outside([String])
        case less(Int64), atMost(Int64), greater(Int64), atLeast(Int64)
        case absent
    }

    var key: Key
    var test: Test
}

/// A length of time, by the times of recording or by the launches of a device.
enum RuleSpan: Hashable, Sendable {
    /// Milliseconds, and the words for them.
    case time(Int64, String)
    /// Within N launches: before the device's Nth launch after the earlier event.
    case launches(UInt32, String)

    /// The span as the file spells it.
    var words: String {
        switch self {
        case .time(_, let words), .launches(_, let words): words
        }
    }
}

// The rule as text, for its statement and its messages.
extension EventPhrase {
    /// The events as the file names them.
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

    /// The text ` within …`; empty without a limit.
    var limit: String { within.map { " within \($0.words)" } ?? "" }

    /// What the rule says, in one sentence.
    var statement: String {
        var text: String
        switch template {
        case .followed: text = "Each \(each.text) is followed by"
        case .notFollowed: text = "Each \(each.text) is not followed by"
        case .preceded: text = "Each \(each.text) is preceded by"
        case .notPreceded: text = "Each \(each.text) is not preceded by"
        case .never: text = "Each \(each.text) never happens"
        case .atMost(let count): text = "At most \(count) \(each.text)"
        }
        if let other { text += " \(other.text)" }
        text += RuleSyntax.join(same) + limit
        if let before { text += " before \(before.text)" }
        if let unless { text += " unless \(unless.text) comes between" }
        return text + "."
    }

    /// Every type that the rule reads.
    var reads: EventTypes {
        var types = each.types
        for phrase in [other, before?.event, unless?.event] {
            if let phrase { types.formUnion(phrase.types) }
        }
        return types
    }
}

extension RuleSpan {
    /// Whether launches end the span.
    var isOfLaunches: Bool {
        switch self {
        case .time: false
        case .launches: true
        }
    }
}
