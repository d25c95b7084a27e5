import Foundation
import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseIncidents

struct RedactionPropertyTests {
    private static let seeds = 0..<UInt64(Effort.of(whole: 1_000, part: 5))
    private static let events = 250

    @Test(arguments: seeds)
    func `findings, verdicts and projections are the same but for the names`(
        seed: UInt64
    ) throws {
        let log = Redacting.log(seed: seed, events: Self.events)
        let summary = try expectSameAnswers(log, "seed \(seed)")
        #expect(summary.notUnderstood == 0 && summary.events == summary.lines)
    }

    private static let samples = ["valid", "violations"].flatMap {
        Folders.files(in: Folders.events.appending(path: $0), "jsonl")
    }

    @Test(arguments: samples)
    func `the answers to each sample are the same but for the names`(_ file: URL) throws {
        try expectSameAnswers(try Folders.bytes(of: file), file.lastPathComponent)
    }

    @discardableResult
    private func expectSameAnswers(_ log: [UInt8], _ name: String) throws -> RedactionSummary {
        let (redacted, summary) = Redacting.redacted(log)
        let replacements = try Redacting.replacements(log, redacted)
        let names = replacements.compactMapValues(\.first)
        #expect(replacements.values.allSatisfy { $0.count == 1 }, "a name has one pseudonym")
        #expect(Set(names.values).count == names.count, "a pseudonym has one name")
        let expected = try Redacting.answers(log, replacing: names)
        let answers = try Redacting.answers(redacted)
        #expect(
            answers == expected,
            """
            \(name): \(Set(answers).subtracting(expected).sorted().prefix(3)) \
            \(Set(expected).subtracting(answers).sorted().prefix(3))
            """)
        return summary
    }

    @Test(arguments: seeds)
    func `no name of the log is in its redaction, in any case or escaped`(seed: UInt64) throws {
        let log = Redacting.log(seed: seed, events: Self.events)
        let redacted = Redacting.redacted(log) { $0.replacesProducts = true }.log
        let text = String(decoding: redacted, as: UTF8.self).lowercased()
        #expect(!text.contains("\\"), "nothing is escaped, so the bytes are the texts")
        let names = try Redacting.names(log, withProducts: true).filter { $0.utf8.count >= 8 }
        #expect(names.count > 20)
        for name in names where strstr(text, name.lowercased()) != nil {
            Issue.record("seed \(seed): \(name) is in the redacted log")
        }
    }

    @Test func `names that a line escapes are replaced like others`() throws {
        let name = "Ada\u{200E}Lovelace\\\"x\u{2028}1815"
        let event = Event<Written>(
            seq: 1, at: Timestamp(milliseconds: 0), account: AccountID(name), .appLaunched)
        let redacted = Redacting.redacted(try LineWriter.line(of: event) + [0x0A]).log
        let account = try #require(Redacting.events(redacted).first?.account?.name)
        let text = (String(decoding: redacted, as: UTF8.self) + account).lowercased()
        for part in ["ada", "lovelace", "200e", "2028", "1815"] { #expect(!text.contains(part)) }
    }

    @Test func `two logs of one customer still join`() throws {
        let log = Redacting.log(seed: 9, events: Self.events)
        let lines = LogLines(log)
        let parts = [lines.indices.filter { $0 % 2 == 0 }, lines.indices.filter { $0 % 2 == 1 }]
        let separate = parts.map { Redacting.redacted(lines.taking($0).bytes).log }
        let names = try separate.map { try Redacting.names($0) }
        let original = try parts.map { try Redacting.names(lines.taking($0).bytes) }
        #expect(
            names[0].intersection(names[1]).count == original[0].intersection(original[1]).count)
        let whole = LogLines(Redacting.redacted(log).log)
        for (part, redacted) in zip(parts, separate) {
            #expect(whole.taking(part).bytes == redacted)
        }
    }

    @Test(arguments: seeds.prefix(5))
    func `under the identity a log stays as it is`(seed: UInt64) {
        let log = Redacting.log(seed: seed, events: Self.events)
        var redactor = Redactor(.identity)
        #expect(redactor.redact(log) == log)
        #expect(redactor.summary.texts == 0)
    }

    @Test(arguments: seeds.prefix(5))
    func `moved dates change no finding`(seed: UInt64) throws {
        let log = Redacting.log(seed: seed, events: Self.events)
        let moved = Redacting.redacted(log) { $0.shift = 364 }.log
        let back = Redacting.redacted(moved) { $0.shift = -364 }.log
        #expect(LogLines(back).count == LogLines(log).count)
        func findings(_ log: [UInt8]) throws -> [String] {
            try LogLines(log).findings().map { "\($0.rule) \($0.line) \($0.level)" }
        }
        #expect(try findings(moved) == findings(Redacting.redacted(log).log))
    }
}
