import PurchaseEvents

/// The rules of a check with their reports, in one place that is shared until it is written to.
///
/// A rule is reached by one virtual call, without a reference counted or an access checked.
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
            readers[index]._withUnsafeGuaranteedRef { $0.observe(event, on: line, facts) }
        }
    }
}

/// A rule with its report, whatever its type.
class RuleRunner {
    let reads: EventTypes
    let readsKeys: EnvelopeKeys

    init(_ rule: any Rule.Type) {
        reads = rule.reads
        readsKeys = rule.readsKeys
    }

    /// A runner of a rule at the beginning of a log.
    static func run<R: Rule>(_ rule: R.Type, limit: Int) -> RuleRunner {
        RunnerOf(R(), Report(rule, limit: limit))
    }

    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {}
    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {}
    /// The report at the end of the log.
    func finish(_ facts: Facts) -> (rule: any Rule.Type, report: Report) {
        preconditionFailure("a runner is of a rule")
    }
    func copy() -> RuleRunner { preconditionFailure("a runner is of a rule") }
}

/// The runner of one type of rule: the rule and its report, each where it never moves.
private final class RunnerOf<R: Rule>: RuleRunner {
    private let rule: UnsafeMutablePointer<R>
    private let report: UnsafeMutablePointer<Report>

    init(_ rule: R, _ report: Report) {
        self.rule = .allocate(capacity: 1)
        self.rule.initialize(to: rule)
        self.report = .allocate(capacity: 1)
        self.report.initialize(to: report)
        super.init(R.self)
    }

    deinit {
        rule.deinitialize(count: 1)
        rule.deallocate()
        report.deinitialize(count: 1)
        report.deallocate()
    }

    override func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        rule.pointee.observe(event, on: line, facts, &report.pointee)
    }

    override func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        rule.pointee.observeNotUnderstood(line, facts, &report.pointee)
    }

    override func finish(_ facts: Facts) -> (rule: any Rule.Type, report: Report) {
        rule.pointee.finish(facts, &report.pointee)
        report.pointee.close()
        return (R.self, report.pointee)
    }

    override func copy() -> RuleRunner { RunnerOf(rule.pointee, report.pointee) }
}
