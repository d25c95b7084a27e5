import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct IdentifiersUniqueTests {
    @Test func `the content is all keys but seq, at and chain`() throws {
        let history = Timeline(
            """
            log.noted id=a text=one
            log.noted id=a text=one at=2026-02-20
            log.noted id=a text=one device=phone
            """)
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.findings.map(\.level) == [.note, .error])
        #expect(report.findings.map(\.line) == [3, 4])
        #expect(report.findings.map(\.key) == ["a", "a"])
        #expect(report.findings.map { $0.notes.map(\.line) } == [[2], [2]])
        #expect(report.tested == 1)
    }

    @Test func `the same content is the same however it is written`() throws {
        let history = Timeline(
            """
            log.noted id=a text=one
            {"id":"a", "text":"\\u006fne", "type":"log.noted", "at":"2026-01-01T05:00:00Z", "seq":3}
            """)
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
    }

    @Test func `a chain value is no part of the content`() throws {
        let chain = String(repeating: "0", count: 64)
        let noted = #""at":"2026-01-01T05:00:00.000Z","type":"log.noted","id":"a","text":"one""#
        let history = Timeline(
            """
            log.noted id=a text=one
            {"seq":3,\(noted),"chain":"\(chain)"}
            """)
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
    }

    @Test func `the values of unknown keys are part of the content`() throws {
        let noted = { (seq: Int, more: String) in
            #"{"seq":\#(seq),"at":"2026-01-01T05:00:00.000Z","type":"log.noted","id":"a","#
                + #""text":"one"\#(more)}"#
        }
        let history = Timeline(
            [
                #","x":{"b":1,"a":"é"},"price":1"#, #","price":1,"x":{ "a":"\u00e9","b":1 }"#, "",
                #","x":{"b":2,"a":"é"},"price":1"#, #","x":{"b":1,"a":"é"},"price":2"#,
            ].enumerated().map { noted($0 + 2, $1) }.joined(separator: "\n"))
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.findings.map(\.level) == [.note, .error, .error, .error])
    }

    @Test func `Xcode reuses transaction identifiers, which is a note`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=0 product=coins environment=xcode
            queue.purchased transaction=0 product=gems environment=xcode
            queue.purchased transaction=0 product=gems environment=xcode
            """)
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
        #expect(report.tested == 1)
    }

    @Test func `a log of unknown environment may reuse transaction identifiers`() throws {
        let purchase = { (product: String, more: String) in
            "queue.purchased transaction=0 product=\(product) \(more)"
        }
        let said = "environment=production"
        for (first, second) in [("", ""), (said, ""), ("", said)] {
            let text = "unopened\n\(purchase("coins", first))\n\(purchase("gems", second))"
            #expect(try Timeline(text).verdict(IdentifiersUnique.self) == .undetermined)
        }
        try Timeline(
            """
            unopened
            \(purchase("coins", said))
            \(purchase("gems", said)) ← identifiers-unique
            """
        ).expectPinned(IdentifiersUnique.self)
    }

    @Test func `many ids are kept apart`() throws {
        let rows = (0..<2_000).map { "log.noted id=id-\($0) text=one" }
        let history = Timeline((rows + rows).joined(separator: "\n"))
        let report = try history.reports([IdentifiersUnique.self])[0].report
        #expect(report.tested == 2_000)
        #expect(report.counts == [.note: 2_000])
    }
}
