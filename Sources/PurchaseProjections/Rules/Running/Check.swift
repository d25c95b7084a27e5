import PurchaseEvents

/// Runs rules over a log.
///
/// Events are handed to the rules that read their type, and to no others. Checking is a fold: it
/// may be copied and continued.
public struct Check {
    /// What the log attests.
    public private(set) var facts: Facts
    private var runners: RuleRunners

    /// A check of rules at the beginning of a log whose names are in a table.
    ///
    /// - Parameter limit: how many findings a rule keeps, the first by line; 0 keeps all.
    public init(_ rules: [any Rule.Type] = RuleCatalogue.all, names: NameTable, limit: Int = 0) {
        facts = Facts(names: names)
        runners = RuleRunners(rules.map { $0.runner(limit: limit) }, names: names)
    }

    /// Reads lines of the log, whatever they are: cheaper than line by line, and the same.
    public mutating func observe(_ lines: ReadLines) {
        makeUnique()
        for line in lines {
            if let event = line.eventPlace {
                observeUniquely(event.pointee, on: Line(line))
            } else if line.diagnostic != nil {
                facts.observeNotUnderstood(LineNumber(line.number))
                runners.observeNotUnderstood(LineNumber(line.number), facts)
            }
        }
        runners.alone.observe(lines)
    }

    /// Takes the rules about lines alone out, to be given all the lines by somebody else, perhaps
    /// on another thread and before; the check itself gives them none any more, and has their
    /// reports at the end.
    ///
    /// - Precondition: a check whose rules were taken out isn't copied before it is finished.
    public mutating func takeLineRules() -> LineRules {
        makeUnique()
        return runners.takeAlone()
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
        makeUnique()
        observeUniquely(event, on: line)
        runners.alone.observe(event, on: line, facts)
    }

    // Not inlined: its caller's copy of the event is the one that the rules see.
    @inline(never)
    private mutating func observeUniquely(_ event: Event<Interned>, on line: Line) {
        facts.observeUniquely(event, on: line)
        runners.observe(event, on: line, facts)
    }

    /// Reads a line that was not understood.
    public mutating func observeNotUnderstood(_ line: LineNumber) {
        facts.observeNotUnderstood(line)
        makeUnique()
        runners.observeNotUnderstood(line, facts)
        runners.alone.observeNotUnderstood(line, facts)
    }

    /// The end of the log: the report of each rule, in the order of the catalogue.
    ///
    /// - Parameter threads: on how many the rules are asked; what they answer is the same.
    public mutating func finish(threads: Int = 1) -> [(rule: any Rule.Type, report: Report)] {
        makeUnique()
        return runners.finish(facts, threads: threads)
    }

    /// Copies the rules and the facts where a copy of the check has them too.
    @inline(__always)
    private mutating func makeUnique() {
        facts.makeUnique()
        if !isKnownUniquelyReferenced(&runners) { runners = runners.copy() }
    }
}
