import PurchaseEvents

struct ParsedRule: Sendable {
    var id: String
    var idPosition: RulePosition
    var level: Level
    var syntax: RuleSyntax
}

/// Parses the tokens of a rule file by recursive descent.
///
/// The parser checks everything that can be wrong, and throws the first error with its position, so
/// a parsed rule always runs.
struct RuleParser {
    fileprivate let tokens: [RuleToken]
    fileprivate var place = 0

    static func rules(of bytes: [UInt8]) throws(RuleProblem) -> [ParsedRule] {
        var parser = RuleParser(tokens: try RuleLexer.tokens(of: bytes))
        var rules: [ParsedRule] = []
        while parser.place < parser.tokens.count { rules.append(try parser.rule()) }
        guard !rules.isEmpty else {
            throw RuleProblem(
                RulePosition(line: 1, column: 1), seen: "a file without a rule",
                expected: "`rule ID: error`, `warning` or `note`, and a body")
        }
        return rules
    }

    private init(tokens: [RuleToken]) { self.tokens = tokens }

    private mutating func rule() throws(RuleProblem) -> ParsedRule {
        try expect("rule")
        let name = next()
        guard name.kind == .word, RuleParser.isID(name.text) else {
            throw RuleProblem(
                name,
                expected: "an id in kebab-case, such as `delivered-within-a-day`")
        }
        try expect(":")
        let word = next()
        guard word.kind == .word, let level = Level(rawValue: word.text.lowercased()) else {
            throw RuleProblem(word, "a level", among: ["error", "warning", "note"])
        }
        let syntax = try body()
        return ParsedRule(id: name.text, idPosition: name.position, level: level, syntax: syntax)
    }

    private static func isID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
        return isPlain && bytes.count <= 64 && (0x61...0x7A).contains(bytes[0])
            && bytes.last != UInt8(ascii: "-") && !text.contains("--")
    }

    private mutating func body() throws(RuleProblem) -> RuleSyntax {
        if take("at") { return try atMost() }
        try expect("each", among: ["each", "at most"])
        var rule = RuleSyntax(template: .never, each: try event())
        let wanted = try conditions(&rule) + ["is", "never"]
        if take("never") {
            try expect("happens")
            try end(["the end of the rule"])
            return rule
        }
        try expect("is", among: wanted)
        let isNegative = take("not")
        let isResponse = take("followed")
        if !isResponse {
            try expect("preceded", among: (isNegative ? [] : ["not"]) + ["followed", "preceded"])
        }
        try expect("by")
        rule.template = isNegative ? .notPreceded : .preceded
        if isResponse { rule.template = isNegative ? .notFollowed : .followed }
        return try clauses(rule)
    }

    /// Parses the conditions on other events after `each E`; returns the clauses that could come
    /// next.
    private mutating func conditions(_ rule: inout RuleSyntax) throws(RuleProblem) -> [String] {
        var others = [rule.each.spelling.isEmpty ? "where" : "and", "after", "in a log with"]
        if take("after") {
            repeat {
                rule.after.append(try joined(to: rule.each))
            } while takeAndAfter()
            others = ["and after", "in a log with"]
        }
        if take("in") {
            for word in ["a", "log", "with"] { try expect(word) }
            rule.log = try event()
            others = []
        }
        return others
    }

    private mutating func clauses(_ start: RuleSyntax) throws(RuleProblem) -> RuleSyntax {
        var rule = start
        let other = try event()
        rule.other = other
        rule.same = try same(rule.each, other)
        rule.relation = try relation(rule, other, among: RuleRelation.Order.allCases)
        if rule.hasExtreme {
            try end([])
            return rule
        }
        rule.within = try span()
        if take("before") { rule.before = try joined(to: rule.each, within: rule) }
        if take("unless") {
            let unless = try joined(to: rule.each, within: rule)
            rule.unless = unless
            try expect(
                "comes",
                among: (unless.same.isEmpty ? ["of the same"] : ["and"]) + ["comes between"])
            try expect("between")
        }
        try end(rule.missingClauses)
        return rule
    }

    private mutating func atMost() throws(RuleProblem) -> RuleSyntax {
        try expect("most")
        let token = next()
        guard token.kind == .word, let count = Int(token.text), (1...1_000).contains(count) else {
            throw RuleProblem(token, expected: "a number from 1 to 1000")
        }
        var rule = RuleSyntax(template: .atMost(count), each: try event())
        rule.same = try same(rule.each, rule.each)
        rule.relation = try relation(rule, rule.each, among: [.different])
        rule.within = try span()
        try end(rule.missingClauses)
        return rule
    }
}

// Reads tokens.
extension RuleParser {
    mutating func next() -> RuleToken {
        defer { place = min(place + 1, tokens.count) }
        return current
    }

    var current: RuleToken {
        if place < tokens.count { return tokens[place] }
        return RuleToken(
            kind: .end, text: "",
            position: tokens.last?.position ?? RulePosition(line: 1, column: 1))
    }

    /// Consumes a word or sign if it comes next, ignoring case; returns whether it did.
    mutating func take(_ word: String) -> Bool {
        let token = current
        guard token.kind == .word || token.kind == .sign, token.text.lowercased() == word else {
            return false
        }
        place += 1
        return true
    }

    /// Whether two words come next, ignoring case.
    func isNext(_ word: String, followedBy second: String) -> Bool {
        guard place + 1 < tokens.count else { return false }
        return tokens[place].text.lowercased() == word
            && tokens[place + 1].text.lowercased() == second
    }

    /// Consumes an `and` that doesn't begin `and after`.
    mutating func takeAnd() -> Bool { !isNext("and", followedBy: "after") && take("and") }

    mutating func takeAndAfter() -> Bool {
        isNext("and", followedBy: "after") && take("and") && take("after")
    }

    mutating func expect(_ word: String, among words: [String]? = nil) throws(RuleProblem) {
        guard !take(word) else { return }
        throw RuleProblem(current, "", among: words ?? [word])
    }

    /// Consumes the end of a rule; `expected` lists what else could come here.
    mutating func end(_ expected: [String]) throws(RuleProblem) {
        let token = next()
        guard token.kind != .end else { return }
        let words = expected.filter { $0 != "the end of the rule" }
        let list = words.isEmpty ? "" : RuleProblem.list(words) + ", or "
        throw RuleProblem(
            token,
            expected: list + "a blank line at the end of the rule",
            nearest: NearestWord.find(token.text, in: words))
    }
}

extension RuleSyntax {
    /// The clauses that could still follow the rule's last one.
    fileprivate var missingClauses: [String] {
        guard unless == nil else { return [] }
        let hasBefore = other != nil
        if let before { return (before.same.isEmpty ? ["of the same"] : ["and"]) + ["unless"] }
        let clauses = hasBefore ? ["before", "unless"] : []
        if within != nil { return clauses }
        let last = other ?? each
        let condition = last.spelling.isEmpty ? "where" : "and"
        if relation != nil { return ["within"] + clauses }
        return (same.isEmpty ? [condition, "of the same"] : ["and"]) + ["within"] + clauses
    }

    /// Whether the rule looks back for the latest or the earliest time of all earlier events, so
    /// that no limit can follow.
    fileprivate var hasExtreme: Bool {
        guard let relation, relation.order != .different else { return false }
        return template != .followed
    }
}
