import PurchaseEvents

/// A rule as a ``Check`` runs it: a value of any type, which needs no static description.
///
/// Each event is passed on by a static call that the compiler specializes for the type: one call,
/// without reference counting or exclusivity checks.
package protocol RunningRule: Sendable, Snapshotted {
    /// Reads an event that `facts` already include.
    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report)

    /// Reads a line that was not understood.
    mutating func observeNotUnderstood(_ line: LineNumber, facts: Facts, report: inout Report)

    /// Reports findings that only the end of the log can decide.
    mutating func finish(facts: Facts, report: inout Report)

    /// Passes an event to the rule at a place.
    ///
    /// The default fits every rule; the requirement makes the compiler specialize the call for each
    /// rule.
    ///
    /// - Precondition: The rule at the place is of this type.
    static func observe(_ event: LogEvent, on line: Line, _ facts: Facts, at place: RulePlace)
}

extension RunningRule {
    /// The default: does nothing.
    package mutating func observeNotUnderstood(
        _ line: LineNumber, facts: Facts, report: inout Report
    ) {}

    /// The default: the rule has no state.
    package mutating func visitFields(_ visitor: FieldVisitor) {}
}

/// A rule of this package, for which the compiler specializes each call from a ``Check``.
package protocol CatalogueRule: Rule, RunningRule {
    /// Whether the rule is also called for each event with an `id` or a `source`, of any type.
    static var readsKeys: Bool { get }
    /// The lines of a log that the rule must check together to find every violation.
    static var scope: RuleScope { get }

    /// Creates the runner that a ``Check`` uses.
    ///
    /// The default fits every rule; the requirement makes the compiler specialize the runner for
    /// each rule.
    static func runner(_ info: RuleInfo, limit: Int) -> RuleRunner
}

extension CatalogueRule {
    /// The default: the rule reads no keys of the envelope.
    package static var readsKeys: Bool { false }

    /// The default: lines that share a name.
    package static var scope: RuleScope { .part }

    /// Creates the rule at the beginning of a log, with a report of at most `limit` findings; 0
    /// keeps all.
    package static func runner(_ info: RuleInfo, limit: Int) -> RuleRunner {
        RuleRunner(Self(), Report(info, limit: limit), info, reads, readsKeys: readsKeys)
    }
}

struct ForeignRule<R: Rule>: RunningRule {
    private var rule = R()

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        rule.observe(event, on: line, facts: facts, report: &report)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        rule.finish(facts: facts, report: &report)
    }

    mutating func visitFields(_ visitor: FieldVisitor) {
        guard var state = rule as? any Snapshotted else { return }
        state.visitFields(visitor)
        if let rule = state as? R { self.rule = rule }
    }
}

/// A rule of any type with its report.
package final class RuleRunner {
    typealias RuleReport = (rule: RuleInfo, report: Report)

    let reads: EventTypes
    let readsKeys: Bool
    /// The call that passes on an event; valid as long as the runner lives.
    let call: RuleCall
    /// Passes on a batch of lines; `nil` unless the rule is a line rule.
    let observeLines: ((ReadLines, NameTable) -> Void)?
    /// Passes on a line that was not understood, and the end of the log.
    let observeNotUnderstood: (LineNumber, Facts) -> Void
    let finish: (Facts) -> RuleReport
    /// Removes and returns the findings so far.
    let takeFindings: () -> [Finding]
    let copy: () -> RuleRunner
    let visitFields: (FieldVisitor) -> Void

    // Inlined, so that each rule gets specialized closures.
    @inline(__always)
    convenience init<R: RunningRule>(
        _ rule: R, _ report: Report, _ info: RuleInfo, _ reads: EventTypes,
        readsKeys: Bool = false
    ) {
        self.init(RuleState(rule, report), info, reads, readsKeys, observeLines: nil) {
            RuleRunner($0, $1, info, reads, readsKeys: readsKeys)
        }
    }

    @inline(__always)
    convenience init<R: LineRule>(lineRule rule: R, _ report: Report, _ info: RuleInfo) {
        let state = RuleState(rule, report)
        let place = state.place
        self.init(
            state, info, R.reads, R.readsKeys,
            observeLines: { place.pointee.rule.observe($0, $1, &place.pointee.report) }
        ) { RuleRunner(lineRule: $0, $1, info) }
    }

    @inline(__always)
    private init<R: RunningRule>(
        _ state: RuleState<R>, _ info: RuleInfo, _ reads: EventTypes, _ readsKeys: Bool,
        observeLines: ((ReadLines, NameTable) -> Void)?,
        copy: @escaping (R, Report) -> RuleRunner
    ) {
        // The place lives as long as the state, which one of the closures holds.
        let place = state.place
        (self.reads, self.readsKeys) = (reads, readsKeys)
        self.observeLines = observeLines
        call = RuleCall(place)
        observeNotUnderstood = {
            place.pointee.rule.observeNotUnderstood($0, facts: $1, report: &place.pointee.report)
        }
        finish = { facts in
            place.pointee.rule.finish(facts: facts, report: &place.pointee.report)
            place.pointee.report.close()
            return (info, place.pointee.report)
        }
        takeFindings = { place.pointee.report.takeFindings() }
        visitFields = {
            place.pointee.rule.visitFields($0)
            place.pointee.report.visitFields($0)
        }
        self.copy = { copy(state.place.pointee.rule, state.place.pointee.report) }
    }
}

/// A call of a rule: only the rule's type and place, so that successive rules are called without
/// further look-ups.
///
/// The only initializer takes both from one type, so no call needs to check that they fit.
struct RuleCall {
    private let rule: any RunningRule.Type
    private let place: RulePlace

    fileprivate init<R: RunningRule>(_ place: UnsafeMutablePointer<RuleAndReport<R>>) {
        rule = R.self
        self.place = RulePlace(address: place)
    }

    @inline(__always)
    func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        rule.observe(event, on: line, facts, at: place)
    }
}

/// The address of a rule and its report, which only a ``RuleCall`` of the rule's type makes and
/// passes on.
///
/// Valid as long as the rule's ``RuleRunner`` lives.
package struct RulePlace {
    fileprivate let address: UnsafeMutableRawPointer
}

extension RunningRule {
    package static func observe(
        _ event: LogEvent, on line: Line, _ facts: Facts, at place: RulePlace
    ) {
        let state = place.address.assumingMemoryBound(to: RuleAndReport<Self>.self)
        state.pointee.rule.observe(event, on: line, facts: facts, report: &state.pointee.report)
    }
}

private struct RuleAndReport<R> {
    var rule: R
    var report: Report
}

/// A rule and its report at a stable address.
private final class RuleState<R> {
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
