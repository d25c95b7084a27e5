import TestSupport
import Testing

@testable import PurchaseEvents

struct LineFormTests {
    private let good = noted("\"text\":\"a\"")

    @Test(arguments: EventType.allCases)
    func `keys may come in any order`(_ type: EventType) {
        var dice = Dice(seed: UInt64(type.rawValue))
        let sample = LineSample.full(type)
        let event = Decoded(sample.text).event
        for _ in 0..<10 {
            var other = sample
            other.members.shuffle(using: &dice)
            #expect(Decoded(other.text).event == event)
        }
    }

    @Test(arguments: EventType.allCases)
    func `white space may separate all JSON tokens`(_ type: EventType) {
        let sample = LineSample.full(type)
        for space in [" ", "\t", "\r", "\n", " \t\r\n  "] {
            let members = sample.members.map {
                "\(space)\"\($0.key)\"\(space):\(space)\($0.value)\(space)"
            }
            let line = "\(space){\(members.joined(separator: ","))}\(space)"
            let decoded = Decoded(line)
            #expect(decoded.event == Decoded(sample.text).event)
            #expect(decoded.outcome == (space == "\r" ? "event carriage-return" : "event"))
        }
        for space in ["\u{B}", "\u{C}", "\u{A0}", "\u{0}"] {
            #expect(Decoded(space + sample.text).outcome == "not-json")
            #expect(Decoded(sample.text + space).outcome == "not-json")
        }
    }

    /// The line without its mark, and the position of the mark.
    private func marked(_ members: String) -> (line: String, byte: Int) {
        let parts = noted(members).split(separator: "%")
        return (parts.joined(), parts[0].utf8.count + 1)
    }

    @Test(arguments: [
        #""text":"a",%"text":"b""#, #""text":"a",%"te\u0078t":"a""#,
        #""te\u0078t":"a",%"text":"a""#,
        #""text":"a","x":1,%"x":1"#, #""text":"a","x":1,%"\u0078":1"#, #""text":"a","":1,%"":1"#,
        #""text":"a","x":{"y":1,"z":2,%"y":3}"#, #""text":"a","x":[[{"y":1,%"y":1}]]"#,
        #""text":"a","x":{"y":{},%"\u0079":{}}"#, #"%"seq":2,"text":"a""#,
        #""text":"a","é":1,%"\u00e9":2"#, #""text":"a","x":{"":1,%"":1}"#,
        #""text":"a",%"text":1,"text":2"#, #""text":"a","x":[{"y":1,%"y":1}],"text":2"#,
    ])
    func `a duplicate key in an object is reported`(_ members: String) {
        let (line, byte) = marked(members)
        let diagnostic = Decoded(line).diagnostic
        #expect(diagnostic?.code == .duplicateKey)
        #expect(diagnostic?.byte == byte)
    }

    @Test func `a duplicate key is found, however many keys are between`() {
        for count in [
            1, SeenKeys.comparedLimit - 1, SeenKeys.comparedLimit, SeenKeys.comparedLimit + 1, 500,
        ] {
            let keys = (0..<count).map { #""k\#($0)":0"# }.joined(separator: ",")
            #expect(Decoded(noted(#""text":"a","x":{\#(keys)}"#)).event != nil)
            for again in [0, count / 2, count - 1] {
                let line = noted(#""text":"a","x":{\#(keys),"k\#(again)":1}"#)
                #expect(Decoded(line).outcome == "duplicate-key")
            }
        }
    }

    @Test func `the same key in two objects isn't a duplicate`() {
        let line = noted(#""text":"a","x":{"y":1,"text":2},"z":[{"y":1},{"y":{"y":1}}]"#)
        #expect(Decoded(line).outcome == "event unknown-key unknown-key")
    }

    @Test func `an unknown key is noted with its place`() {
        let (line, byte) = marked(#""text":"a",%"colour":"green","Text":1,"text\u0000":2"#)
        let decoded = Decoded(line)
        #expect(decoded.event != nil)
        #expect(decoded.notes.map(\.code) == [.unknownKey, .unknownKey, .unknownKey])
        #expect(decoded.notes.map(\.byte) == [byte, byte + 17, byte + 26])
        #expect(decoded.notes[0].message.contains("`colour`"))
    }

    @Test func `a key of another event type is an unknown key`() {
        let decoded = Decoded(noted(#""text":"a","product":"p","price":-1"#))
        #expect(decoded.outcome == "event unknown-key unknown-key")
        #expect(decoded.notes.allSatisfy { $0.message.contains("log.noted") })
        // The value of such a key isn't read, so it can't be wrong.
        #expect(Decoded(noted(#""text":"a","product":[1],"quantity":0"#)).event != nil)
    }

    @Test func `keys of another event type are noted with their places, in line order`() {
        let (line, byte) = marked(
            #""text":"a",%"product" : "p\u0022","colour":1,"\u0070rice":-1"#)
        let decoded = Decoded(line)
        #expect(decoded.notes.map(\.code) == [.unknownKey, .unknownKey, .unknownKey])
        #expect(decoded.notes.map(\.byte) == [byte, byte + 22, byte + 33])
        let plain = marked(#""text":"a",%"product":"p""#)
        #expect(Decoded(plain.line).notes.map(\.byte) == [plain.byte])
    }

    @Test(arguments: [
        (#""x":%1.5"#, "wrong-kind"), (#""x":%1e3"#, "wrong-kind"), (#""x":%-0.0"#, "wrong-kind"),
        (#""x":[1,{"y":%2E5}]"#, "wrong-kind"), (#""price":%1.5"#, "wrong-kind"),
        (#""x":%9007199254740992"#, "out-of-range"),
        (#""x":%-9007199254740992"#, "out-of-range"),
        (#""x":{"y":%99999999999999999999}"#, "out-of-range"),
        (#""price":%9007199254740992"#, "out-of-range"),
        (#""price":%99999999999999999"#, "out-of-range"),
        (#""x":[-9007199254740991,9007199254740991,0,-0],"y":%1"#, "event unknown-key unknown-key"),
        (#""price":%9007199254740991"#, "event unknown-key"),
    ])
    func `every number must be an integer`(_ members: String, _ outcome: String) {
        let (line, byte) = marked(#""text":"a","# + members)
        let decoded = Decoded(line)
        #expect(decoded.outcome == outcome)
        if let diagnostic = decoded.diagnostic { #expect(diagnostic.byte == byte) }
        #expect(decoded.diagnostic == nil || decoded.notes.isEmpty)
    }

    @Test func `a key of the type takes precedence over other numbers`() {
        #expect(Decoded(noted(#""x":1.5"#)).outcome == "missing-key")
        #expect(Decoded(noted(#""x":1.5,"text":"a","x":1"#)).outcome == "duplicate-key")
        #expect(Decoded(noted(#""x":1.5,"text":"a""#)).outcome == "wrong-kind")
        // Nothing carries over to the next line.
        let decoder = LineDecoder()
        let lines = [noted(#""text":"a","x":1.5"#), good, noted(#""text":"a","x":1"#)]
        let areEvents = lines.map { line in
            let decoded = Array(line.utf8).withUnsafeBytes { decoder.decode($0) }
            return if case .event = decoded { true } else { false }
        }
        #expect(areEvents == [false, true, true])
    }

    @Test func `notes belong to a single line`() {
        let decoder = LineDecoder()
        let lines = [
            noted(#""text":"a","x":1"#), good, noted(#""text":"a","price":1"#), good, "", good,
        ]
        let counts = lines.map { line in
            _ = Array(line.utf8).withUnsafeBytes { decoder.decode($0) }
            return decoder.notes.count
        }
        #expect(counts == [1, 0, 1, 0, 0, 0])
    }

    @Test(arguments: [
        ("", "blank"), (" ", "blank"), ("\r", "blank"), (" \t\r", "blank"), ("\u{FEFF}", "blank"),
        ("\u{FEFF} ", "blank"), ("\u{FEFF}\u{FEFF}", "not-json"), ("\u{B}", "not-json"),
        ("null", "not-an-object"), ("1", "not-an-object"), ("-0.5e+7", "not-an-object"),
        ("\"a\"", "not-an-object"), ("[]", "not-an-object"),
        ("[{\"a\":1,\"a\":1}]", "not-an-object"),
        ("true ", "not-an-object"), ("{}", "missing-key"), (" { } ", "missing-key"),
        ("{", "not-json"), ("}", "not-json"), ("{}}", "not-json"), ("{} {}", "not-json"),
        ("{\"a\"}", "not-json"), ("{\"a\":}", "not-json"), ("{\"a\":1,}", "not-json"),
        ("{,}", "not-json"), ("{a:1}", "not-json"), ("{'a':1}", "not-json"), ("{1:1}", "not-json"),
        ("{\"a\":1 \"b\":1}", "not-json"), ("{\"a\":[1,]}", "not-json"),
        ("{\"a\":[,]}", "not-json"),
        ("{\"a\":[1 2]}", "not-json"), ("{\"a\":{\"b\":1,}}", "not-json"),
        ("{\"a\":[}", "not-json"),
        ("{\"a\":{]}", "not-json"), ("{\"a\":tru}", "not-json"), ("{\"a\":TRUE}", "not-json"),
        ("{\"a\":nul", "not-json"), ("{} // remark", "not-json"), ("{\"a\":\"b", "not-json"),
    ])
    func `a line that isn't an event is reported`(_ line: String, _ outcome: String) {
        #expect(Decoded(line).outcome == outcome)
    }

    @Test func `a byte order mark and a carriage return are noted`() {
        #expect(Decoded("\u{FEFF}" + good).outcome == "event byte-order-mark")
        #expect(Decoded("\u{FEFF} " + good).outcome == "event byte-order-mark")
        #expect(Decoded(good + "\r").outcome == "event carriage-return")
        #expect(
            Decoded("\u{FEFF}" + good + "\r").outcome == "event byte-order-mark carriage-return")
        #expect(Decoded(" \u{FEFF}" + good).outcome == "not-json")
        #expect(Decoded(good + "\u{FEFF}").outcome == "not-json")
        #expect(Decoded(good + "\r").notes.first?.byte == good.utf8.count + 1)
        #expect(Decoded("\u{FEFF}" + good).event == Decoded(good).event)
    }

    @Test func `a line has at most 65,536 bytes`() {
        let space = { String(repeating: " ", count: $0 - good.utf8.count) }
        #expect(Decoded(good + space(65_536)).outcome == "event")
        #expect(Decoded(space(65_536) + good).outcome == "event")
        #expect(Decoded(good + space(65_537)).outcome == "line-too-long")
        #expect(Decoded(String(repeating: " ", count: 65_536)).outcome == "blank")
        #expect(Decoded(String(repeating: " ", count: 65_537)).outcome == "line-too-long")
        #expect(Decoded([UInt8](repeating: 0xFF, count: 65_537)).outcome == "line-too-long")
        #expect(Decoded([UInt8](repeating: 0xFF, count: 65_537)).diagnostic?.byte == 65_537)
        let key = String(repeating: "k", count: 65_536 - good.utf8.count - 5)
        let line = noted("\"text\":\"a\",\"\(key)\":1")
        #expect(line.utf8.count == 65_536)
        #expect(Decoded(line).outcome == "event unknown-key")
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]"), ("[[],", "]")])
    func `nesting is accepted to any depth`(_ open: String, _ close: String) {
        let depth = 60_000 / (open + close).utf8.count
        let (opened, closed) = (
            String(repeating: open, count: depth), String(repeating: close, count: depth)
        )
        let line = noted("\"text\":\"a\",\"x\":\(opened)1\(closed)")
        #expect(Decoded(line).outcome == "event unknown-key")
        #expect(Decoded(noted("\"text\":\"a\",\"x\":\(opened)1")).outcome == "not-json")
        let long = String(repeating: open, count: 60_000 / open.utf8.count)
        #expect(Decoded(long).outcome == "not-json")
        #expect(Decoded(opened + "1" + closed + close).outcome == "not-json")
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF1, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xE2, 0x28, 0xA1],
            [0xF0, 0x9F, 0x98, 0x28],
        ] as [[UInt8]])
    func `invalid UTF-8 is reported at its first byte`(_ bytes: [UInt8]) {
        for members in ["\"text\":\"é%\"", "\"text\":\"a\",\"%\":1", "\"text\":\"a\"%"] {
            let parts = noted(members).split(separator: "%", omittingEmptySubsequences: false)
            let decoded = Decoded(Array(parts[0].utf8) + bytes + Array(parts[1].utf8))
            #expect(decoded.outcome == "not-utf8")
            #expect(decoded.diagnostic?.byte == parts[0].utf8.count + 1)
        }
    }

    @Test func `all valid UTF-8 is accepted, including noncharacters`() {
        for value in [
            0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFF,
        ] {
            let text = Unicode.Scalar(UInt32(value)).map { String(Character($0)) } ?? ""
            #expect(Decoded(noted("\"text\":\"\(text)\"")).outcome == "event")
        }
    }
}
