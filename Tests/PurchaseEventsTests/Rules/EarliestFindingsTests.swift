import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseProjections

struct EarliestFindingsTests {
    private static func finding(_ line: LineNumber, _ number: Int) -> Finding {
        Finding(
            rule: "rule", level: .note, line: line, message: "finding \(number)", notes: [])
    }

    @Test func `the first findings by line are kept, in the order in which they came`() {
        var dice = Dice(seed: 7)
        for limit in [0, 1, 2, 3, 10, 50] {
            for count in [0, 1, 2, 3, 11, 200] {
                let all = (0..<count).map {
                    EarliestFindingsTests.finding(LineNumber(dice.below(20)), $0)
                }
                var kept = EarliestFindings(limit: limit)
                for finding in all where kept.accepts(finding.line) { kept.add(finding) }
                let sorted = all.enumerated()
                    .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
                    .map(\.element)
                let found = kept.removeAll()
                #expect(found == (limit == 0 ? sorted : Array(sorted.prefix(limit))))
                #expect(kept.removeAll().isEmpty)
            }
        }
    }

    @Test func `a full report makes no text for a later finding`() throws {
        var report = Report(SequenceUnbroken.self, limit: 2)
        let names = NameTable()
        var made = 0
        func text() -> String {
            made += 1
            return "text"
        }
        for line: LineNumber in [5, 3, 9, 4, 3] {
            report.find(1, at: line, names, account: nil, key: nil, text())
        }
        report.close()
        #expect(made == 4)
        #expect(report.findings.map(\.line) == [3, 3])
        #expect(report.counts == [.error: 5])
    }

    @Test func `a report that only counts makes no text, and counts by name`() throws {
        var report = Report(SequenceUnbroken.self, limit: Report.countsOnly)
        let names = NameTable()
        for line: LineNumber in [5, 3, 9] {
            report.find(
                1, at: line, names, level: line == 9 ? .note : nil, account: nil,
                key: line == 5 ? "other" : "key",
                {
                    Issue.record("a text was made")
                    return ""
                }())
        }
        report.close()
        let named = try #require(report.named)
        #expect(report.findings.isEmpty)
        #expect(named.counts == [.error: 2, .note: 1])
        let entry = named.entries[FindingCounts.Name(account: nil, key: Array("key".utf8))]
        #expect(entry?.firstLine == 3)
        #expect(entry?.counts == [.error: 1, .note: 1])
    }
}
