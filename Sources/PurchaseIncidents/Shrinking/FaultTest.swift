import PurchaseEvents
import PurchaseProjections

/// Decides whether a smaller log still shows a fault, and no fault that the whole log lacks.
struct FaultTest {
    let target: TargetFinding
    /// The rules that the whole log violates at error level, and the fault's own rule.
    let broken: Set<String>
    /// The number of lines of the whole log that were not understood.
    let notUnderstood: Int

    init(_ target: TargetFinding, in findings: [Finding], notUnderstood: Int) {
        self.target = target
        broken = Set(findings.filter { $0.level == .error }.map(\.rule)).union([target.rule.id])
        self.notUnderstood = notUnderstood
    }

    /// Whether the lines show the fault, violate no further rule at error level, and have at most
    /// `notUnderstood` lines that aren't understood.
    func holds(_ lines: LogLines) throws -> Bool {
        guard try lines.findings([target.rule]).contains(where: target.isShown) else {
            return false
        }
        let decoder = LineDecoder()
        var check = Check(RuleCatalogue.all, names: decoder.names)
        try lines.read(decoder) { check.observe($0) }
        guard check.facts.notUnderstoodCount <= notUnderstood else { return false }
        return check.finish().allSatisfy { rule, report in
            broken.contains(rule.id) || report.counts[.error, default: 0] == 0
        }
    }
}
