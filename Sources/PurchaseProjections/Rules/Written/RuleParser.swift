import PurchaseEvents

/// A rule of a rule file with its heading.
struct ParsedRule: Sendable {
    var id: String
    var idPosition: RulePosition
    var level: Level
    var syntax: RuleSyntax
}

/// Parses the tokens of a rule file, by recursive descent. What can be wrong in a rule is told
/// here, with its place: a parsed rule runs.
struct RuleParser {
    private let tokens: [RuleToken]
    private var place = 0

    /// The rules of a file.
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
                name.position, seen: name.description,
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
        let each = try event()
        if take("never") {
            try expect("happens")
            try end(["the end of the rule"])
            return RuleSyntax(template: .never, each: each)
        }
        try expect("is", among: (each.spelling.isEmpty ? ["where"] : ["and"]) + ["is", "never"])
        let isNegative = take("not")
        let isResponse = take("followed")
        if !isResponse {
            try expect(
                "preceded", among: (isNegative ? [] : ["not"]) + ["followed", "preceded"])
        }
        try expect("by")
        var template: RuleSyntax.Template = isNegative ? .notPreceded : .preceded
        if isResponse { template = isNegative ? .notFollowed : .followed }
        return try clauses(RuleSyntax(template: template, each: each))
    }

    private mutating func clauses(_ start: RuleSyntax) throws(RuleProblem) -> RuleSyntax {
        var rule = start
        let other = try event()
        rule.other = other
        rule.same = try same(rule.each, other) ?? []
        rule.within = try span()
        if take("before") {
            let event = try event()
            let keys = try same(rule.each, event, within: rule) ?? []
            rule.before = JoinedPhrase(event: event, same: keys)
        }
        if take("unless") {
            let event = try event()
            let keys = try same(rule.each, event, within: rule) ?? []
            rule.unless = JoinedPhrase(event: event, same: keys)
            try expect(
                "comes", among: (keys.isEmpty ? ["of the same"] : ["and"]) + ["comes between"])
            try expect("between")
        }
        try end(rule.missingClauses)
        return rule
    }

    private mutating func atMost() throws(RuleProblem) -> RuleSyntax {
        try expect("most")
        let token = next()
        guard token.kind == .word, let count = Int(token.text), (1...1_000).contains(count) else {
            throw RuleProblem(
                token.position, seen: token.description, expected: "a number from 1 to 1000")
        }
        var rule = RuleSyntax(template: .atMost(count), each: try event())
        rule.same = try same(rule.each, rule.each) ?? []
        rule.within = try span()
        try end(rule.missingClauses)
        return rule
    }
}

// Events and their conditions.
extension RuleParser {
    private mutating func event() throws(RuleProblem) -> EventPhrase {
        let token = next()
        guard token.kind == .word, let types = RuleParser.types(token.text) else {
            throw RuleProblem(token, "a type of event or a family", among: RuleParser.typeNames)
        }
        var phrase = EventPhrase(name: token.text, types: types)
        guard take("where") else { return phrase }
        repeat { try condition(&phrase) } while take("and")
        return phrase
    }

    /// The types of a name: one type, a family with `*`, or all for `*` alone.
    private static func types(_ name: String) -> EventTypes? {
        if name == "*" { return .all }
        if let type = EventType(wireName: name) { return EventTypes(type) }
        guard name.hasSuffix(".*") else { return nil }
        let family = EventType.allCases.filter { $0.wireName.hasPrefix(name.dropLast()) }
        guard !family.isEmpty else { return nil }
        return family.reduce(into: EventTypes()) { $0.insert(EventTypes($1)) }
    }

    private static let typeNames: [String] = {
        let types = EventType.allCases.map(\.wireName)
        let families = types.compactMap { $0.split(separator: ".").first.map { "\($0).*" } }
        return types + Array(Set(families)).sorted()
    }()

    private mutating func condition(_ phrase: inout EventPhrase) throws(RuleProblem) {
        let token = next()
        let names = RuleKeys.names(in: phrase.types)
        guard token.kind == .word,
            let key = Key.allCases.first(where: { $0.wireName == token.text }),
            let kind = RuleKeys.kind(of: key, in: phrase.types)
        else {
            throw RuleProblem(token, "a key of \(phrase.name)", among: names)
        }
        let (test, words) = try test(key, kind, phrase)
        phrase.spelling.append("\(key.wireName) \(words)")
        guard key == .type else {
            phrase.conditions.append(RuleCondition(key: key, test: test))
            return
        }
        // A condition on the type selects types and costs nothing when the rule runs.
        let named: ([String]) -> EventTypes = { names in
            names.reduce(into: EventTypes()) { types, name in
                if let more = RuleParser.types(name) { types.formUnion(more) }
            }
        }
        switch test {
        case .among(let names): phrase.types.formIntersection(named(names))
        case .outside(let names): phrase.types.subtract(named(names))
        case .absent: phrase.types = EventTypes()
        case .less, .atMost, .greater, .atLeast: break
        }
        guard phrase.types.isEmpty else { return }
        throw RuleProblem(
            token.position, seen: "conditions that no type of \(phrase.name) meets",
            expected: "at least one type that can")
    }

    /// The test behind a key, and how the file spells it.
    private mutating func test(
        _ key: Key, _ kind: FieldKind, _ phrase: EventPhrase
    ) throws(RuleProblem) -> (RuleCondition.Test, String) {
        if take("is") {
            try expect("absent")
            return (.absent, "is absent")
        }
        if take("in") {
            try expect("(")
            var values: [String] = [], words: [String] = []
            repeat {
                let (value, word) = try value(key, kind, phrase)
                values.append(value)
                words.append(word)
            } while take(",")
            try expect(")", among: [",", ")"])
            return (.among(values), "in (\(words.joined(separator: ", ")))")
        }
        let sign = next()
        let isOrdered = RuleParser.isOrdered(kind)
        let signs = ["=", "!="] + (isOrdered ? ["<", "<=", ">", ">="] : []) + ["in", "is absent"]
        guard sign.kind == .sign, signs.contains(sign.text) else {
            throw RuleProblem(
                sign.position, seen: sign.description,
                expected: RuleProblem.list(signs) + " after `\(key.wireName)`")
        }
        let (value, word) = try value(key, kind, phrase)
        let words = "\(sign.text) \(word)"
        let number = RuleParser.number(value, kind)
        if sign.text == "<", let number { return (.less(number), words) }
        if sign.text == "<=", let number { return (.atMost(number), words) }
        if sign.text == ">", let number { return (.greater(number), words) }
        if sign.text == ">=", let number { return (.atLeast(number), words) }
        return (sign.text == "!=" ? .outside([value]) : .among([value]), words)
    }

    private static func isOrdered(_ kind: FieldKind) -> Bool {
        switch kind {
        case .time, .integer: true
        case .name, .id, .text, .flag, .currency, .word: false
        }
    }

    /// A number or a time as the number that events hold.
    static func number(_ value: String, _ kind: FieldKind) -> Int64? {
        switch kind {
        case .time: Timestamp(dayOrTime: value)?.milliseconds
        case .integer: Int64(value)
        case .name, .id, .text, .flag, .currency, .word: nil
        }
    }

    /// A value that a key can have, and how the file spells it.
    private mutating func value(
        _ key: Key, _ kind: FieldKind, _ phrase: EventPhrase
    ) throws(RuleProblem) -> (String, String) {
        let token = next()
        guard token.kind == .word || token.kind == .quoted else {
            throw RuleProblem(
                token.position, seen: token.description,
                expected: "a value of `\(key.wireName)`")
        }
        let word = token.kind == .quoted ? RuleParser.quoted(token.text) : token.text
        if key == .type {
            guard RuleParser.types(token.text) != nil else {
                throw RuleProblem(token, "a type of event", among: RuleParser.typeNames)
            }
            return (token.text, word)
        }
        let problem = RuleParser.problem(token, key, kind)
        if let problem { throw problem }
        return (token.text, word)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(escaped.joined())\""
    }

    /// Why a key can't have a value; `nil` where it can.
    private static func problem(
        _ token: RuleToken, _ key: Key, _ kind: FieldKind
    ) -> RuleProblem? {
        let text = token.text
        var expected = ""
        switch kind {
        case .name, .id, .text: return nil
        case .word(let words):
            guard !words.contains(text) else { return nil }
            return RuleProblem(token, "a word of `\(key.wireName)`", among: words)
        case .flag:
            guard text != "true", text != "false" else { return nil }
            return RuleProblem(token, "a flag", among: ["true", "false"])
        case .time:
            guard Timestamp(dayOrTime: text) == nil else { return nil }
            expected = "a time such as 2026-02-20T09:00:00Z or a day such as 2026-02-20"
        case .integer(let range):
            guard Int64(text) == nil else { return nil }
            expected = "a whole number"
            if range.lowerBound >= 0 { expected += " of at least \(range.lowerBound)" }
        case .currency:
            guard Currency(code: text) == nil else { return nil }
            expected = "three capital letters, such as EUR"
        }
        return RuleProblem(token.position, seen: token.description, expected: expected)
    }
}

// Keys and spans.
extension RuleParser {
    /// The keys behind `of the same`; `nil` where the file names none.
    ///
    /// - Parameter rule: The rule whose clause this is, for a clause of a negative rule, which can
    ///   only name keys that join its two events.
    private mutating func same(
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

    /// The words of a span, each with its length in milliseconds; 0 for launches.
    private static let units: [(words: [String], milliseconds: Int64)] = [
        (["seconds", "second"], Timestamp.second), (["minutes", "minute"], Timestamp.minute),
        (["hours", "hour"], Timestamp.hour), (["days", "day"], Timestamp.day),
        (["launches", "launch"], 0),
    ]

    private mutating func span() throws(RuleProblem) -> RuleSpan? {
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

// Tokens.
extension RuleParser {
    private mutating func next() -> RuleToken {
        defer { place = min(place + 1, tokens.count) }
        return current
    }

    private var current: RuleToken {
        if place < tokens.count { return tokens[place] }
        return RuleToken(
            kind: .end, text: "",
            position: tokens.last?.position ?? RulePosition(line: 1, column: 1))
    }

    /// Whether a word or sign comes next, which is taken; words in upper and lower case alike.
    private mutating func take(_ word: String) -> Bool {
        let token = current
        guard token.kind == .word || token.kind == .sign, token.text.lowercased() == word else {
            return false
        }
        place += 1
        return true
    }

    private mutating func expect(
        _ word: String, among words: [String]? = nil
    ) throws(RuleProblem) {
        guard !take(word) else { return }
        throw RuleProblem(current, "", among: words ?? [word])
    }

    /// Ends a rule; `expected` lists what else could have come.
    private mutating func end(_ expected: [String]) throws(RuleProblem) {
        let token = next()
        guard token.kind != .end else { return }
        let words = expected.filter { $0 != "the end of the rule" }
        let list = words.isEmpty ? "" : RuleProblem.list(words) + ", or "
        throw RuleProblem(
            token.position, seen: token.description,
            expected: list + "a blank line at the end of the rule",
            nearest: NearestWord.find(token.text, in: words))
    }
}

extension RuleSyntax {
    /// The words that could still follow the rule's last clause.
    fileprivate var missingClauses: [String] {
        guard unless == nil else { return [] }
        let hasBefore = other != nil
        if let before { return (before.same.isEmpty ? ["of the same"] : ["and"]) + ["unless"] }
        let clauses = hasBefore ? ["before", "unless"] : []
        if within != nil { return clauses }
        let last = other ?? each
        let condition = last.spelling.isEmpty ? "where" : "and"
        return (same.isEmpty ? [condition, "of the same"] : ["and"]) + ["within"] + clauses
    }
}
