import PurchaseEvents
import PurchaseProjections

/// The findings of a log that a run knew at its end, so that a later one can tell new ones.
///
/// A finding is known by its rule, line, level, key and account: its words may change as the log
/// grows. Of several with one name, as many are known as there were.
struct PrintedFindings: Snapshotted {
    private var known: [UInt64: Int] = [:]
    private var now: [UInt64: Int] = [:]

    /// Reads what the last run knew, or writes what this one knows.
    mutating func visitFields(_ visitor: FieldVisitor) {
        if visitor.isReading { visitor.visit(&known) } else { visitor.visit(&now) }
    }

    mutating func add(_ findings: [Finding]) {
        for finding in findings { now[PrintedFindings.name(finding), default: 0] += 1 }
    }

    /// Whether the last run didn't know a finding; call it once for each, in order.
    mutating func isNew(_ finding: Finding) -> Bool {
        let name = PrintedFindings.name(finding)
        guard let count = known[name], count > 0 else { return true }
        known[name] = count - 1
        return false
    }

    private static func name(_ finding: Finding) -> UInt64 {
        let words = [
            finding.rule, "\(finding.line)", finding.level.rawValue, finding.key ?? "",
            finding.account ?? "",
        ]
        let digest = SHA256.hash(Array(words.joined(separator: "\n").utf8))
        return UInt64(digest.words[0]) << 32 | UInt64(digest.words[1])
    }
}
