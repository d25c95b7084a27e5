import PurchaseEvents

/// Runs rules over a log.
///
/// Events are handed to the rules that read their type, and to no others. Checking is a fold: it
/// may be copied and continued.
public struct Check {
    /// What the log attests.
    public private(set) var facts: Facts
    private let types: [any Rule.Type]
    private var rules: [any Rule]
    private var reports: [Report]
    /// The indices of the rules that read a type, by the type.
    private let readers: [[Int]]

    /// A check of rules at the beginning of a log whose names are in a table.
    ///
    /// - Parameter limit: how many findings a rule keeps, the first by line; 0 keeps all.
    public init(_ rules: [any Rule.Type] = RuleCatalogue.all, names: NameTable, limit: Int = 0) {
        facts = Facts(names: names)
        types = rules
        self.rules = rules.map { $0.init() }
        reports = rules.map { Report($0, limit: limit) }
        readers = EventType.allCases.map { type in
            rules.indices.filter { rules[$0].reads.contains(type) }
        }
    }

    /// Reads a line of the log, whatever it is.
    public mutating func observe(_ line: ReadLine) {
        if let event = line.eventPlace {
            observe(event.pointee, on: Line(line))
        } else if line.diagnostic != nil {
            observeNotUnderstood(LineNumber(line.number))
        }
    }

    /// Reads an event of the log.
    public mutating func observe(_ event: Event<Interned>, on line: Line) {
        facts.observe(event, on: line)
        for index in readers[Int(event.type.rawValue)] {
            rules[index].observe(event, on: line, facts, &reports[index])
        }
    }

    /// Reads a line that was not understood.
    public mutating func observeNotUnderstood(_ line: LineNumber) {
        facts.observeNotUnderstood(line)
        for index in rules.indices {
            rules[index].observeNotUnderstood(line, facts, &reports[index])
        }
    }

    /// The end of the log: the report of each rule, in the order of the catalogue.
    public mutating func finish() -> [(rule: any Rule.Type, report: Report)] {
        for index in rules.indices {
            rules[index].finish(facts, &reports[index])
            reports[index].close()
        }
        return Array(zip(types, reports))
    }
}
