import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

struct CanonicalContentTests {
    private let decoder = LineDecoder()

    /// The content that the decoder finds in the line, with braces added.
    private func found(_ line: [UInt8]) -> [UInt8]? {
        line.withUnsafeBytes { bytes in
            guard case .event(let event) = decoder.decode(bytes),
                let range = decoder.canonicalContent(bytes, event.type)
            else { return nil }
            return Array("{".utf8) + line[range] + Array("}".utf8)
        }
    }

    private func written(_ line: [UInt8]) -> (line: [UInt8], content: [UInt8])? {
        guard let event = Decoded(line).event, let whole = try? LineWriter.line(of: event),
            let content = try? LineWriter.content(of: event)
        else { return nil }
        return (whole, content)
    }

    /// Whether the line without its chain value is as a writer would write it.
    private func isCanonical(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        let chain = text.range(of: ",\"chain\":\"[0-9a-f]{64}\"}$", options: .regularExpression)
        let unchained = chain.map { text[..<$0.lowerBound] + "}" } ?? text[...]
        return Array(unchained.utf8) == written(line)?.line
    }

    /// Checks what must hold for every line, canonical or not.
    private func expectRight(_ line: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let text = String(decoding: line, as: UTF8.self)
        if let found = found(line) {
            #expect(found == written(line)?.content, "\(text)", sourceLocation: sourceLocation)
            #expect(isCanonical(line), "\(text)", sourceLocation: sourceLocation)
        } else if !line.contains(UInt8(ascii: "\\")) {
            #expect(!isCanonical(line), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: EventType.allCases)
    func `the content is found in every canonical line`(_ type: EventType) {
        for sample in LineSample.all(type) {
            let chain = "\"" + String(repeating: "a1", count: 32) + "\""
            for line in [sample.text, sample.adding(.chain, chain).text] {
                #expect(found(Array(line.utf8)) == written(Array(line.utf8))?.content, "\(line)")
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `no content is found in a line whose keys are out of order`(_ type: EventType) {
        let sample = LineSample.full(type)
        for index in sample.members.indices.dropFirst() {
            var other = sample
            other.members.swapAt(index - 1, index)
            #expect(found(Array(other.text.utf8)) == nil)
        }
    }

    @Test(arguments: [
        ("-1", true), ("-9", true), ("-10", true), ("0", true), ("7", true), ("-0", false),
        ("-9007199254740991", true),
    ])
    func `an integer has one canonical form`(_ value: String, _ isCanonical: Bool) {
        let line = LineSample.full(.queueFailed).setting(.code, to: value).text
        #expect((found(Array(line.utf8)) != nil) == isCanonical)
        expectRight(Array(line.utf8))
    }

    @Test(arguments: [
        ("2026-02-20T09:00:00.000Z", true), ("2026-02-20t09:00:00.000Z", false),
        ("2026-02-20T09:00:00.000z", false), ("2026-02-20T09:00:60.000Z", false),
        ("2026-02-20T09:00:00Z", false), ("2026-02-20T09:00:00.0000Z", false),
        ("2026-02-20T09:00:00+00:00", false), ("2026-02-20T09:00:00.00Z", false),
    ])
    func `a time has one canonical form`(_ time: String, _ isCanonical: Bool) {
        let line = LineSample.full(.queuePurchased).setting(.purchasedAt, to: "\"\(time)\"").text
        #expect((found(Array(line.utf8)) != nil) == isCanonical)
        expectRight(Array(line.utf8))
    }

    @Test(arguments: [
        "é", "日本", "\u{7F}", "\u{85}", "\u{A0}", "\u{61C}", "\u{200D}", "\u{200E}", "\u{2028}",
        "\u{202A}", "\u{2066}", "\u{206A}", "\u{FFFF}", "😀", #"\n"#, #"\u0041"#, #"\u2028"#, #"\/"#,
    ])
    func `a text and a name have one canonical form`(_ text: String) {
        expectRight(Array(noted("\"text\":\"\(text)\"").utf8))
        let line = LineSample.full(.queuePurchased).setting(.product, to: "\"\(text)\"").text
        expectRight(Array(line.utf8))
    }

    @Test func `a line with other syntax has no canonical content`() {
        let line = LineSample.full(.queuePurchased).text
        for other in [" " + line, line + " ", line + "\r", "\u{FEFF}" + line] {
            #expect(Decoded(other).event != nil)
            #expect(found(Array(other.utf8)) == nil)
        }
        let more = line.dropLast() + ",\"colour\":1}"
        #expect(found(Array(more.utf8)) == nil)
        let foreign = line.dropLast() + ",\"store\":\"receipt\"}"
        #expect(found(Array(foreign.utf8)) == nil)
        #expect(found(Array(line.replacing("\"seq\"", with: #""s\u0065q""#).utf8)) == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the content is right for every changed line that is an event`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let marks = Array("0123456789-tTzZ\"\\,: {}aé\u{7F}\u{2028}".utf8)
        for _ in 0..<1_500 {
            let sample = LineSample.full(dice.pick(EventType.allCases))
            var line = Array(sample.text.utf8)
            let place = dice.below(line.count)
            if dice.below(3) == 0 {
                line.insert(dice.pick(marks), at: place)
            } else {
                line[place] = dice.pick(marks)
            }
            expectRight(line)
        }
    }

    @Test(arguments: ["valid", "violations"])
    func `the content is found in every line of the samples`(_ folder: String) throws {
        for log in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            for line in try Folders.bytes(of: log).split(separator: 0x0A) {
                let bytes = Array(line)
                if bytes.contains(UInt8(ascii: "\\")) {
                    expectRight(bytes)
                } else {
                    #expect(found(bytes) == written(bytes)?.content)
                    #expect(found(bytes) != nil, "\(log.lastPathComponent)")
                }
            }
        }
    }
}
