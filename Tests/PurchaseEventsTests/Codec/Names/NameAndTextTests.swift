import Testing

@testable import PurchaseEvents

struct NameAndTextTests {
    private static let named: [(EventType, Key)] =
        EventType.allCases.flatMap { type in
            type.schema.filter { if case .name = $0.kind { true } else { false } }.map {
                (type, $0.key)
            }
        } + [.id, .source, .account, .device].map { (.appLaunched, $0) }

    private func name(_ json: String) -> String {
        Decoded(LineSample.full(.catalogRequested).setting(.product, to: "\"\(json)\"").text)
            .outcome
    }

    private func text(_ json: String) -> String { Decoded(noted("\"text\":\"\(json)\"")).outcome }

    @Test func `a name has 1 to 255 bytes under every key`() {
        for (type, key) in NameAndTextTests.named {
            let sample = LineSample.full(type)
            for (length, outcome) in [
                (0, "out-of-range"), (1, "event"), (255, "event"), (256, "out-of-range"),
            ] {
                let name = "\"" + String(repeating: "a", count: length) + "\""
                #expect(Decoded(sample.setting(key, to: name).text).outcome == outcome)
            }
        }
    }

    @Test func `a name is measured unescaped`() {
        #expect(name(String(repeating: #"\u0061"#, count: 255)) == "event")
        #expect(name(String(repeating: #"\u0061"#, count: 256)) == "out-of-range")
        #expect(name(String(repeating: "é", count: 127) + "a") == "event")
        #expect(name(String(repeating: "é", count: 128)) == "out-of-range")
        #expect(name(String(repeating: #"\u00e9"#, count: 128)) == "out-of-range")
        #expect(name(String(repeating: "😀", count: 63) + "abc") == "event")
        #expect(name(String(repeating: #"\ud83d\ude00"#, count: 64)) == "out-of-range")
    }

    @Test func `a name has no control characters, raw or escaped`() {
        for value in Array(0...0x1F) + Array(0x7F...0x9F) as [UInt32] {
            let escape = "\\u" + EscapedText.hex(UInt16(value))
            let raw = Unicode.Scalar(value).map { String(Character($0)) } ?? ""
            for place in 0..<18 {
                let (before, after) = (String(repeating: "a", count: place), "é")
                #expect(name(before + escape + after) == "out-of-range", "\(value)")
                let outcome = value < 0x20 ? "not-json" : "out-of-range"
                #expect(name(before + raw + after) == outcome, "\(value) at \(place)")
            }
        }
        for value in [0x20, 0x7E, 0xA0, 0xC2, 0x9FF, 0x61C, 0x2028, 0xFFFF, 0x10FFFF] as [UInt32] {
            let raw = Unicode.Scalar(value).map { String(Character($0)) } ?? ""
            for place in 0..<18 {
                #expect(name(String(repeating: "a", count: place) + raw) == "event", "\(value)")
            }
        }
    }

    @Test func `a text has up to 4096 bytes, and may contain any escaped character`() {
        #expect(text("") == "event")
        #expect(text(String(repeating: "a", count: 4_096)) == "event")
        #expect(text(String(repeating: "a", count: 4_097)) == "out-of-range")
        #expect(text(String(repeating: #"\u0000"#, count: 4_096)) == "event")
        #expect(text(String(repeating: #"\u0000"#, count: 4_097)) == "out-of-range")
        #expect(text(String(repeating: "é", count: 2_048)) == "event")
        #expect(text(String(repeating: "é", count: 2_048) + "a") == "out-of-range")
        #expect(text("\u{7F}\u{80}\u{9F}\u{61C}\u{2028}\u{FFFF}") == "event")
        #expect(text("\u{1F}") == "not-json")
    }

    @Test(arguments: [EventType.queueFailed, .deliveryDownload, .restoreFailed])
    func `an error may be any text`(_ type: EventType) throws {
        for (text, outcome) in [
            ("", "event"), (#"The connection\nwas lost."#, "event"), ("\u{7F}", "event"),
            (String(repeating: "a", count: 4_096), "event"),
            (String(repeating: "a", count: 4_097), "out-of-range"),
        ] {
            let line = LineSample.full(type).setting(.error, to: "\"\(text)\"").text
            #expect(Decoded(line).outcome == outcome)
            guard let event = Decoded(line).event else { continue }
            #expect(Decoded(try LineWriter.line(of: event)).event == event)
        }
    }

    @Test(
        arguments: [
            ("interrupted", .interrupted), (#"inter\u0072upted"#, .interrupted),
            ("unknown", .unknown),
            ("Interrupted", nil), ("", nil), (String(repeating: "interrupted", count: 30), nil),
        ] as [(String, KnownError?)])
    func `the format's error words are recognized`(_ text: String, _ known: KnownError?) {
        let line = LineSample.full(.queueFailed).setting(.error, to: "\"\(text)\"").text
        let read = Array(line.utf8).withUnsafeBytes { LineDecoder().decode($0) }
        guard case .event(let event) = read, case .queueFailed(let failed) = event.fact,
            case .queueFailed(let written) = Decoded(line).event?.fact
        else {
            Issue.record("\(line) is no event")
            return
        }
        #expect(failed.error.known == known && written.error.known == known)
        #expect(ErrorWord<Written>(written.error.text) == written.error)
    }

    @Test(arguments: [
        (#"\ud800"#, "not-utf8"), (#"\udfff"#, "not-utf8"), (#"\ud800\ud800"#, "not-utf8"),
        (#"\ud800a"#, "not-utf8"), (#"\ud800\n"#, "not-utf8"), (#"\udc00\ud800"#, "not-utf8"),
        (#"\uD83D\uDE00"#, "event"), (#"\ud83D\uDe00"#, "event"), (#"\udbff\udfff"#, "event"),
        (#"\uffff\ufffe\ufdd0\udbff\udffe"#, "event"), (#"\u0000"#, "event"),
        (#"\ud800\u00"#, "not-json"), (#"\u12"#, "not-json"), (#"\u12g4"#, "not-json"),
        (#"\u１２３４"#, "not-json"), (#"\x41"#, "not-json"), (#"\'"#, "not-json"),
        (#"\U0041"#, "not-json"), (#"\"#, "not-json"), (#"\/\b\f\n\r\t\"\\"#, "event"),
    ])
    func `an escape is a character or is reported`(_ json: String, _ outcome: String) {
        #expect(text(json) == outcome)
        let unknown = noted("\"text\":\"a\",\"more\":{\"a\":[\"\(json)\"]}")
        #expect(Decoded(unknown).outcome == (outcome == "event" ? "event unknown-key" : outcome))
    }

    @Test func `a writer refuses everything that a reader would`() throws {
        let event = try #require(Decoded(LineSample.full(.queueFailed).text).event)
        func problem(_ change: (inout Event<Written>) -> Void) -> Key? {
            var changed = event
            change(&changed)
            do {
                _ = try LineWriter.line(of: changed)
                return nil
            } catch {
                return error.key
            }
        }
        #expect(problem { $0.seq = 1 } == nil)
        #expect(problem { $0.seq = 0 } == .seq)
        #expect(problem { $0.seq = .max } == .seq)
        #expect(problem { $0.at = Timestamp(milliseconds: .max) } == .at)
        #expect(
            problem { $0.signedAt = Timestamp.earliest.advanced(byMilliseconds: -1) } == .signedAt)
        #expect(problem { $0.id = "" } == .id)
        #expect(problem { $0.account = Identifier(String(repeating: "a", count: 256)) } == .account)
        #expect(problem { $0.device = "a\u{85}" } == .device)
        #expect(problem { $0.source = "a\nb" } == .source)
        let long = String(repeating: "a", count: 4_097)
        #expect(problem { $0.fact = .logNoted(text: long) } == .text)
        let failed = QueueFailed<Written>(payment: "p", error: "unknown", code: .min)
        #expect(problem { $0.fact = .queueFailed(failed) } == .code)
        let wordy = QueueFailed<Written>(payment: "p", error: ErrorWord(long))
        #expect(problem { $0.fact = .queueFailed(wordy) } == .error)
    }

    @Test func `the longest event fits in a line`() throws {
        let longest = String(repeating: "\u{0}", count: 4_096)
        let name = String(repeating: "\u{2028}", count: 85)
        let event = Event<Written>(
            seq: Key.largestInteger, at: .latest, id: name, source: Identifier(name),
            account: Identifier(name), device: Identifier(name), environment: .production,
            signedAt: .latest,
            .logOpened(LogOpened(schema: 1, app: longest, writer: longest, chained: true)))
        let line = try LineWriter.line(of: event)
        #expect(line.count + 76 <= LineDecoder.maximumLineLength)
        #expect(Decoded(line).event == event)
    }
}
