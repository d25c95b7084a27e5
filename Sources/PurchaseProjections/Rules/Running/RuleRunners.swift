import PurchaseEvents

/// The rules of a check and their reports, shared by copies until one of them is written to.
///
/// Calling a rule takes one call, without reference counting or exclusivity checks.
final class RuleRunners {
    private let all: [RuleRunner]
    /// The line rules; empty after they were taken out.
    private(set) var lineRules: LineRules
    private var isWhole = true
    private let names: NameTable
    /// The rules to call for each event, except line rules, and their calls in the plan's order.
    private let plan: RulePlan
    private let calls: UnsafeMutableBufferPointer<RuleCall>

    convenience init(_ all: [RuleRunner], names: NameTable) { self.init(all, RulePlan(all), names) }

    private init(_ all: [RuleRunner], _ plan: RulePlan, _ names: NameTable) {
        self.all = all
        lineRules = LineRules(of: all, names)
        self.plan = plan
        self.names = names
        calls = .allocate(capacity: plan.readers.count)
        _ = calls.initialize(from: plan.readers.map { all[$0].call })
    }

    deinit { calls.deallocate() }

    func copy() -> RuleRunners {
        precondition(isWhole, "a check whose line rules were taken out can't be copied")
        return RuleRunners(all.map { $0.copy() }, plan, names)
    }

    func takeLineRules() -> LineRules {
        defer { (lineRules, isWhole) = (LineRules(of: [], names), false) }
        return lineRules
    }

    /// The final report of each rule, computed on the given number of threads.
    func finish(_ facts: Facts, threads: Int) -> [RuleRunner.RuleReport] {
        concurrentMap(all.count, threads: threads) { all[$0].finish(facts) }
    }

    /// Removes the findings so far; returns them with the indices of their rules, in that order.
    func takeFindings() -> [(rule: Int, finding: Finding)] {
        var taken: [(rule: Int, finding: Finding)] = []
        for (index, runner) in all.enumerated() {
            for finding in runner.takeFindings() { taken.append((index, finding)) }
        }
        return taken
    }

    func visitFields(_ visitor: FieldVisitor) { for runner in all { runner.visitFields(visitor) } }

    /// Passes an event to the rules that read its type, except line rules.
    @inline(__always)
    func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        let kind = RulePlan.kind(event.type, hasKeys: event.source != nil || event.id != nil)
        var (reader, end) = (plan.starts[kind], plan.starts[kind &+ 1])
        while reader < end {
            calls[reader].observe(event, on: line, facts)
            reader &+= 1
        }
    }

    /// Passes on a line that was not understood, except to line rules.
    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        for runner in all where runner.observeLines == nil {
            runner.observeNotUnderstood(line, facts)
        }
    }
}
