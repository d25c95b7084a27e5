import PurchaseEvents

/// The rules of a check with their reports, in one place that is shared until it is written to.
///
/// A rule is reached by one call, without a reference counted or an access checked.
final class RuleRunners {
    private let all: [RuleRunner]
    /// Those that are about lines alone; none where they were taken out.
    private(set) var alone: LineRules
    private var isWhole = true
    private let names: NameTable
    /// The plan of the others.
    private let plan: RulePlan
    /// The calls of the rules, side by side.
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

    /// The same rules with the same findings, apart from these.
    func copy() -> RuleRunners {
        precondition(isWhole, "a check whose rules were taken out isn't copied")
        return RuleRunners(all.map { $0.copy() }, plan, names)
    }

    /// Takes those out that are about lines alone.
    func takeAlone() -> LineRules {
        defer { (alone, isWhole) = (LineRules(of: [], names), false) }
        return alone
    }

    /// The report of each rule at the end of the log, asked for on so many threads.
    func finish(_ facts: Facts, threads: Int) -> [RuleRunner.Answer] {
        concurrentMap(all.count, threads: threads) { all[$0].finish(facts) }
    }

    /// Hands an event to the rules that read its type, save those about lines alone.
    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        let kind = RulePlan.kind(event.type, EnvelopeKeys(event))
        var (reader, end) = (plan.starts[kind], plan.starts[kind &+ 1])
        while reader < end {
            calls[Int(plan.readers[reader])].observe(event, on: line, facts)
            reader &+= 1
        }
    }

    /// Hands a line that was not understood to the rules, save those about lines alone.
    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        for runner in all where runner.observeLines == nil {
            runner.observeNotUnderstood(line, facts)
        }
    }
}

/// A rule with its report, whatever its type: ``Rule/runner(limit:)`` makes it.
public final class RuleRunner {
    typealias Answer = (rule: any Rule.Type, report: Report)

    let reads: EventTypes
    let readsKeys: EnvelopeKeys
    /// Hands over an event. It is valid as long as the runner.
    let call: RuleCall
    /// Hands over lines in a row, where the rule is about lines alone.
    let observeLines: ((ReadLines, NameTable) -> Void)?
    /// Hands over a line that was not understood, the end of the log.
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

/// What hands an event to a rule: no more than the rule's type and where it lies, so that the
/// rules of an event are called one after the other without looking further.
struct RuleCall {
    let rule: any Rule.Type
    let place: RulePlace

    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        rule.observe(event, on: line, facts, at: place)
    }
}

/// Where a rule lies with its report, and the type of that rule.
///
/// It is valid as long as the rule's ``RuleRunner``, and for that type alone: what lies there is
/// read as the type that is asked for, and a debug build alone holds the one against the other.
public struct RulePlace {
    fileprivate let address: UnsafeMutableRawPointer
    fileprivate let rule: Any.Type

    fileprivate init<R: Rule>(_ place: UnsafeMutablePointer<RuleAndReport<R>>) {
        address = UnsafeMutableRawPointer(place)
        rule = R.self
    }
}

extension Rule {
    /// The rule at the beginning of a log, and its report of at most `limit` findings, 0 for all.
    public static func runner(limit: Int) -> RuleRunner {
        RuleRunner(Self(), Report(Self.self, limit: limit))
    }

    /// Reads an event, of the rule that lies at a place.
    ///
    /// - Precondition: the rule at the place is of this type. As it is called for each event, only
    ///   a debug build checks it; in any other the place of another rule is undefined behaviour.
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

/// A rule and its report, where they never move.
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
