import PurchaseEvents
import PurchaseProjections

/// What a rule has answered over all the logs of a run.
struct RuleTally: Sendable {
    let rule: any Rule.Type
    /// How often it was put to the test.
    private(set) var tested = 0
    /// How many findings it had, by level.
    private(set) var counts: [Level: Int] = [:]
    /// Why it can't tell, where it can't.
    private(set) var because: [String] = []

    init(_ rule: any Rule.Type) { self.rule = rule }

    /// How many findings it had.
    var findings: Int { counts.values.reduce(0, +) }

    /// Adds what it answered for a log.
    ///
    /// - Parameters:
    ///   - account: counts the findings of this account alone; the report must keep all.
    ///   - log: names the log in the reasons, where there are several.
    mutating func add(_ report: Report, account: String?, log: String?) {
        tested += report.tested
        if let account {
            for finding in report.findings where finding.account?.exact == account.exact {
                counts[finding.level, default: 0] += 1
            }
        } else {
            counts.merge(report.counts, uniquingKeysWith: +)
        }
        for reason in report.because where because.count < 8 {
            let reason = log.map { "\($0): \(reason)" } ?? reason
            if !because.contains(reason) { because.append(reason) }
        }
    }

    /// What it answers for all the logs together.
    var verdict: Verdict {
        let grave: [Level] = rule.level == .note ? Level.allCases : [.warning, .error]
        if grave.contains(where: { counts[$0, default: 0] > 0 }) { return .violated }
        if !because.isEmpty { return .undetermined }
        return tested > 0 ? .holds : .vacuous
    }

    /// Whether it makes `check` fail.
    func fails(strictly isStrict: Bool) -> Bool {
        counts[.error, default: 0] > 0 || (isStrict && counts[.warning, default: 0] > 0)
    }
}
