import PurchaseEvents
import PurchaseIncidents
import TestSupport
import Testing

struct EditTests {
    private static let opened =
        #"{"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1,"app":"a"}"#
    private static let small = GeneratedEvents.bytes(
        lines: opened,
        #"{"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"app.launched","device":"d1"}"#,
        #"{"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"log.noted","text":"three"}"#,
        #"{"seq":4,"at":"2026-03-01T09:00:03.000Z","type":"payment.requested","payment":"p","#
            + #""product":"x","quantity":2}"#)

    private func edited(_ log: [UInt8] = small, _ edits: LogEdit...) throws -> [String] {
        String(decoding: try LogEditor(edits).edit(log), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test func `without edits a log stays as it is`() throws {
        for (name, bytes) in try GeneratedEvents.samples("valid") {
            #expect(try LogEditor([]).edit(bytes) == bytes, "\(name)")
        }
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 14)) {
            let bytes = try GeneratedEvents.log(seed: seed).log()
            #expect(try LogEditor([]).edit(bytes) == bytes, "seed \(seed)")
        }
    }

    @Test func `a chained log becomes unchained and is otherwise the same`() throws {
        for seed in 1...UInt64(Effort.of(whole: 200, part: 6)) {
            let events = GeneratedEvents.log(seed: seed)
            var chain = Chain()
            var chained: [UInt8] = []
            for (index, event) in events.enumerated() {
                var numbered = event
                numbered.seq = Int64(index + 1)
                if case .logOpened(var opened) = numbered.fact {
                    opened.chained = true
                    numbered.fact = .logOpened(opened)
                }
                chained += try LineWriter.line(of: numbered, in: &chain) + [0x0A]
            }
            var edited: [UInt8] = []
            let summary = try LogEditor([]).edit(LogParts(chained)) { edited += $0 }
            #expect(summary.wasChained)
            #expect(edited == (try events.log()), "seed \(seed)")
            #expect(try LogComparison(LogParts(chained), LogParts(edited)).differences().isEmpty)
        }
    }

    @Test func `edits take effect at once on lines of the original`() throws {
        let lines = try edited(
            EditTests.small, .move(line: 4, before: 2), .drop(2...2),
            .set(line: 4, key: "quantity", value: ""), .set(line: 4, key: "payer", value: "q"),
            .insert(before: 4, json: #"{"type":"log.noted","text":"new"}"#),
            .insert(
                before: 5, json: #"{"text":"end","at":"2026-03-02T00:00:00Z","type":"log.noted"}"#))
        #expect(
            lines == [
                EditTests.opened,
                #"{"seq":2,"at":"2026-03-01T09:00:03.000Z","type":"payment.requested","#
                    + #""payment":"p","product":"x","payer":"q"}"#,
                #"{"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"log.noted","text":"three"}"#,
                #"{"seq":4,"at":"2026-03-01T09:00:02.000Z","type":"log.noted","text":"new"}"#,
                #"{"seq":5,"at":"2026-03-02T00:00:00.000Z","type":"log.noted","text":"end"}"#,
            ])
    }

    @Test func `a log.opened may take the place of the first lines`() throws {
        let opening = #"{"type":"log.opened","schema":1,"app":"b"}"#
        let lines = try edited(
            EditTests.small, .drop(1...2), .insert(before: 3, json: opening))
        #expect(
            lines[0] == #"{"seq":1,"at":"2026-03-01T09:00:01.000Z","type":"log.opened","#
                + #""schema":1,"app":"b"}"#)
        #expect(lines.count == 3)
        let unopened = Array(EditTests.small.drop { $0 != 0x0A }.dropFirst())
        #expect(try edited(unopened, .insert(before: 1, json: opening)).count == 4)
        let set = try edited(
            EditTests.small, .drop(1...1), .move(line: 3, before: 5),
            .set(line: 2, key: "type", value: "log.opened"),
            .set(line: 2, key: "schema", value: "1"), .set(line: 2, key: "device", value: ""))
        #expect(
            set[0] == #"{"seq":1,"at":"2026-03-01T09:00:01.000Z","type":"log.opened","schema":1}"#)
        #expect(try edited(EditTests.small, .move(line: 1, before: 1))[0] == EditTests.opened)
    }

    @Test func `an event loses a byte order mark and a carriage return, another line nothing`()
        throws
    {
        let log = GeneratedEvents.bytes(lines: "\u{FEFF}\(EditTests.opened)\r", "\r", "no line\r")
        let kept = GeneratedEvents.bytes(lines: EditTests.opened, "\r", "no line\r")
        #expect(try LogEditor([]).edit(log) == kept)
    }

    @Test func `what isn't understood, blank or unknown is kept`() throws {
        let long = #"{"seq":3,"x":""# + String(repeating: "y", count: 70_000) + #""}"#
        let log = GeneratedEvents.bytes(
            lines: EditTests.opened, "", "no line", long,
            #"{ "type":"app.launched", "mood":{"a":[1,"ü"]}, "seq":9 ,"#
                + #""at":"2026-03-01T10:00:01+01:00"}"#)
        #expect(
            try edited(log) == [
                EditTests.opened, "", "no line", long,
                #"{ "type":"app.launched", "mood":{"a":[1,"ü"]}, "seq":4 ,"#
                    + #""at":"2026-03-01T10:00:01+01:00"}"#,
            ])
        let set = try edited(log, .set(line: 5, key: "device", value: "d"))
        #expect(
            set[4] == #"{"type":"app.launched","mood":{"a":[1,"ü"]},"seq":4,"#
                + #""at":"2026-03-01T10:00:01+01:00","device":"d"}"#)
    }

    @Test func `the chain goes wherever it stands in a line`() throws {
        let value = String(repeating: "0", count: 64)
        let log = GeneratedEvents.bytes(
            lines: #"{"chain":"\#(value)", "chained":true,"seq":1,"schema":1,"#
                + #""at":"2026-03-01T09:00:00.000Z","type":"log.opened"}"#)
        let lines = try edited(log)
        #expect(
            lines == [
                #"{ "seq":1,"schema":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened"}"#
            ])
    }

    @Test(arguments: [
        ([LogEdit.drop(2...3), .set(line: 3, key: "text", value: "x")], EditProblem.Kind.conflict),
        ([.drop(2...2), .move(line: 2, before: 4)], .conflict),
        ([.move(line: 2, before: 4), .move(line: 2, before: 1)], .conflict),
        ([.set(line: 2, key: "at", value: "a"), .set(line: 2, key: "at", value: "b")], .conflict),
        ([.set(line: 2, key: "seq", value: "7")], .conflict),
        ([.drop(4...5)], .notThere),
        ([.move(line: 5, before: 1)], .notThere),
        ([.move(line: 1, before: 6)], .notThere),
        ([.insert(before: 6, json: #"{"type":"app.launched"}"#)], .notThere),
        ([.set(line: 2, key: "text", value: "x")], .notThere),
        ([.set(line: 2, key: "account", value: "")], .notThere),
        ([.set(line: 3, key: "text", value: "")], .notALine),
        ([.set(line: 4, key: "quantity", value: "1,\"x\":2")], .notALine),
        ([.set(line: 4, key: "quantity", value: "0")], .notALine),
        ([.set(line: 2, key: "at", value: "noon")], .notALine),
        ([.set(line: 2, key: "type", value: "app.lunched")], .notALine),
        ([.insert(before: 2, json: "[]")], .notALine),
        ([.insert(before: 5, json: #"{"type":"log.opened","schema":1}"#)], .notALine),
        (
            [.drop(2...2), .insert(before: 3, json: #"{"type":"log.opened","schema":1}"#)],
            .notALine
        ),
        (
            [
                .drop(1...1), .insert(before: 1, json: #"{"type":"app.launched"}"#),
                .insert(before: 1, json: #"{"type":"log.opened","schema":1}"#),
            ], .notALine
        ),
        ([.insert(before: 1, json: #"{"type":"log.opened","schema":1}"#)], .conflict),
        ([.insert(before: 1, json: #"{"type":"app.launched"}"#)], .notALine),
        ([.move(line: 1, before: 5)], .notALine),
        ([.move(line: 3, before: 1)], .notALine),
        (
            [
                .set(line: 3, key: "type", value: "log.opened"),
                .set(line: 3, key: "text", value: ""), .set(line: 3, key: "schema", value: "1"),
            ], .notALine
        ),
        ([.insert(before: 2, json: #"{"type":"app.launched""#)], .notALine),
        ([.insert(before: 2, json: "{\"type\":\"app.launched\"}\n{}")], .notALine),
        (
            [
                .insert(
                    before: 2,
                    json: #"{"type":"app.launched","at":"2026-03-01T09:00:00.000Z","#
                        + #""device":"a","device":"b"}"#)
            ], .notALine
        ),
    ])
    func `wrong edits are refused before anything is written`(
        _ edits: [LogEdit], _ kind: EditProblem.Kind
    ) throws {
        var written = 0
        do {
            try LogEditor(edits).edit(LogParts(EditTests.small)) { written += $0.count }
            Issue.record("no problem with \(edits)")
        } catch let problem as EditProblem {
            #expect(problem.kind == kind, "\(problem)")
        }
        #expect(written == 0)
    }
}
