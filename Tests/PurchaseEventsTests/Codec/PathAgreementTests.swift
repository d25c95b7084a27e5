import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

/// The quick path and the careful path give the same result for every line.
struct PathAgreementTests {
    private static let logs = ["valid", "violations", "malformed"].flatMap {
        Folders.files(in: Folders.events.appending(path: $0), "jsonl")
    }

    /// The replacements for a byte: every byte, or the ones that JSON distinguishes and a few
    /// others.
    private static let values = Effort.of(
        whole: Array(UInt8.min...UInt8.max),
        part: Array("\"\\{}[]:,-+.019aueEnz \n\r\t\0\u{1F}\u{7F}é".utf8)
            + [0x80, 0xC0, 0xED, 0xFF])

    /// Two decoders that share a table, so that equal handles mean equal names.
    private struct Pair {
        let quick: LineDecoder
        let careful: LineDecoder

        init() {
            let names = NameTable()
            quick = LineDecoder(names: names)
            careful = LineDecoder(names: names)
        }

        func agree(_ line: [UInt8]) -> Bool {
            line.withUnsafeBytes {
                quick.decode($0) == careful.decodeCarefully($0) && quick.notes == careful.notes
            }
        }
    }

    private func lines(of log: URL) throws -> [[UInt8]] {
        try Folders.bytes(of: log).split(separator: 0x0A, omittingEmptySubsequences: false)
            .map(Array.init)
    }

    @Test(arguments: PathAgreementTests.logs)
    func `both paths agree on every line of the samples`(_ log: URL) throws {
        let pair = Pair()
        for line in try lines(of: log) {
            #expect(pair.agree(line), "\(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test(arguments: EventType.allCases)
    func `both paths agree on every line generated from the schemas`(_ type: EventType) {
        let pair = Pair()
        for sample in LineSample.all(type) {
            #expect(pair.agree(Array(sample.text.utf8)), "\(sample)")
            #expect(pair.agree(Array(sample.adding(.chain, "\"\"").text.utf8)), "\(sample)")
        }
    }

    @Test(arguments: [
        #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.noted","text":"a"}"#,
        #"{"seq":12,"at":"2026-02-20T09:00:00.000Z","type":"queue.failed","payment":"p","#
            + #""error":"network","code":-7}"#,
        #"{"type":"log.opened","at":"2026-02-20T09:00:00Z","seq":1,"schema":1,"chained":true}"#,
        #"{"seq":1,"at":"2026-02-20T09:00:00.5Z","type":"app.launched","id":"é\u0041","x":[1,{}]}"#,
    ])
    func `both agree on changes of one byte`(_ text: String) {
        let pair = Pair()
        var line = Array(text.utf8)
        for place in line.indices {
            let was = line[place]
            for value in PathAgreementTests.values {
                line[place] = value
                guard !pair.agree(line) else { continue }
                Issue.record("byte \(place) as \(value) of \(text)")
                return
            }
            line[place] = was
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `both paths agree on random changes`(_ seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let pair = Pair()
        let samples = try PathAgreementTests.logs.filter {
            $0.lastPathComponent != "line-too-long.jsonl"
        }
        .flatMap(lines).filter { !$0.isEmpty }
        let splices = [
            "\"", "\\", "\\u0041", "\\ud800", ",", ":", "{", "}", "[", "]", " ", "\t", "\r", "0",
            "-",
            "1.5", "true", "null", "\"seq\":2,", ",\"chain\":\"0\"", ",\"x\":{}", "é", "\u{85}",
            "\u{FEFF}", "\u{7F}", "\0", "99999999999999999",
        ].map { Array($0.utf8) }
        for _ in 0..<Effort.of(whole: 5_000, part: 1_000) {
            var line = dice.pick(samples)
            for _ in 0...dice.below(3) { mutate(&line, splices, samples, &dice) }
            guard !pair.agree(line) else { continue }
            Issue.record("seed \(seed): \(String(decoding: line, as: UTF8.self))")
            return
        }
    }

    private func mutate(
        _ line: inout [UInt8], _ splices: [[UInt8]], _ samples: [[UInt8]], _ dice: inout Dice
    ) {
        let place = dice.below(line.count + 1)
        let end = min(line.count, place + dice.below(8))
        switch dice.below(5) {
        case 0: line.insert(contentsOf: dice.pick(splices), at: place)
        case 1: line.removeSubrange(place..<end)
        case 2: line.replaceSubrange(place..<end, with: dice.pick(splices))
        case 3: if place < line.count { line[place] = UInt8(dice.below(256)) }
        case _:
            let other = dice.pick(samples)
            line.replaceSubrange(place..., with: other[min(place, other.count)...])
        }
    }

    /// Compares names by their texts: a table distinguishes names by their bytes.
    @Test func `a table returns each name unchanged`() {
        var dice = Dice(seed: 5)
        let names = NameTable()
        var handles: [[UInt8]: Identifier<Roles.Product, Interned>] = [:]
        for _ in 0..<5_000 {
            let text = String((0...dice.below(40)).map { _ in dice.pick(Array("aé\u{301}😀0")) })
            let name = ProductID<Written>(text)
            let handle = names.intern(name)
            #expect(handles[Array(text.utf8), default: handle] == handle)
            handles[Array(text.utf8)] = handle
            #expect(names.text(of: handle).utf8.elementsEqual(text.utf8))
            #expect(names.find(name) == handle)
        }
        #expect(names.count(of: .product) == handles.count)
        #expect(Set(handles.values).count == handles.count)
        #expect(names.find(ProductID<Written>("never")) == nil)
    }
}
