import Foundation
import PurchaseEvents
@testable import PurchaseProjections
import TestSupport
import Testing

/// An unreadable line may have stated anything, so no rule blames anyone for what it hides.
struct UnreadableLineTests {
    @Test(arguments: ["valid", "violations"])
    func `a line made unreadable adds no error of the delivery and log rules`(
        _ folder: String
    ) throws {
        for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            let lines = try Folders.bytes(of: file).split(separator: 0x0A).map { Array($0) }
            let whole = try errors(of: lines)
            for hidden in lines.indices {
                var torn = lines
                torn[hidden] = Array("unreadable".utf8)
                let new = try errors(of: torn).subtracting(whole)
                #expect(new.isEmpty, "\(file.lastPathComponent) without line \(hidden + 1)")
            }
        }
    }

    /// The errors and warnings of a log, as rule and line.
    private func errors(of lines: [[UInt8]]) throws -> Set<String> {
        let rules = RuleCatalogue.delivery + RuleCatalogue.log
        let findings = try check(lines.flatMap { $0 + [0x0A] }, rules)
            .flatMap { $0.report.findings }
        return Set(findings.filter { $0.level != .note }.map { "\($0.rule) \($0.line)" })
    }
}
