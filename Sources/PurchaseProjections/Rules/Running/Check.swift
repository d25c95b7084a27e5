import PurchaseEvents

/// Runs rules over a log.
///
/// Each event goes only to the rules that read its type. A check is a fold: a copy can be continued
/// separately.
public struct Check {
    /// The facts that the log states.
    public private(set) var facts: Facts
    private var runners: RuleRunners
    /// The greatest `at` of the whole log, if this check reads a part of one; otherwise `nil`.
    private let endOfWhole: Timestamp?

    /// Creates a check at the beginning of a log with the given name table.
    ///
    /// - Parameters:
    ///   - rules: The rules to run.
    ///   - names: The table of the names in the lines.
    ///   - limit: The number of findings that each rule keeps, first by line; 0 keeps all.
    public init(_ rules: [any Rule.Type] = RuleCatalogue.all, names: NameTable, limit: Int = 0) {
        self.init(of: rules.map { CheckedRule($0) }, names: names, limit: limit)
    }

    /// Creates a check of rules of any origin at the beginning of a log.
    ///
    /// - Parameters:
    ///   - rules: The rules to run.
    ///   - names: The table of the names in the lines.
    ///   - limit: The number of findings that each rule keeps, first by line; 0 keeps all.
    ///   - endOfWhole: For a part of a log, the greatest `at` of the whole log; rules use that
    ///     time to decide what has ended. See ``CheckedRule/ofPart``.
    public init(
        of rules: [CheckedRule], names: NameTable, limit: Int = 0, endOfWhole: Timestamp? = nil
    ) {
        self.endOfWhole = endOfWhole
        facts = Facts(names: names)
        runners = RuleRunners(rules.map { $0.runner(limit) }, names: names)
    }

    /// Reads lines of the log, including those not understood; faster than one by one, with the
    /// same result.
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
        runners.lineRules.observe(lines)
    }

    /// Removes and returns the line rules, so that another thread can pass them all lines.
    ///
    /// That thread may run ahead of the check. The check no longer passes lines to these rules, but
    /// includes their reports at the end.
    ///
    /// - Precondition: The check is not copied between this call and its end.
    package mutating func takeLineRules() -> LineRules {
        makeUnique()
        return runners.takeLineRules()
    }

    /// Reads a line of the log, including one that was not understood.
    public mutating func observe(_ line: ReadLine) {
        if let event = line.eventPlace {
            observe(event.pointee, on: Line(line))
        } else if line.diagnostic != nil {
            observeNotUnderstood(LineNumber(line.number))
        }
    }

    /// Reads an event of the log.
    public mutating func observe(_ event: LogEvent, on line: Line) {
        makeUnique()
        observeUniquely(event, on: line)
        runners.lineRules.observe(event, on: line, facts)
    }

    // Not inlined, so that the rules read the caller's copy of the event.
    @inline(never)
    private mutating func observeUniquely(_ event: LogEvent, on line: Line) {
        facts.observeUniquely(event, on: line)
        runners.observe(event, on: line, facts)
    }

    /// Reads a line that was not understood.
    public mutating func observeNotUnderstood(_ line: LineNumber) {
        facts.observeNotUnderstood(line)
        makeUnique()
        runners.observeNotUnderstood(line, facts)
        runners.lineRules.observeNotUnderstood(line, facts)
    }

    /// Removes the findings so far and returns them, by rule; the reports still count them.
    ///
    /// The findings taken and the findings at the end are together those of a check that takes
    /// none.
    ///
    /// - Precondition: The check keeps all findings, and no line rules were taken out.
    public mutating func takeFindings() -> [(rule: Int, finding: Finding)] {
        makeUnique()
        return runners.takeFindings()
    }

    /// Visits the facts and the state of the rules; a check of the same rules at the beginning of a
    /// log can be read into.
    ///
    /// - Precondition: No other thread passes lines to line rules that were taken out.
    package mutating func visitFields(_ visitor: FieldVisitor) {
        facts.visitFields(visitor)
        if visitor.isReading { makeUnique() }
        runners.visitFields(visitor)
    }

    /// Ends the log and returns the report of each rule, in the order of the rules.
    ///
    /// - Parameter threads: The number of threads to use; the result does not depend on it.
    public mutating func finish(threads: Int = 1) -> [(rule: RuleInfo, report: Report)] {
        makeUnique()
        if let endOfWhole { facts.endNoEarlier(than: endOfWhole) }
        return facts.withSettledPeriods(threads: threads) {
            runners.finish($0, threads: threads)
        }
    }

    @inline(__always)
    private mutating func makeUnique() {
        facts.makeUnique()
        if !isKnownUniquelyReferenced(&runners) { runners = runners.copy() }
    }
}
