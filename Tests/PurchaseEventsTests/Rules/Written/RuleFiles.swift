import PurchaseEvents
import PurchaseProjections

/// Helpers of the rule file tests.
enum RuleFiles {
    /// The rules of a file named `own.rules`.
    static func rules(_ text: String) throws -> [CheckedRule] {
        try WrittenRule.rules(of: Array(text.utf8), file: "own.rules").map { CheckedRule($0) }
    }

    /// The only rule of a text without its heading.
    static func rule(_ body: String, _ level: Level = .error) throws -> CheckedRule {
        try rules("rule own-rule: \(level.rawValue)\n\(body)\n")[0]
    }

    /// The reports of rules for a log.
    static func check(
        _ bytes: [UInt8], _ rules: [CheckedRule]
    ) throws -> [(rule: RuleInfo, report: Report)] {
        let reader = LogReader()
        var check = Check(of: rules, names: reader.decoder.names)
        try reader.read(MemorySource(bytes)) { line in
            check.observe(line)
            return true
        }
        return check.finish()
    }
}
