import PurchaseEvents
import PurchaseProjections
import Testing

/// The stories of the rules: a file for each rule, `Rules/RULE.stories`.
///
/// A story is a history in the language of ``Timeline`` with its pinned findings. Before the
/// history, `rules: ID, …` names the rules, if they are not the file's alone; lines after `| ` are
/// the body of the rule `own-rule` of a rule file; and `verdict: VERDICT`, `tested: N` and
/// `because: REASON` are about the rule's report. Below a pin, a line after two spaces is about the
/// finding: `level: LEVEL`, `message: MESSAGE`, `account: NAME`, `key: NAME`, `seq: N`,
/// `hint: HINT`, `notes: LINE, …` or `note LINE: MESSAGE`.
struct RuleStoryTests {
    @Test(arguments: StoryFile.all(in: "Rules"))
    func `each story ends as it is pinned`(_ file: StoryFile) throws {
        for story in try file.stories() {
            let place = "\(file): \(story.title)\n"
            let story = try RuleStory(story, of: file.name)
            let timeline = Timeline(story.history)
            let reports = try RuleFiles.check(timeline.bytes, story.rules).map(\.report)
            let found = reports.flatMap(\.findings)
            let pins = found.map { Timeline.Pin(line: Int($0.line), rule: $0.rule) }
            let told = found.map { "\($0.line) \($0.level) [\($0.rule)] \($0.message)" }
            #expect(
                pins.sorted() == timeline.expected.sorted(),
                "\(place)\(told.joined(separator: "\n"))")
            let said = reports.count == 1 ? RuleStory.lines(about: reports[0]) : []
            for line in story.aboutReport { #expect(said.contains(line), "\(place)\(said)") }
            for (pin, line) in story.aboutFindings {
                let said = found.filter { $0.line == pin.line && $0.rule == pin.rule }
                    .map { RuleStory.lines(about: $0) }
                #expect(
                    !said.isEmpty && said.allSatisfy { $0.contains(line) },
                    "\(place)\(pin): \(said)")
            }
        }
    }

    @Test func `a story that could not fail is refused`() {
        for text in [
            "# a\nrules: no-such-rule\nx", "# a\nverdct: holds\nx", "# a\nx\n  level: note", "# a",
            "x",
        ] {
            #expect(throws: StoryFile.Mistake.self, "\(text)") {
                for story in try StoryFile.stories(in: text) {
                    _ = try RuleStory(story, of: "lifecycle")
                }
            }
        }
    }
}

/// A story of rules, read.
private struct RuleStory {
    let rules: [CheckedRule]
    private(set) var history = ""
    /// The lines about the report of the rule.
    private(set) var aboutReport: [String] = []
    /// The lines about findings, each with the pin above it.
    private(set) var aboutFindings: [(pin: Timeline.Pin, line: String)] = []

    init(_ story: StoryFile.Story, of rule: String) throws {
        var names = [rule]
        var body: [String] = []
        for line in story.lines {
            if line.hasPrefix("  ") {
                guard let pin = Timeline(history).expected.last else {
                    throw StoryFile.Mistake("\(story.title): no pin is above \(line)")
                }
                aboutFindings.append((pin, String(line.dropFirst(2))))
            } else if line.hasPrefix("| ") {
                body.append(String(line.dropFirst(2)))
            } else if let all = line.wholeMatch(of: /rules: (.+)/)?.1 {
                names = all.split(separator: ", ").map(String.init)
            } else if line.wholeMatch(of: /(verdict|tested|because): .+/) != nil {
                aboutReport.append(line)
            } else if line.wholeMatch(of: /\w+: .*/) != nil {
                throw StoryFile.Mistake("\(story.title): what does \(line) say?")
            } else {
                history += line + "\n"
            }
        }
        guard body.isEmpty else {
            rules = [try RuleFiles.rule(body.joined(separator: "\n"))]
            return
        }
        rules = try names.map { name in
            guard let rule = RuleCatalogue.find(name) else {
                throw StoryFile.Mistake("\(story.title): there is no rule \(name)")
            }
            return CheckedRule(rule)
        }
    }

    /// What a story may say about a report.
    static func lines(about report: Report) -> [String] {
        ["verdict: \(report.verdict.rawValue)", "tested: \(report.tested)"]
            + report.because.map { "because: \($0)" }
    }

    /// What a story may say about a finding.
    static func lines(about finding: Finding) -> [String] {
        [
            "level: \(finding.level.rawValue)", "message: \(finding.message)",
            "account: \(finding.account ?? "")", "key: \(finding.key ?? "")",
            "seq: \(finding.seq ?? 0)", "hint: \(finding.hint ?? "")",
            "notes: \(finding.notes.map { "\($0.line)" }.joined(separator: ", "))",
        ] + finding.notes.map { "note \($0.line): \($0.message)" }
    }
}
