import Foundation
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

/// Each rule has a page, which says what the catalogue says.
struct RulePageTests {
    private static let folder = Folders.root.appending(path: "docs/rules")
    private static let rules = RuleCatalogue.all.map { RuleInfo($0) }

    private func expect(_ text: String, at name: String) throws {
        let file = RulePageTests.folder.appending(path: name)
        let golden = try GoldenFile.text(at: file, for: text)
        #expect(golden == text, "docs/rules/\(name) isn't current: see CONTRIBUTING.md")
    }

    @Test(arguments: rules) func `a page is current`(_ rule: RuleInfo) throws {
        let text = RulePage.text(of: rule)
        #expect(!text.contains("\n\n\n"), "\(rule.id): every section says something")
        try expect(text, at: "\(rule.id).md")
    }

    @Test func `the list is current, and there is no other page`() throws {
        try expect(RulePage.index(of: RulePageTests.rules), at: "README.md")
        let expected = Set(RulePageTests.rules.map { "\($0.id).md" } + ["README.md"])
        for file in Folders.files(in: RulePageTests.folder, "md")
        where !expected.contains(file.lastPathComponent) {
            if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
                try FileManager.default.removeItem(at: file)
            } else {
                Issue.record("docs/rules/\(file.lastPathComponent) is about no rule")
            }
        }
    }

    @Test(arguments: rules) func `the evidence of a rule has words`(_ rule: RuleInfo) {
        for code in rule.evidence { #expect(Evidence.words(code) != nil, "\(code)") }
    }

    @Test func `the tool says where a rule's page is`() throws {
        let host = TestHost()
        #expect(Tool.run(["rules", "finished-once"], on: host) == .well)
        let page = "https://github.com/OWNER/purchase-events/blob/main/docs/rules/finished-once.md"
        #expect(host.output.contains("\npage: \(page)\n"))
        let sarif = try TestHost.samples("valid")
        _ = Tool.run(["check", "--format=sarif", "events/valid"], on: sarif)
        #expect(sarif.output.contains("\"helpUri\":\"\(page)\""))
        #expect(Tool.page(ofRule: "a-rule-of-my-own") == nil)
    }
}
