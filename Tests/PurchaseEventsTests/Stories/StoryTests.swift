import Foundation
import PurchaseProjections
import Testing

/// The stories of the rules: a file for each rule, `RULE.stories`.
///
/// A story is its title after `# `, a history in the language of ``Timeline`` with its pinned
/// findings, and a blank line. `rules: ID, …` before the history names the rules, if they are not
/// the file's alone, and `verdict: VERDICT` the verdict to expect.
@Suite struct StoryTests {
    @Test(arguments: StoryFile.all) func `each story ends as it is pinned`(_ file: StoryFile) throws
    {
        for story in try file.stories() {
            let reports = try Timeline(story.history).reports(story.rules).map(\.report)
            let found = reports.flatMap(\.findings)
            let pins = found.map { Timeline.Pin(line: Int($0.line), rule: $0.rule) }
            let told = found.map { "\($0.line) \($0.level) [\($0.rule)] \($0.message)" }
            let place = "\(file): \(story.title)\n"
            #expect(
                pins.sorted() == Timeline(story.history).expected.sorted(),
                "\(place)\(told.joined(separator: "\n"))")
            guard let verdict = story.verdict else { continue }
            #expect(reports.map(\.verdict) == [verdict], "\(place)")
        }
    }

    @Test func `a file that names no rule, or no verdict, is refused`() {
        for text in ["# a\nrules: no-such-rule\nx", "# a\nverdict: good\nx", "x"] {
            #expect(throws: StoryFile.Mistake.self) {
                try StoryFile.stories(in: text, of: "lifecycle")
            }
        }
    }
}

/// A file of stories.
struct StoryFile: Sendable, CustomStringConvertible {
    struct Story {
        var title: String
        var rules: [any Rule.Type]
        var verdict: Verdict?
        var history: String
    }

    /// What is wrong with a story.
    struct Mistake: Error {
        var text: String
    }

    static let folder = Folders.root.appending(path: "Tests/PurchaseEventsTests/Stories/Rules")
    static let all = Folders.files(in: folder, "stories").map { StoryFile(url: $0) }

    let url: URL
    var description: String { url.lastPathComponent }

    func stories() throws -> [Story] {
        let rule = url.deletingPathExtension().lastPathComponent
        return try StoryFile.stories(in: String(contentsOf: url, encoding: .utf8), of: rule)
    }

    static func stories(in text: String, of rule: String) throws -> [Story] {
        try text.split(separator: "\n\n").map { try story($0.split(separator: "\n"), of: rule) }
    }

    private static func story(_ lines: [Substring], of rule: String) throws -> Story {
        guard let title = lines.first?.wholeMatch(of: /# (.+)/)?.1 else {
            throw Mistake(text: "expected `# ` and a title, seen \(lines.first ?? "nothing")")
        }
        var story = Story(title: String(title), rules: [], history: "")
        var names = [rule]
        for line in lines.dropFirst() {
            if let all = line.wholeMatch(of: /rules: (.+)/)?.1 {
                names = all.split(separator: ", ").map(String.init)
            } else if let word = line.wholeMatch(of: /verdict: (.+)/)?.1 {
                guard let verdict = Verdict(rawValue: String(word)) else {
                    throw Mistake(text: "\(title): \(word) is no verdict")
                }
                story.verdict = verdict
            } else {
                story.history += line + "\n"
            }
        }
        story.rules = try names.map { name in
            guard let rule = RuleCatalogue.all.first(where: { $0.id == name }) else {
                throw Mistake(text: "\(title): there is no rule \(name)")
            }
            return rule
        }
        return story
    }
}
