import TestSupport
import Testing

@testable import PurchaseEvents
import PurchaseSimulation

@Suite struct StatementPackingTests {
    private func packed(_ text: [UInt8], _ names: StatementNames) -> [UInt8] {
        let packer = StatementPacker()
        return text.withUnsafeBytes { text in
            [UInt8](unsafeUninitializedCapacity: StatementPacker.room(for: text.count)) {
                guard let place = $0.baseAddress else { return $1 = 0 }
                $1 = packer.pack(text, names, to: place)
            }
        }
    }

    private func unpacked(_ packed: [UInt8], _ names: StatementNames) -> [UInt8] {
        packed.withUnsafeBytes { StatementPacking.unpack($0, names.table) }
    }

    private func expectKept(
        _ text: [UInt8], _ names: StatementNames? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let names = names ?? StatementNames(NameTable())
        let packed = packed(text, names)
        #expect(packed.count <= StatementPacker.room(for: text.count))
        guard unpacked(packed, names) != text else { return }
        Issue.record(
            "\(String(decoding: text, as: UTF8.self)): \(text), seen \(unpacked(packed, names))",
            sourceLocation: sourceLocation)
    }

    /// The names of a line's event.
    private func names(in line: String) -> StatementNames {
        let decoder = LineDecoder()
        let decoded = Array(line.utf8).withUnsafeBytes { decoder.decode($0) }
        guard case .event(let event) = decoded else { return StatementNames(decoder.names) }
        return StatementNames(event, decoder.names)
    }

    @Test(arguments: EventType.allCases)
    func `every statement is restored unchanged`(_ type: EventType) {
        for sample in LineSample.all(type) {
            expectKept(Array(sample.text.utf8))
            expectKept(Array(sample.text.utf8.drop { $0 != UInt8(ascii: ",") }))
            expectKept(Array(sample.text.utf8), names(in: sample.text))
        }
    }

    @Test func `a reader packs a statement like its text`() throws {
        for type in EventType.allCases where EventType.attested.contains(type) {
            for sample in LineSample.all(type) {
                let reader = LogReader()
                try reader.read(MemorySource(Array(sample.text.utf8))) { line in
                    guard let range = line.canonicalContent else { return true }
                    let event = try #require(line.event)
                    let statement = UnsafeRawBufferPointer(rebasing: line.bytes[range])
                    let names = StatementNames(event, reader.decoder.names)
                    let packed = [UInt8](
                        unsafeUninitializedCapacity: StatementPacker.room(for: statement.count)
                    ) {
                        guard let place = $0.baseAddress else { return $1 = 0 }
                        $1 = StatementPacker().pack(statement, of: type, names, to: place)
                    }
                    #expect(line.packedStatement.map { Array($0) } == packed, "\(sample.text)")
                    return true
                }
            }
        }
    }

    private static let purchase =
        #"","account":"be681e2e-1554-4dfd-88d1-c4c24fc84b26","device":"phone-1","transaction""#
        + #":"4700010571428972","payment":"b207062e-5ed1-44b1-ad11-00660b75f00d","product":"#
        + #""com.example.lives.5","purchasedAt":"2026-01-01T00:01:25.000Z","price":1990"#

    @Test func `a purchase packs to a tenth with its event's names, else to under half`() {
        let text = Array(StatementPackingTests.purchase.utf8)
        let line =
            #"{"seq":1,"at":"2026-01-01T00:01:25.698Z","type":"queue.purchased"#
            + StatementPackingTests.purchase + "}"
        let names = names(in: line)
        #expect(text.count == 237)
        #expect(packed(text, names).count == 19)
        expectKept(text, names)
        #expect(packed(text, StatementNames(names.table)).count == 84)
        expectKept(text)
    }

    @Test func `names that aren't in the text aren't used`() {
        let names = names(
            in: #"{"seq":1,"at":"2026-01-01T00:01:25.698Z","type":"app.launched","account":"ab"}"#)
        for account in ["ab", "a", "abc", "b", "ab,", "é", "ab\\\"", "\u{7F}"] {
            expectKept(Array(#","account":"\#(account)","device":"ab""#.utf8), names)
            expectKept(Array(#","account":"\#(account)"#.utf8), names)
        }
    }

    @Test(arguments: [
        "0", "1", "9", "10", "127", "128", "1990", "007", "1.5", "1e3", "-5", "999999999999999999",
        "1000000000000000000", "9223372036854775807", "12a",
    ])
    func `numbers are restored unchanged`(_ number: String) {
        for key in ["price", "account", "currency", "purchasedAt", "upgraded"] {
            expectKept(Array(#","\#(key)":\#(number),"quantity":\#(number)"#.utf8))
            expectKept(Array(#","\#(key)":"\#(number)","quantity":"\#(number)""#.utf8))
        }
    }

    @Test(arguments: [
        "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2106-02-07T06:28:15.000Z",
        "2106-02-07T06:28:16.000Z", "9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00.000Z",
        "2026-02-29T00:00:00.000Z", "2024-02-29T23:59:59.001Z", "2026-01-01T24:00:00.000Z",
        "2026-01-01T23:59:60.000Z",
    ])
    func `dates are restored unchanged`(_ date: String) {
        for key in ["purchasedAt", "signedAt", "id", "currency", "price"] {
            expectKept(Array(#","\#(key)":"\#(date)","until":"\#(date)""#.utf8))
        }
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
    func `values with a packed form or nearly so are restored unchanged`(_ value: String) {
        for text in [
            #"","id":"\#(value)","device":"phone""#, #","transaction":"\#(value)""#,
            #","price":\#(value),"app":2"#, #"","nosuchkey":"\#(value)""#, value,
            #","transaction":"\#(value)"#,
        ] {
            expectKept(Array(text.utf8))
        }
    }

    /// Texts made of pieces that the packing knows: whole, cut, or with a changed byte.
    @Test func `any bytes are restored unchanged`() {
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
