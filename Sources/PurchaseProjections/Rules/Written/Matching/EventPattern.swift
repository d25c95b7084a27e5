import PurchaseEvents

/// A compiled ``EventPhrase``: a set of types, and numeric conditions.
struct EventPattern: Sendable, Snapshotted {
    private let types: EventTypes
    private var conditions: [CompiledCondition]
    private var earlier: [EarlierEvent]

    mutating func visitFields(_ visitor: FieldVisitor) {
        for index in conditions.indices { visitor.visit(&conditions[index]) }
        for index in earlier.indices { visitor.visit(&earlier[index]) }
    }

    /// Creates the pattern of a phrase.
    ///
    /// - Parameter after: The events that must come before a matching event. If there are any, pass
    ///   each event to the pattern exactly once.
    init(_ phrase: EventPhrase, after: [JoinedPhrase] = []) {
        types = phrase.types
        conditions = phrase.conditions.map { CompiledCondition($0, phrase.types) }
        earlier = after.map { EarlierEvent($0) }
    }

    @inline(__always)
    mutating func matches(_ event: LogEvent, on line: Line, _ facts: Facts) -> Bool {
        guard earlier.isEmpty else { return comesAfter(event, on: line, facts) }
        return meetsPhrase(event, on: line, facts)
    }

    /// Whether the pattern includes a type, whatever the conditions.
    @inline(__always)
    func hasType(_ type: EventType) -> Bool { types.contains(type) }

    private mutating func comesAfter(_ event: LogEvent, on line: Line, _ facts: Facts) -> Bool {
        var isMatch = meetsPhrase(event, on: line, facts)
        // An event doesn't come before itself, so judge it before storing it.
        for index in earlier.indices {
            isMatch = isMatch && earlier[index].precedes(event, facts)
            earlier[index].store(event, on: line, facts)
        }
        return isMatch
    }

    @inline(__always)
    private mutating func meetsPhrase(_ event: LogEvent, on line: Line, _ facts: Facts) -> Bool {
        guard types.contains(event.type) else { return false }
        return conditions.isEmpty || meetsConditions(event, on: line, facts)
    }

    private mutating func meetsConditions(
        _ event: LogEvent, on line: Line, _ facts: Facts
    ) -> Bool {
        for index in conditions.indices {
            guard conditions[index].isMet(by: event, on: line, facts) else { return false }
        }
        return true
    }
}

/// A condition with its words replaced by numbers.
private struct CompiledCondition: Sendable, Snapshotted {
    private enum Test: Sendable {
        case range(Int64, Int64)
        case numbers([Int64])
        /// Words of a closed list: for each event type, by its number, a bit for each position in
        /// the list.
        case words([UInt64])
        case name(NameRole)
        case text
        case absent
    }

    private let key: Key
    private let test: Test
    private let isNegative: Bool
    private let texts: [[UInt8]]
    /// Whether each name, by handle, is one of ``texts``: 0 means not yet known, 1 yes, 2 no.
    private var known = DenseTable<UInt8>(0)

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&known) }

    init(_ condition: RuleCondition, _ types: EventTypes) {
        key = condition.key
        var values: [String] = []
        var test: Test?
        var isNegative = false
        switch condition.test {
        case .among(let list): values = list
        case .outside(let list): (values, isNegative) = (list, true)
        case .less(let number): test = .range(.min, number.subtractingSaturating(1))
        case .atMost(let number): test = .range(.min, number)
        case .greater(let number): test = .range(number.addingSaturating(1), .max)
        case .atLeast(let number): test = .range(number, .max)
        case .absent: test = .absent
        }
        self.isNegative = isNegative
        texts = values.map { Array($0.utf8) }
        self.test = test ?? CompiledCondition.test(condition.key, values, types)
    }

    private static func test(_ key: Key, _ values: [String], _ types: EventTypes) -> Test {
        guard let kind = RuleKeys.kind(of: key, in: types) else { return .numbers([]) }
        switch kind {
        case .name(let role): return .name(role)
        case .id, .text: return .text
        case .flag: return .numbers(values.map { $0 == "true" ? 1 : 0 })
        case .currency:
            return .numbers(
                values.compactMap { Currency(code: $0).map { Int64(Currency.pack($0)) } })
        case .time, .integer:
            return .numbers(values.compactMap { RuleParser.number($0, kind) })
        case .word:
            return .words(
                EventType.allCases.map { type in
                    guard types.contains(type),
                        case .word(let list) = RuleKeys.kind(of: key, in: type)
                    else { return 0 }
                    return values.compactMap { list.firstIndex(of: $0) }
                        .reduce(0) { $0 | 1 << UInt64($1) }
                })
        }
    }

    mutating func isMet(by event: LogEvent, on line: Line, _ facts: Facts) -> Bool {
        guard let value = EventValues.value(key, event, facts) else {
            if case .absent = test { return true }
            return isNegative
        }
        let isPositive =
            switch test {
            case .absent: false
            case .range(let least, let greatest): value >= least && value <= greatest
            case .numbers(let numbers): numbers.contains(value)
            case .words(let words): words[Int(event.type.rawValue)] >> UInt64(value) & 1 != 0
            case .name(let role):
                isNamed(UInt32(truncatingIfNeeded: value), role, facts.names)
            case .text: texts.contains(CompiledCondition.text(value, on: line))
            }
        return isPositive != isNegative
    }

    private mutating func isNamed(_ handle: UInt32, _ role: NameRole, _ names: NameTable) -> Bool {
        let before = known[Int(handle)]
        if before != 0 { return before == 1 }
        let isNamed = names.withBytes(of: handle, role) { name in
            texts.contains { $0.elementsEqual(name) }
        }
        known[Int(handle)] = isNamed ? 1 : 2
        return isNamed
    }

    /// The unescaped bytes of a text at a place of its line.
    private static func text(_ place: Int64, on line: Line) -> [UInt8] {
        let start = Int(place >> 32), count = Int(place & 0xFFFF_FFFF)
        guard start + count <= line.bytes.count else { return [] }
        let bytes = Array(line.bytes[start..<start + count])
        guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        guard let value = try? JSONReader.document(quoted) else { return bytes }
        guard case .string(let text) = value.content else { return bytes }
        return Array(text.utf8)
    }
}
