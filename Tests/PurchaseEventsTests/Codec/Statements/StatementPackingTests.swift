import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
import PurchaseSimulation

struct StatementPackingTests {
    private let decoder = LineDecoder()

    private func expectKept(
        _ line: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let packed = try #require(
            PackedStatement(line.utf8, decoder), "\(line)", sourceLocation: sourceLocation)
        #expect(packed.text == packed.expected, "\(line)", sourceLocation: sourceLocation)
    }

    @Test(arguments: EventType.allCases)
    func `every statement is restored, and different ones pack differently`(
        _ type: EventType
    ) throws {
        var texts: [[UInt8]: String] = [:]
        for sample in LineSample.all(type) {
            let packed = try #require(PackedStatement(sample.text.utf8, decoder), "\(sample)")
            #expect(packed.text == packed.expected, "\(sample)")
            #expect(texts[packed.bytes, default: packed.text] == packed.text, "\(sample)")
            texts[packed.bytes] = packed.text
        }
        #expect(Set(texts.values).count == texts.count)
    }

    @Test(arguments: EventType.allCases)
    func `a statement packs equally however its line is spelled`(_ type: EventType) throws {
        for sample in LineSample.all(type) {
            let packed = try #require(PackedStatement(sample.text.utf8, decoder))
            var members = sample.members
            members.reverse()
            let spellings = [
                "{" + members.map { #""\#($0.key)" : \#($0.value)"# }.joined(separator: ", ") + "}",
                sample.text.replacingOccurrences(of: "-1\"", with: "\\u002d1\""),
                sample.text.replacingOccurrences(of: "a text", with: "a\\u0020text"),
                sample.text.replacingOccurrences(of: "00.000Z", with: "00Z"),
                sample.adding(.hosted, #""a key of another type""#).text,
            ]
            for spelling in spellings {
                let other = PackedStatement(spelling.utf8, decoder)
                if let other { #expect(other.bytes == packed.bytes, "\(spelling)") }
            }
            #expect(PackedStatement(spellings[0].utf8, decoder) != nil)
        }
    }

    @Test func `a reader packs the statements of canonical lines`() throws {
        for type in EventType.attested.types {
            for sample in LineSample.all(type) {
                let reader = LogReader()
                try reader.read(MemorySource(Array(sample.text.utf8))) { line in
                    let packed = PackedStatement(sample.text.utf8, reader.decoder)
                    #expect(line.packedStatement.map { Array($0) } == packed?.bytes, "\(sample)")
                    return true
                }
            }
        }
    }

    private func purchase(
        id: String? = nil, transaction: String = "4700010571428972", price: Int64 = 1_990,
        purchasedAt: String = "2026-01-01T00:01:25.000Z"
    ) -> String {
        #"{"seq":1,"at":"2026-01-01T00:01:25.698Z","type":"queue.purchased","#
            + (id.map { #""id":"\#($0)","# } ?? "")
            + #""account":"be681e2e-1554-4dfd-88d1-c4c24fc84b26","device":"phone-1","#
            + #""transaction":"\#(transaction)","payment":"b207062e-5ed1-44b1-ad11-00660b75f00d""#
            + #","product":"com.example.lives.5","purchasedAt":"\#(purchasedAt)","#
            + #""price":\#(price),"currency":"USD"}"#
    }

    @Test func `a purchase packs to a tenth of its content`() throws {
        let packed = try #require(PackedStatement(purchase().utf8, decoder))
        #expect(packed.expected.utf8.count == 254)
        #expect(packed.bytes.count == 23)
    }

    @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 1_990, 9_007_199_254_740_991] as [Int64])
    func `numbers are restored unchanged`(_ number: Int64) throws {
        try expectKept(purchase(price: number))
    }

    @Test(arguments: [
        "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.000Z",
        "2106-02-07T06:28:15.000Z", "2106-02-07T06:28:16.000Z", "9999-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z", "2024-02-29T23:59:59.001Z",
    ])
    func `dates are restored unchanged`(_ date: String) throws {
        try expectKept(purchase(purchasedAt: date))
    }

    @Test(arguments: [
        "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "BE681E2E-1554-4dfd-88d1-c4c24fc84b26",
        "be681e2e-1554-4dfd-88d1-c4c24fc84b2g", "be681e2e-1554-4dfd-88d1-c4c24fc84b26#1",
        "be681e2e-1554-4dfd-88d1_c4c24fc84b26", "be681e2e-1554-4dfd-88d1-c4c24fc84b2",
        "be681e2e-é554-4dfd-88d1-c4c24fc84b26", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "4700010571428972", "470001057142897f", "a", "é", #"a\"b\\c"#, #"\u2028"#, " ",
        String(repeating: "x", count: 255),
    ])
    func `names are restored unchanged`(_ name: String) throws {
        try expectKept(purchase(id: name))
        try expectKept(purchase(transaction: name))
        try expectKept(
            #"{"seq":1,"at":"2026-01-01T00:01:25.698Z","type":"cancellation.revoked","#
                + #""transaction":"1","cancelledAt":"2026-01-01T00:01:25Z","reason":"\#(name)"}"#)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `every statement of a history is restored`(_ seed: UInt64) throws {
        let options = SimulationOptions(events: 1_000, accounts: 10, days: 365)
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        while let event = simulation.next() {
            try expectKept(String(decoding: try LineWriter.line(of: event), as: UTF8.self))
        }
    }
}
