import PurchaseEvents

// Parses events and their conditions.
extension RuleParser {
    mutating func event() throws(RuleProblem) -> EventPhrase {
        let token = next()
        guard token.kind == .word, let types = RuleParser.types(token.text) else {
            throw RuleProblem(token, "a type of event or a family", among: RuleParser.typeNames)
        }
        var phrase = EventPhrase(name: token.text, types: types)
        guard take("where") else { return phrase }
        repeat { try condition(&phrase) } while takeAnd()
        return phrase
    }

    /// The types that a name selects: one type, a family with `*`, or all types for `*` alone.
    static func types(_ name: String) -> EventTypes? {
        if name == "*" { return .all }
        if let type = EventType(wireName: name) { return EventTypes(type) }
        guard name.hasSuffix(".*") else { return nil }
        let family = EventType.allCases.filter { $0.wireName.hasPrefix(name.dropLast()) }
        guard !family.isEmpty else { return nil }
        return family.reduce(into: EventTypes()) { $0.insert(EventTypes($1)) }
    }

    static let typeNames: [String] = {
        let types = EventType.allCases.map(\.wireName)
        let families = types.compactMap { $0.split(separator: ".").first.map { "\($0).*" } }
        return types + Array(Set(families)).sorted()
    }()

    private mutating func condition(_ phrase: inout EventPhrase) throws(RuleProblem) {
        let token = next()
        guard token.kind == .word,
            let key = Key.allCases.first(where: { $0.wireName == token.text }),
            let kind = RuleKeys.kind(of: key, in: phrase.types)
        else {
            let names = RuleKeys.names(in: phrase.types)
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

    /// The test that follows a key, and its spelling in the file.
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
                sign, expected: RuleProblem.list(signs) + " after `\(key.wireName)`")
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

    /// A number or a time as the number that events store.
    static func number(_ value: String, _ kind: FieldKind) -> Int64? {
        switch kind {
        case .time: Timestamp(dayOrTime: value)?.milliseconds
        case .integer: Int64(value)
        case .name, .id, .text, .flag, .currency, .word: nil
        }
    }

    /// A value that the key accepts, and its spelling in the file.
    private mutating func value(
        _ key: Key, _ kind: FieldKind, _ phrase: EventPhrase
    ) throws(RuleProblem) -> (String, String) {
        let token = next()
        guard token.kind == .word || token.kind == .quoted else {
            throw RuleProblem(token, expected: "a value of `\(key.wireName)`")
        }
        let word = token.kind == .quoted ? RuleParser.quoted(token.text) : token.text
        if key == .type {
            guard RuleParser.types(token.text) != nil else {
                throw RuleProblem(token, "a type of event", among: RuleParser.typeNames)
            }
            return (token.text, word)
        }
        if let problem = RuleParser.problem(token, key, kind) { throw problem }
        return (token.text, word)
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(escaped.joined())\""
    }

    /// The reason why a key can't have a value; `nil` if the key can.
    private static func problem(_ token: RuleToken, _ key: Key, _ kind: FieldKind) -> RuleProblem? {
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
        return RuleProblem(token, expected: expected)
    }
}
