import PurchaseEvents

// Parses keys and spans.
extension RuleParser {
    /// The keys after `of the same`; `nil` if there is no such clause.
    ///
    /// - Parameter rule: The negative rule that the clause belongs to; the clause must then name
    ///   keys that join the rule's two events.
    mutating func same(
        _ first: EventPhrase, _ second: EventPhrase, within rule: RuleSyntax? = nil
    ) throws(RuleProblem) -> [Key]? {
        guard take("of") else { return nil }
        try expect("the")
        try expect("same")
        var keys: [Key] = []
        repeat { keys.append(try joiningKey(first, second, keys, rule)) } while take("and")
        return keys
    }

    private mutating func joiningKey(
        _ first: EventPhrase, _ second: EventPhrase, _ before: [Key], _ rule: RuleSyntax?
    ) throws(RuleProblem) -> Key {
        let token = next()
        let joining = Key.allCases.filter {
            RuleKeys.joins($0, first.types) && RuleKeys.joins($0, second.types)
        }
        guard token.kind == .word, let key = joining.first(where: { $0.wireName == token.text })
        else {
            let both =
                first == second ? first.name : "both \(first.name) and \(second.name)"
            let names = joining.map(\.wireName)
            throw RuleProblem(
                token.position, seen: token.description,
                expected: "a key of \(both): \(RuleProblem.list(names))",
                nearest: NearestWord.find(token.text, in: names))
        }
        guard !before.contains(key) else {
            throw RuleProblem(
                token.position, seen: "\(token.description) again", expected: "each key once")
        }
        if let rule, rule.template == .notFollowed, !rule.same.contains(key) {
            throw RuleProblem(
                token.position, seen: token.description,
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
            throw RuleProblem(
                token.position, seen: token.description,
                expected: "a whole number from 1 to 1000000")
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
