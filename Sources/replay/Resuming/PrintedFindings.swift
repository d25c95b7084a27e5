import PurchaseEvents
import PurchaseProjections

/// The findings of a log that the runs so far knew at their ends, so that a later one can tell new
/// ones.
///
/// A finding is known by its rule, line, level, key and account: its words may change as the log
/// grows. Of several with one name, as many are known as there were. A finding stays known while a
/// run can't tell whether it holds, as after a line that was cut short.
struct PrintedFindings: Snapshotted {
    private var known: [UInt64: Int] = [:]
    private var met: [UInt64: Int] = [:]
    private var now: [UInt64: Int] = [:]

    /// Reads what the runs before knew, or writes what they and this one know.
    mutating func visitFields(_ visitor: FieldVisitor) {
        if !visitor.isReading { known.merge(now, uniquingKeysWith: max) }
        visitor.visit(&known)
    }

    mutating func add(_ findings: [Finding]) {
        for finding in findings { now[PrintedFindings.name(finding), default: 0] += 1 }
    }

    /// Whether no run before knew a finding; call it once for each, in order.
    mutating func isNew(_ finding: Finding) -> Bool {
        let name = PrintedFindings.name(finding)
        met[name, default: 0] += 1
        return met[name, default: 0] > known[name, default: 0]
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
