import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// The findings of each rule in its smallest log, as a user reads them.
struct FindingTextTests {
    @Test func `the findings of every violation read as they should`() throws {
        var text = "What each rule finds in its smallest log, events/violations/<id>.jsonl.\n"
        for rule in RuleCatalogue.all {
            text += "\n\(rule.id)\n"
            for finding in try FindingTextTests.findings(of: rule) {
                text += FindingTextTests.text(of: finding)
            }
        }
        try expectGolden(text, "findings.txt")
    }

    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `a finding says what was seen, what was expected, and what to look at`(
        _ id: String
    ) throws {
        let rule = try #require(RuleCatalogue.find(id))
        for finding in try FindingTextTests.findings(of: rule) {
            #expect(finding.message.contains("expected "), "\(finding.message)")
            #expect(finding.hint != nil)
            let texts = [finding.message] + finding.notes.map(\.message) + [finding.hint ?? ""]
            for text in texts {
                #expect(!text.hasSuffix("."), "\(text)")
                #expect(text.first.map { !$0.isUppercase || text.hasPrefix("App Store") } ?? true)
            }
            #expect(!finding.notes.contains { $0.line == finding.line }, "\(finding.notes)")
            #expect(!finding.notes.contains { $0.line == 0 }, "\(finding.notes)")
            // The proof reads: let …, then …, but … .
            for note in finding.notes {
                #expect(note.message.hasPrefix("let ") || note.message.hasPrefix("then "))
            }
            if let account = finding.account {
                #expect(texts.contains { $0.contains(account) }, "who? \(finding.message)")
            }
        }
    }

    private static func findings(of rule: any Rule.Type) throws -> [Finding] {
        let file = Folders.events.appending(path: "violations/\(rule.id).jsonl")
        return try check(Folders.bytes(of: file), [rule]).flatMap { $0.report.findings }
    }

    private static func text(of finding: Finding) -> String {
        var lines = ["\(finding.line): \(finding.level.rawValue): \(finding.message)"]
        lines += finding.notes.map { "  \($0.line): \($0.message)" }
        if let hint = finding.hint { lines.append("  hint: \(hint)") }
        let account = finding.account ?? "nobody named"
        lines.append("  account: \(account), key: \(finding.key ?? "none")")
        return lines.map { "  \($0)\n" }.joined()
    }
}
