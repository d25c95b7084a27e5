import TestSupport
import Testing

@testable import PurchaseEvents

@Suite struct StatementPackingTests {
    private func packed(_ text: [UInt8]) -> [UInt8] {
        var packer = StatementPacker()
        return text.withUnsafeBytes { text in
            [UInt8](unsafeUninitializedCapacity: StatementPacker.room(for: text.count)) {
                guard let place = $0.baseAddress else { return $1 = 0 }
                $1 = packer.pack(text, to: place)
            }
        }
    }

    private func unpacked(_ packed: [UInt8]) -> [UInt8] {
        packed.withUnsafeBytes { StatementPacking.unpack($0) }
    }

    private func expectKept(_ text: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let packed = packed(text)
        #expect(packed.count <= StatementPacker.room(for: text.count))
        guard unpacked(packed) != text else { return }
        Issue.record(
            "\(String(decoding: text, as: UTF8.self)): \(text), seen \(unpacked(packed))",
            sourceLocation: sourceLocation)
    }

    @Test(arguments: EventType.allCases)
    func `every statement comes back as it was`(_ type: EventType) {
        for sample in LineSample.all(type) {
            expectKept(Array(sample.text.utf8))
            expectKept(Array(sample.text.utf8.drop { $0 != UInt8(ascii: ",") }))
        }
    }

    @Test func `a purchase takes less than half`() {
        let text =
            #"","account":"be681e2e-1554-4dfd-88d1-c4c24fc84b26","device":"phone-1","transaction""#
            + #":"4700010571428972","payment":"b207062e-5ed1-44b1-ad11-00660b75f00d","product":"#
            + #""com.example.lives.5","purchasedAt":"2026-01-01T00:01:25.000Z","price":1990"#
        #expect(packed(Array(text.utf8)).count == 100)
        expectKept(Array(text.utf8))
    }

    @Test(arguments: [
        "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "BE681E2E-1554-4dfd-88d1-c4c24fc84b26",
        "be681e2e-1554-4dfd-88d1-c4c24fc84b2g", "be681e2e-1554-4dfd-88d1-c4c24fc84b2:",
        "be681e2e-1554-4dfd-88d1-c4c24fc84b26#1", "be681e2e-1554-4dfd-88d1_c4c24fc84b26",
        "be681e2e-1554-4dfd-88d1-c4c24fc84b2", "be681e2e-é554-4dfd-88d1-c4c24fc84b26",
        "2026-01-01T00:01:25.000Z", "2026-01-01T00:01:25.000z", "2026-01-01T00:01:25.00aZ",
        "2026-01-01T00:01:25.000Z+", "9999-99-99T99:99:99.999Z", "2026-01-01T00:01:25.00Z0",
        "2026-01-01 00:01:25.000Z", "4700010571428972", "470001057142897f", "470001057142897F",
        "470001057142897", "47000105714289721", "4700010571428:72", "470001057142é72",
        "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}", #"a,\"price\":1"#, "a,", ",\"a\":",
    ])
    func `what nearly has a form, and what has it, comes back`(_ value: String) {
        for text in [
            #"","id":"\#(value)","device":"phone""#, #","transaction":"\#(value)""#,
            #","price":\#(value),"app":2"#, #"","nosuchkey":"\#(value)""#, value,
            #","transaction":"\#(value)"#,
        ] {
            expectKept(Array(text.utf8))
        }
    }

    /// Texts of pieces that the packing knows, whole, cut, or with a byte changed.
    @Test func `any bytes come back`() {
        let pieces = [
            "\",\"id\":\"", ",\"price\":", "\",\"transaction\":\"", ",\"", "\"", ":", ",",
            "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "2026-01-01T00:01:25.000Z",
            "4700010571428972", "\u{1}", "\u{5}", "12", "plain",
        ].map { Array($0.utf8) }
        let choices = SeededChoices(seed: 20_261_122)
        for _ in 0..<5_000 {
            var text: [UInt8] = []
            for _ in 0..<choices.choose(below: 8) {
                var piece = choices.pick(pieces)
                let place = Int(choices.choose(below: Int64(piece.count)))
                if choices.happens(oncePer: 8) { piece.removeLast(place) }
                if choices.happens(oncePer: 8), !piece.isEmpty {
                    piece[place % piece.count] = UInt8(choices.choose(below: 256))
                }
                text += piece
            }
            expectKept(text)
        }
    }
}
