import PurchaseEvents

/// The rules of a check with their reports, in one place that is shared until it is written to.
///
/// A rule is reached by one call, without a reference counted or an access checked.
final class RuleRunners {
    let all: [RuleRunner]
    /// The rules that read an event, by its type and by which keys of the envelope it has; and
    /// where those of each begin.
    private let readers: UnsafeMutableBufferPointer<Unmanaged<RuleRunner>>
    private let starts: UnsafeMutableBufferPointer<Int>

    init(_ all: [RuleRunner]) {
        self.all = all
        let byType = EventType.allCases.flatMap { type in
            (0..<4).map { keys in
                all.filter {
                    $0.reads.contains(type)
                        || !$0.readsKeys.isDisjoint(with: EnvelopeKeys(rawValue: keys))
                }
            }
        }
        let count = byType.reduce(0) { $0 + $1.count }
        readers = .allocate(capacity: count)
        _ = readers.initialize(from: byType.joined().map { .passUnretained($0) })
        starts = .allocate(capacity: byType.count + 1)
        starts.initialize(repeating: 0)
        for (index, runners) in byType.enumerated() {
            starts[index + 1] = starts[index] + runners.count
        }
    }

    deinit {
        readers.deallocate()
        starts.deallocate()
    }

    /// The same rules with the same findings, apart from these.
    func copy() -> RuleRunners { RuleRunners(all.map { $0.copy() }) }

    /// Hands an event to the rules that read its type.
    @inline(__always)
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        let kind = Int(event.type.rawValue) &* 4 &+ Int(EnvelopeKeys(event).rawValue)
        for index in starts[kind]..<starts[kind &+ 1] {
            readers[index]._withUnsafeGuaranteedRef { $0.observe(event, line, facts) }
        }
    }
}

/// A rule with its report, whatever its type: ``Rule/runner(limit:)`` makes it.
public final class RuleRunner {
    typealias Observe = (Event<Interned>, Line, Facts) -> Void

    let reads: EventTypes
    let readsKeys: EnvelopeKeys
    /// Hands over an event, a line that was not understood, the end of the log.
    let observe: Observe
    let observeNotUnderstood: (LineNumber, Facts) -> Void
    let finish: (Facts) -> (rule: any Rule.Type, report: Report)
    let copy: () -> RuleRunner

    // Inlined, so that each rule has closures of its own, which call it or hold it whole.
    @inline(__always)
    init<R: Rule>(_ rule: R, _ report: Report) {
        let state = RuleState(rule, report)
        // The pointers live as long as the state, which one of the closures holds.
        let (rule, report) = (state.rule, state.report)
        reads = R.reads
        readsKeys = R.readsKeys
        observe = { rule.pointee.observe($0, on: $1, $2, &report.pointee) }
        observeNotUnderstood = { rule.pointee.observeNotUnderstood($0, $1, &report.pointee) }
        finish = { facts in
            rule.pointee.finish(facts, &report.pointee)
            report.pointee.close()
            return (R.self, report.pointee)
        }
        copy = { RuleRunner(state.rule.pointee, state.report.pointee) }
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
