import PurchaseEvents
import PurchaseProjections

/// The findings of one rule over all logs of a run, counted.
struct RuleTally: Sendable {
    let rule: RuleInfo
    private(set) var tested = 0
    private(set) var counts: [Level: Int] = [:]
    /// The reasons why the rule can't tell, at most 8; empty if it can.
    private(set) var because: [String] = []

    init(_ rule: RuleInfo) { self.rule = rule }

    var findings: Int { counts.values.reduce(0, +) }

    /// Adds the rule's report on a log; `findings` are those that count, `nil` for all of the
    /// report, and `log` is the name to put before each reason, if there are several logs.
    mutating func add(_ report: Report, counting findings: [Level: Int]?, log: String?) {
        tested += report.tested
        counts.merge(findings ?? report.counts, uniquingKeysWith: +)
        for reason in report.because where because.count < 8 {
            let reason = log.map { "\($0): \(reason)" } ?? reason
            if !because.contains(reason) { because.append(reason) }
        }
    }

    mutating func visitCounts(_ visitor: FieldVisitor) { visitor.visit(&counts) }

    /// Counts a finding of a log whose report comes later.
    mutating func count(_ finding: Finding) { counts[finding.level, default: 0] += 1 }

    /// The verdict over all the logs; findings that are only notes don't violate a rule.
    var verdict: Verdict {
        if counts[.error, default: 0] > 0 || counts[.warning, default: 0] > 0 { return .violated }
        if !because.isEmpty { return .undetermined }
        return tested > 0 ? .holds : .vacuous
    }

    /// The outcome of a rule for human readers, who don't call it violated for notes alone.
    enum Outcome: String, CaseIterable {
        case holds = "hold"
        case errors = "with errors"
        case warnings = "with warnings"
        case notes = "with notes"
        case undetermined = "undetermined"
        case vacuous = "vacuous"
    }

    /// The outcome, from the most severe finding or else from the verdict.
    var outcome: Outcome {
        if counts[.error, default: 0] > 0 { return .errors }
        if counts[.warning, default: 0] > 0 { return .warnings }
        if verdict == .undetermined { return .undetermined }
        if counts[.note, default: 0] > 0 { return .notes }
        return verdict == .vacuous ? .vacuous : .holds
    }

    /// Whether the rule makes `check` end with status 1.
    func fails(strictly isStrict: Bool) -> Bool {
        counts[.error, default: 0] > 0 || (isStrict && counts[.warning, default: 0] > 0)
    }
}

extension [Finding] {
    var counts: [Level: Int] { reduce(into: [:]) { $0[$1.level, default: 0] += 1 } }
}
