@testable import PurchaseEvents
@testable import PurchaseProjections

/// Reads arbitrary bytes as a rule file: the result is rules, or an error with a position in the
/// file.
enum RuleFuzz {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
        do throws(RuleFileError) {
            let rules = try WrittenRule.rules(of: bytes, file: "rules", taken: [])
            precondition(!rules.isEmpty && rules.count <= lines, "a line has at most one rule")
        } catch {
            precondition((1...lines).contains(error.line) && error.column >= 1, "a position")
            precondition(!error.seen.isEmpty && !error.expected.isEmpty, "an error says something")
        }
    }
}
