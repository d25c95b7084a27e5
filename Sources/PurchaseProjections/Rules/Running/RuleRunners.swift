import PurchaseEvents

/// The rules of a check and their reports, shared by copies until one of them is written to.
///
/// Calling a rule takes one call, without reference counting or exclusivity checks.
final class RuleRunners {
    private let all: [RuleRunner]
    /// The line rules; empty after they were taken out.
    private(set) var alone: LineRules
    private var isWhole = true
    private let names: NameTable
    /// Which of the other rules to call for each event.
    private let plan: RulePlan
    /// The calls of all rules, contiguous.
    private let calls: UnsafeMutableBufferPointer<RuleCall>

    convenience init(_ all: [RuleRunner], names: NameTable) {
        self.init(all, RulePlan(all), names)
    }

    private init(_ all: [RuleRunner], _ plan: RulePlan, _ names: NameTable) {
        self.all = all
        alone = LineRules(of: all, names)
        self.plan = plan
        self.names = names
        calls = .allocate(capacity: all.count)
        _ = calls.initialize(from: all.map(\.call))
    }

    deinit { calls.deallocate() }

    /// Copies the rules and their reports.
    func copy() -> RuleRunners {
        precondition(isWhole, "a check whose rules were taken out isn't copied")
        return RuleRunners(all.map { $0.copy() }, plan, names)
    }

    /// Removes and returns the line rules.
    func takeAlone() -> LineRules {
        defer { (alone, isWhole) = (LineRules(of: [], names), false) }
        return alone
    }

    /// The final report of each rule, computed on the given number of threads.
    func finish(_ facts: Facts, threads: Int) -> [RuleRunner.Answer] {
        concurrentMap(all.count, threads: threads) { all[$0].finish(facts) }
    }

    /// Passes an event to the rules that read its type, except line rules.
    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        let kind = RulePlan.kind(event.type, EnvelopeKeys(event))
        var (reader, end) = (plan.starts[kind], plan.starts[kind &+ 1])
        while reader < end {
            calls[Int(plan.readers[reader])].observe(event, on: line, facts)
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

/// A rule of any type with its report; created by ``Rule/runner(limit:)``.
public final class RuleRunner {
    typealias Answer = (rule: any Rule.Type, report: Report)

    let reads: EventTypes
    let readsKeys: EnvelopeKeys
    /// Passes on an event. Valid as long as the runner.
    let call: RuleCall
    /// Passes on a batch of lines; `nil` unless the rule is a line rule.
    let observeLines: ((ReadLines, NameTable) -> Void)?
    /// Passes on a line that was not understood, and the end of the log.
    let observeNotUnderstood: (LineNumber, Facts) -> Void
    let finish: (Facts) -> Answer
    let copy: () -> RuleRunner

    // Inlined, so that each rule gets specialized closures.
    @inline(__always)
    convenience init<R: Rule>(_ rule: R, _ report: Report) {
        self.init(RuleState(rule, report), observeLines: nil) { RuleRunner($0, $1) }
    }

    /// Creates the runner of a line rule.
    @inline(__always)
    convenience init<R: LineRule>(alone rule: R, _ report: Report) {
        let state = RuleState(rule, report)
        let place = state.place
        self.init(
            state, observeLines: { place.pointee.rule.observe($0, $1, &place.pointee.report) }
        ) { RuleRunner(alone: $0, $1) }
    }

    @inline(__always)
    private init<R: Rule>(
        _ state: RuleState<R>, observeLines: ((ReadLines, NameTable) -> Void)?,
        copy: @escaping (R, Report) -> RuleRunner
    ) {
        // The place lives as long as the state, which one of the closures holds.
        let place = state.place
        reads = R.reads
        self.observeLines = observeLines
        readsKeys = R.readsKeys
        call = RuleCall(rule: R.self, place: RulePlace(place))
        observeNotUnderstood = {
            place.pointee.rule.observeNotUnderstood($0, $1, &place.pointee.report)
        }
        finish = { facts in
            place.pointee.rule.finish(facts, &place.pointee.report)
            place.pointee.report.close()
            return (R.self, place.pointee.report)
        }
        self.copy = { copy(state.place.pointee.rule, state.place.pointee.report) }
    }
}

/// A call of a rule: only the rule's type and place, so that successive rules are called without
/// further look-ups.
struct RuleCall {
    let rule: any Rule.Type
    let place: RulePlace

    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        rule.observe(event, on: line, facts, at: place)
    }
}

/// The address and type of a rule and its report.
///
/// Valid as long as the rule's ``RuleRunner``, and only for that type: the memory is read as the
/// type that the caller names, and only debug builds check that the types match.
public struct RulePlace {
    fileprivate let address: UnsafeMutableRawPointer
    fileprivate let rule: Any.Type

    fileprivate init<R: Rule>(_ place: UnsafeMutablePointer<RuleAndReport<R>>) {
        address = UnsafeMutableRawPointer(place)
        rule = R.self
    }
}

extension Rule {
    /// Creates the rule at the beginning of a log, with a report of at most `limit` findings; 0
    /// keeps all.
    public static func runner(limit: Int) -> RuleRunner {
        RuleRunner(Self(), Report(Self.self, limit: limit))
    }

    /// Passes an event to the rule at a place.
    ///
    /// - Precondition: The rule at the place is of this type. Only debug builds check this, because
    ///   the call is made for every event; in other builds, another rule's place is undefined
    ///   behaviour.
    public static func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, at place: RulePlace
    ) {
        assert(place.rule == Self.self, "expected \(Self.self) there, seen \(place.rule)")
        let state = place.address.assumingMemoryBound(to: RuleAndReport<Self>.self)
        state.pointee.rule.observe(event, on: line, facts, &state.pointee.report)
    }
}

private struct RuleAndReport<R: Rule> {
    var rule: R
    var report: Report
}

/// A rule and its report at a stable address.
private final class RuleState<R: Rule> {
    let place: UnsafeMutablePointer<RuleAndReport<R>>

    init(_ rule: R, _ report: Report) {
        place = .allocate(capacity: 1)
        place.initialize(to: RuleAndReport(rule: rule, report: report))
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }
}
