import PurchaseEvents
import Testing

@testable import PurchaseImport
@testable import PurchaseIncidents

struct RedactorTests {
    private static let time = "2026-03-01T09:00:00.000Z"
    private static let opened = line(1, #""type":"log.opened","schema":1"#)

    private static func line(_ seq: Int, _ rest: String) -> String {
        #"{"seq":\#(seq),"at":"\#(time)",\#(rest)}"#
    }

    private func redacted(
        _ lines: String..., change: (inout Redaction) -> Void = { _ in }
    ) -> (lines: [String], summary: RedactionSummary) {
        let log = Array(lines.map { $0 + "\n" }.joined().utf8)
        let (bytes, summary) = Redacting.redacted(log, change)
        let text = String(decoding: bytes, as: UTF8.self)
        return (
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), summary
        )
    }

    private func pseudonym(_ name: String) -> String {
        var pseudonyms = Pseudonyms(Redacting.key)
        return pseudonyms.pseudonym(of: name)
    }

    @Test func `the same name is the same pseudonym in every key`() {
        let purchased =
            #""type":"queue.purchased","account":"77","transaction":"5001","original":"5002","#
            + #""product":"coins","purchasedAt":"\#(Self.time)""#
        let (lines, _) = redacted(
            Self.opened, Self.line(2, purchased),
            Self.line(3, #""type":"queue.finished","transaction":"5002""#))
        let (one, two) = (pseudonym("5001"), pseudonym("5002"))
        #expect(
            lines[1].contains(#""transaction":"\#(one)","original":"\#(two)","product":"coins""#))
        #expect(lines[2].hasSuffix(#""transaction":"\#(two)"}"#))
        #expect(lines[1].contains(#""account":"\#(pseudonym("77"))""#))
        let (other, _) = redacted(Self.opened, Self.line(2, purchased)) {
            $0.replacesProducts = true
        }
        #expect(other[1].contains(#""product":"\#(pseudonym("coins"))""#))
    }

    @Test func `the app and the writer are names`() {
        let (lines, _) = redacted(
            Self.line(1, #""type":"log.opened","schema":1,"app":"com.example","writer":"w 1""#))
        #expect(
            lines[0].hasSuffix(
                #""schema":1,"app":"\#(pseudonym("com.example"))","writer":"\#(pseudonym("w 1"))"}"#
            ))
    }

    @Test func `an id keeps what it is built of`() throws {
        func id(_ id: String, shift: Int64 = 0) throws -> String {
            let line = Self.line(1, #""type":"app.launched","id":"\#(id)""#)
            let redacted = redacted(line) { $0.shift = shift }.lines[0]
            let event = try #require(Redacting.events(Array(redacted.utf8)).first)
            return try #require(event.id)
        }
        let uuid = "6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01"
        #expect(try id("\(uuid)#12") == "\(pseudonym(uuid))#12")
        #expect(try id("tx:5001:1772355600000#1") == "tx:\(pseudonym("5001")):1772355600000#1")
        #expect(
            try id("ri:5001:1772355600000#2", shift: -1)
                == "ri:\(pseudonym("5001")):1772269200000#2")
        #expect(try id("tx:a:b:17#3") == "tx:\(pseudonym("a:b")):17#3")
        #expect(try id("5001") == pseudonym("5001"))
        for whole in ["#1", "a#", "a#b", "#", "tx:5001"] {
            #expect(try id(whole) == pseudonym(whole), "\(whole)")
        }
        #expect(try id("tx::17#1") == pseudonym("tx::17") + "#1")
    }

    private static func digest(_ text: String) -> String {
        Redacting.key.digest(of: Array(text.utf8))
    }

    @Test func `free text goes and is counted, the format's words stay`() {
        let (lines, summary) = redacted(
            Self.opened, Self.line(2, #""type":"log.noted","text":"call Ada","ticket":"Ada""#),
            Self.line(3, #""type":"queue.failed","payment":"p1","error":"cancelled","code":2"#),
            Self.line(4, #""type":"queue.failed","payment":"p1","error":"Ada's card","who":"Ada""#),
            Self.line(
                5,
                #""type":"notification.received","notification":"n1","name":"DID_RENEW","#
                    + #""subtype":"for Ada","version":2"#),
            Self.line(
                6, #""type":"catalog.listed","product":"p","kind":"consumable","period":"P1M""#))
        #expect(summary.texts == 3 && summary.unknownKeys == 2 && summary.events == 6)
        #expect(lines[1].contains(#""type":"log.noted","text":"\#(Self.digest("call Ada"))","#))
        #expect(lines[1].hasSuffix(#","redacted":"\#(Self.digest(#"{"ticket":"Ada",}"#))"}"#))
        #expect(lines[2].hasSuffix(#""error":"cancelled","code":2}"#))
        #expect(lines[3].contains(#""error":"\#(Self.digest("Ada's card"))","redacted":"#))
        #expect(
            lines[4].hasSuffix(
                #""name":"DID_RENEW","subtype":"\#(Self.digest("for Ada"))","version":2}"#))
        #expect(lines[5].hasSuffix(#""period":"P1M"}"#))
        #expect(!lines.joined().contains("Ada"))
    }

    private static let received =
        #""type":"notification.received","notification":"n","version":2"#

    @Test(arguments: [
        (received + #","name""#, "4915112345678"), (received + #","name""#, "DID_RENEW_ADA"),
        (received + #","name":"TEST","subtype""#, "4700019259606023"),
        (
            #""type":"cancellation.revoked","transaction":"5","cancelledAt":"\#(time)","reason""#,
            "JOHN_DOE_1985"
        ),
        (#""type":"catalog.listed","product":"p","kind":"consumable","period""#, "P4915112345678D"),
        (#""type":"queue.failed","payment":"p","error""#, "EUR_4915112345678"),
    ])
    func `what only looks like a word of the App Store goes`(_ rest: String, _ text: String) {
        let line = Self.line(2, #"\#(rest):"\#(text)""#)
        let (lines, summary) = redacted(Self.opened, line)
        #expect(summary.texts == 1 && summary.events == 2)
        #expect(lines[1].contains(Self.digest(text)) && !lines[1].contains(text))
    }

    @Test func `every type and subtype that the importer knows stays`() {
        let types =
            ServerNotification.Kind.allCases.map(\.rawValue)
            + StatusUpdateNotification.Kind.allCases.map(\.rawValue)
        #expect(types.allSatisfy { StoreWords.hold($0, under: .name) })
        let subtypes = ServerNotification.Kind.allCases.flatMap(\.subtypes).map(\.rawValue)
        #expect(subtypes.allSatisfy { StoreWords.hold($0, under: .subtype) })
        #expect(
            RevocationReason.allCases.allSatisfy { StoreWords.hold($0.rawValue, under: .reason) })
    }

    @Test func `two events with one id that differ only in what goes still differ`() throws {
        let pairs = [
            [#""text":"one""#, #""text":"two""#],
            [#""text":"one","who":1"#, #""text":"one","who":2"#],
            [#""text":"one","who":1"#, #""text":"one""#],
        ]
        for pair in pairs {
            let lines = pair.enumerated().map { index, rest in
                Self.line(index + 2, #""type":"log.noted","id":"n",\#(rest)"#)
            }
            let log = Array(([Self.opened] + lines).map { $0 + "\n" }.joined().utf8)
            for bytes in [log, Redacting.redacted(log).log] {
                let findings = try LogLines(bytes).findings().filter {
                    $0.rule == "identifiers-unique"
                }
                #expect(findings.map(\.level) == [.error], "\(pair)")
            }
        }
    }

    @Test func `a line that isn't understood says nothing, and lines keep their numbers`() throws {
        let (lines, summary) = redacted(
            Self.opened, "Ada", "", Self.line(3, #""type":"future.word","account":"Ada""#),
            #"{"seq":4,"seq":4}"#, Self.line(5, #""type":"app.launched""#))
        let nothing = String(decoding: LineRedactor.placeholder, as: UTF8.self)
        #expect(lines.count == 7 && lines.last == "")
        #expect([lines[1], lines[3], lines[4]] == [nothing, nothing, nothing] && lines[2] == "")
        #expect(summary.lines == 6 && summary.blank == 1 && summary.notUnderstood == 3)
        #expect(summary.events + summary.blank + summary.notUnderstood == summary.lines)
        let decoded = LineRedactor.placeholder.withUnsafeBytes { LineDecoder().decodeWritten($0) }
        guard case .notUnderstood = decoded else { return #expect(Bool(false)) }
        let torn = Redacting.redacted(Array("\(Self.opened)\n{\"seq\":2".utf8))
        #expect(torn.summary.notUnderstood == 1)
    }

    @Test func `dates move by whole days, or the line goes`() {
        let line = Self.line(
            2,
            #""type":"delivery.delivered","transaction":"5001","until":"9999-12-31T00:00:00.000Z""#)
        let back = redacted(Self.opened, line) { $0.shift = -31 }
        #expect(back.lines[0].contains(#""at":"2026-01-29T09:00:00.000Z""#))
        #expect(back.lines[1].hasSuffix(#""until":"9999-11-30T00:00:00.000Z"}"#))
        let forward = redacted(Self.opened, line) { $0.shift = 1 }
        #expect(forward.summary.notUnderstood == 1 && forward.summary.events == 1)
    }

    @Test func `a chained log is unchained, or chained anew`() throws {
        var (chain, log) = (Chain(), [UInt8]())
        for (index, event) in Redacting.events(Redacting.log(seed: 1, events: 60)).enumerated() {
            var event = event
            if index == 0 { event.fact = .logOpened(.init(schema: 1, chained: true)) }
            log += try LineWriter.line(of: event, in: &chain) + [0x0A]
        }
        let plain = Redacting.redacted(log).log
        #expect(!String(decoding: plain, as: UTF8.self).contains("chain"))
        log += Array("\nnothing\n".utf8)
        let chained = Redacting.redacted(log) { $0.isChained = true }
        let lines = chained.log.split(separator: 0x0A)
        #expect(String(decoding: lines[0], as: UTF8.self).contains(#""chained":true"#))
        #expect(lines.count == 61)
        var follower = Chain()
        for line in lines { #expect(line.withUnsafeBytes { follower.follow($0) } == nil) }
    }

    @Test func `any number of threads and of pieces gives the same bytes`() throws {
        let log = Redacting.log(seed: 3, events: 120)
        var alone = Redactor(Redaction(Redacting.key))
        let expected = alone.redact(log)
        for threads in [2, 3, 7, 500] {
            var redactor = Redactor(Redaction(Redacting.key), threads: threads)
            var output: [UInt8] = []
            try redactor.redact(MemorySource(log)) { output += $0 }
            #expect(output == expected && redactor.summary == alone.summary)
        }
        var empty = Redactor(Redaction(Redacting.key))
        #expect(empty.redact([]).isEmpty)
    }
}
