import PurchaseEvents

/// The rules of a check with their reports, in one place that is shared until it is written to.
///
/// A rule is reached by one call, without a reference counted or an access checked.
final class RuleRunners {
    private let all: [RuleRunner]
    /// Those that are about lines alone.
    private let alone: [RuleRunner]
    /// The plan of the others.
    private let plan: RulePlan
    /// The runners, at hand without counting references.
    private let runners: UnsafeMutableBufferPointer<Unmanaged<RuleRunner>>

    convenience init(_ all: [RuleRunner]) { self.init(all, RulePlan(all)) }

    private init(_ all: [RuleRunner], _ plan: RulePlan) {
        self.all = all
        alone = all.filter { $0.observeLines != nil }
        self.plan = plan
        runners = .allocate(capacity: all.count)
        _ = runners.initialize(from: all.map { .passUnretained($0) })
    }

    deinit { runners.deallocate() }

    /// The same rules with the same findings, apart from these.
    func copy() -> RuleRunners { RuleRunners(all.map { $0.copy() }, plan) }

    /// The report of each rule at the end of the log, asked for on so many threads.
    func finish(_ facts: Facts, threads: Int) -> [RuleRunner.Answer] {
        concurrentMap(all.count, threads: threads) { all[$0].finish(facts) }
    }

    /// Hands an event to the rules that read its type, save those about lines alone.
    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        let kind = RulePlan.kind(event.type, EnvelopeKeys(event))
        for index in plan.starts[kind]..<plan.starts[kind &+ 1] {
            runners[plan.readers[index]]._withUnsafeGuaranteedRef { $0.observe(event, line, facts) }
        }
    }

    /// Hands a line that was not understood to the rules, save those about lines alone.
    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        for runner in all where runner.observeLines == nil {
            runner.observeNotUnderstood(line, facts)
        }
    }

    /// Hands lines to the rules that are about lines alone.
    func observe(_ lines: ReadLines, _ facts: Facts) {
        for runner in alone { runner.observeLines?(lines, facts.names) }
    }

    /// Hands an event to the rules that are about lines alone, and read its type.
    func observeAlone(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        for runner in alone where runner.reads.contains(event.type) {
            runner.observe(event, line, facts)
        }
    }

    /// Hands a line that was not understood to the rules that are about lines alone.
    func observeNotUnderstoodAlone(_ line: LineNumber, _ facts: Facts) {
        for runner in alone { runner.observeNotUnderstood(line, facts) }
    }
}

/// A rule with its report, whatever its type: ``Rule/runner(limit:)`` makes it.
public final class RuleRunner {
    typealias Observe = (Event<Interned>, Line, Facts) -> Void
    typealias Answer = (rule: any Rule.Type, report: Report)

    let reads: EventTypes
    let readsKeys: EnvelopeKeys
    /// Hands over lines in a row, where the rule is about lines alone.
    let observeLines: ((ReadLines, NameTable) -> Void)?
    /// Hands over an event, a line that was not understood, the end of the log.
    let observe: Observe
    let observeNotUnderstood: (LineNumber, Facts) -> Void
    let finish: (Facts) -> Answer
    let copy: () -> RuleRunner

    // Inlined, so that each rule has closures of its own, which call it or hold it whole.
    @inline(__always)
    convenience init<R: Rule>(_ rule: R, _ report: Report) {
        self.init(RuleState(rule, report), observeLines: nil) { RuleRunner($0, $1) }
    }

    /// As the other, of a rule that is about lines alone.
    @inline(__always)
    convenience init<R: LineRule>(alone rule: R, _ report: Report) {
        let state = RuleState(rule, report)
        let (rule, report) = (state.rule, state.report)
        self.init(state, observeLines: { rule.pointee.observe($0, $1, &report.pointee) }) {
            RuleRunner(alone: $0, $1)
        }
    }

    @inline(__always)
    private init<R: Rule>(
        _ state: RuleState<R>, observeLines: ((ReadLines, NameTable) -> Void)?,
        copy: @escaping (R, Report) -> RuleRunner
    ) {
        // The pointers live as long as the state, which one of the closures holds.
        let (rule, report) = (state.rule, state.report)
        reads = R.reads
        self.observeLines = observeLines
        readsKeys = R.readsKeys
        observe = { rule.pointee.observe($0, on: $1, $2, &report.pointee) }
        observeNotUnderstood = { rule.pointee.observeNotUnderstood($0, $1, &report.pointee) }
        finish = { facts in
            rule.pointee.finish(facts, &report.pointee)
            report.pointee.close()
            return (R.self, report.pointee)
        }
        self.copy = { copy(state.rule.pointee, state.report.pointee) }
    }
}

extension Rule {
    /// The rule at the beginning of a log, and its report of at most `limit` findings, 0 for all.
    public static func runner(limit: Int) -> RuleRunner {
        RuleRunner(Self(), Report(Self.self, limit: limit))
    }
}

/// A rule and its report, each where it never moves.
private final class RuleState<R: Rule> {
    let rule: UnsafeMutablePointer<R>
    let report: UnsafeMutablePointer<Report>

    init(_ rule: R, _ report: Report) {
        self.rule = .allocate(capacity: 1)
        self.rule.initialize(to: rule)
        self.report = .allocate(capacity: 1)
        self.report.initialize(to: report)
    }

    deinit {
        rule.deinitialize(count: 1)
        rule.deallocate()
        report.deinitialize(count: 1)
        report.deallocate()
    }
}
