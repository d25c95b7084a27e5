import PurchaseEvents

// Parses keys and spans.
extension RuleParser {
    /// An event and the keys that join it to the event that the rule is about.
    mutating func joined(
        to each: EventPhrase, within rule: RuleSyntax? = nil
    ) throws(RuleProblem) -> JoinedPhrase {
        let event = try event()
        return JoinedPhrase(event: event, same: try same(each, event, within: rule))
    }

    /// The keys after `of the same`; none if there is no such clause.
    ///
    /// - Parameter rule: The rule, if the clause belongs to its `before` or `unless`. In a rule
    ///   with `is not followed by`, the clause may name only keys that join the rule's two events.
    mutating func same(
        _ first: EventPhrase, _ second: EventPhrase, within rule: RuleSyntax? = nil
    ) throws(RuleProblem) -> [Key] {
        guard take("of") else { return [] }
        try expect("the")
        try expect("same")
        var keys: [Key] = []
        repeat {
            keys.append(try joiningKey(first, second, keys, rule))
        } while !isBeforeRelation && takeAnd()
        return keys
    }

    /// Whether `and a` or `and an` comes next.
    private var isBeforeRelation: Bool {
        isNext("and", followedBy: "a") || isNext("and", followedBy: "an")
    }

    /// The relation after the keys of `of the same`; `nil` if there is none.
    mutating func relation(
        _ rule: RuleSyntax, _ other: EventPhrase, among orders: [RuleRelation.Order]
    ) throws(RuleProblem) -> RuleRelation? {
        guard !rule.same.isEmpty, isBeforeRelation else { return nil }
        _ = next()
        _ = next()
        let word = next()
        let typed = word.text.lowercased()
        guard word.kind == .word, let order = orders.first(where: { $0.rawValue == typed }) else {
            throw RuleProblem(word, "a relation", among: orders.map(\.rawValue))
        }
        let token = next()
        let keys = Key.allCases.filter { key in
            order == .different
                ? RuleKeys.joins(key, rule.each.types) && RuleKeys.joins(key, other.types)
                : RuleKeys.isTime(key, rule.each.types) && RuleKeys.isTime(key, other.types)
        }
        let key = try RuleParser.key(token, keys, rule.each, other)
        guard !rule.same.contains(key) else { throw RuleProblem(again: token) }
        return RuleRelation(order: order, key: key)
    }

    /// The key that a token names, one of those that both events have.
    private static func key(
        _ token: RuleToken, _ keys: [Key], _ first: EventPhrase, _ second: EventPhrase
    ) throws(RuleProblem) -> Key {
        if token.kind == .word, let key = keys.first(where: { $0.wireName == token.text }) {
            return key
        }
        let both = first == second ? first.name : "both \(first.name) and \(second.name)"
        let names = keys.map(\.wireName)
        throw RuleProblem(
            token,
            expected: "a key of \(both): \(RuleProblem.list(names))",
            nearest: NearestWord.find(token.text, in: names))
    }

    private mutating func joiningKey(
        _ first: EventPhrase, _ second: EventPhrase, _ before: [Key], _ rule: RuleSyntax?
    ) throws(RuleProblem) -> Key {
        let token = next()
        let joining = Key.allCases.filter {
            RuleKeys.joins($0, first.types) && RuleKeys.joins($0, second.types)
        }
        let key = try RuleParser.key(token, joining, first, second)
        guard !before.contains(key) else { throw RuleProblem(again: token) }
        if let rule, rule.template == .notFollowed, !rule.same.contains(key) {
            throw RuleProblem(
                token,
                expected: "a key that joins the two events"
                    + (rule.same.isEmpty
                        ? ", of which there is none"
                        : ": \(RuleProblem.list(rule.same.map(\.wireName)))"))
        }
        return key
    }

    /// The units of a span, each with its length in milliseconds; 0 for launches.
    private static let units: [(words: [String], milliseconds: Int64)] = [
        (["seconds", "second"], Timestamp.second), (["minutes", "minute"], Timestamp.minute),
        (["hours", "hour"], Timestamp.hour), (["days", "day"], Timestamp.day),
        (["launches", "launch"], 0),
    ]

    mutating func span() throws(RuleProblem) -> RuleSpan? {
        guard take("within") else { return nil }
        let token = next()
        guard token.kind == .word, let count = Int64(token.text), (1...1_000_000).contains(count)
        else {
            throw RuleProblem(token, expected: "a whole number from 1 to 1000000")
        }
        let unit = next()
        let typed = unit.text.lowercased()
        guard unit.kind == .word,
            let known = RuleParser.units.first(where: { $0.words.contains(typed) })
        else { throw RuleProblem(unit, "a unit", among: RuleParser.units.map { $0.words[0] }) }
        let words = "\(count) \(known.words[count == 1 ? 1 : 0])"
        guard known.milliseconds > 0 else { return .launches(UInt32(count), words) }
        return .time(count * known.milliseconds, words)
    }
}
