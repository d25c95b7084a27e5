import PurchaseEvents
import PurchaseProjections

/// What one rule has found over all the logs of a run.
struct RuleTally: Sendable {
    let rule: RuleInfo
    /// How often the rule was tested.
    private(set) var tested = 0
    /// The number of findings by level.
    private(set) var counts: [Level: Int] = [:]
    /// Why the rule is undetermined; empty where it isn't.
    private(set) var because: [String] = []

    init(_ rule: RuleInfo) { self.rule = rule }

    /// The number of findings.
    var findings: Int { counts.values.reduce(0, +) }

    /// Adds what the rule found in a log.
    ///
    /// - Parameters:
    ///   - findings: the findings that count, where not all of the report's do.
    ///   - log: the name to put before each reason, where there are several logs.
    mutating func add(_ report: Report, counting findings: [Finding]?, log: String?) {
        tested += report.tested
        if let findings {
            for finding in findings { count(finding) }
        } else {
            counts.merge(report.counts, uniquingKeysWith: +)
        }
        for reason in report.because where because.count < 8 {
            let reason = log.map { "\($0): \(reason)" } ?? reason
            if !because.contains(reason) { because.append(reason) }
        }
    }

    /// Counts a finding of a log whose report comes later.
    mutating func count(_ finding: Finding) { counts[finding.level, default: 0] += 1 }

    /// The verdict over all the logs. Findings that are only notes don't violate a rule.
    var verdict: Verdict {
        if counts[.error, default: 0] > 0 || counts[.warning, default: 0] > 0 { return .violated }
        if !because.isEmpty { return .undetermined }
        return tested > 0 ? .holds : .vacuous
    }

    /// How a rule came out of a run, for people: a rule is not called violated where its findings
    /// are only notes.
    enum Outcome: String, CaseIterable {
        case holds = "hold"
        case errors = "with errors"
        case warnings = "with warnings"
        case notes = "with notes"
        case undetermined = "undetermined"
        case vacuous = "vacuous"
    }

    /// The outcome by the gravest finding, else by the verdict.
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
