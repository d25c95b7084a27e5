import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// The rules in docs/own-rules.md, read from the page: each holds for one log and finds something
/// in another.
struct OwnRulesPageTests {
    private static func page() throws -> String {
        String(
            decoding: try Folders.bytes(of: Folders.root.appending(path: "docs/own-rules.md")),
            as: UTF8.self)
    }

    /// The rules between the marks on the page.
    private static func rules() throws -> [CheckedRule] {
        let parts = try page().components(separatedBy: "```rules\n").dropFirst()
        return try parts.flatMap { part in
            try RuleFiles.rules(part.components(separatedBy: "```")[0])
        }
    }

    @Test func `each rule of the page holds for one log and finds something in another`() throws {
        let rules = try OwnRulesPageTests.rules()
        #expect(rules.count >= 13)
        let file = StoryFile(
            url: StoryFile.folder.appending(path: "RuleFiles/own-rules-page.stories"))
        let stories = try file.stories()
        #expect(
            stories.map(\.title).sorted()
                == rules.flatMap { ["\($0.info.id) finds something", "\($0.info.id) holds"] }
                .sorted())
        for story in stories {
            let rule = try #require(rules.first { story.title.hasPrefix($0.info.id + " ") })
            let timeline = Timeline(story.lines.joined(separator: "\n"))
            let report = try RuleFiles.check(timeline.bytes, [rule])[0].report
            let pins = report.findings.map { Timeline.Pin(line: Int($0.line), rule: $0.rule) }
            #expect(pins == timeline.expected, "\(story.title)")
            #expect(pins.isEmpty == story.title.hasSuffix(" holds"), "\(story.title)")
            #expect(!pins.isEmpty || report.verdict == .holds, "\(story.title)")
        }
    }

    @Test func `the page lists each rule of the catalogue, as one that text can say or can't`()
        throws
    {
        let page = try OwnRulesPageTests.page()
        let start = try #require(page.range(of: "## The catalogue in this language"))
        let section = String(page[start.upperBound...])
        let file = String(
            decoding: try Folders.bytes(of: Folders.root.appending(path: "docs/catalogue.rules")),
            as: UTF8.self)
        for rule in RuleCatalogue.all {
            let isSaid = file.contains("rule \(rule.id)-1:")
            #expect(section.contains("\n- `\(rule.id)`\n") == isSaid, "\(rule.id)")
            #expect(section.contains("`\(rule.id)`"), "\(rule.id)")
        }
    }

    @Test func `the error on the page is the error of the file`() throws {
        let text = "rule x: error\n  each queue.purchsed never happens"
        do throws(RuleFileError) {
            _ = try WrittenRule.rules(of: Array(text.utf8), file: "team.rules")
            Issue.record("no error")
        } catch {
            #expect(try OwnRulesPageTests.page().contains("\n\(error.description)\n"))
        }
    }
}
