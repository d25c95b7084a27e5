import Foundation
import PurchaseEvents
import TestSupport
import Testing

struct LogReaderTests {
    /// The result for a line; the bytes of a line that is too long aren't kept.
    private struct LineResult: Equatable {
        var number: Int
        var decoded: DecodedLine<Interned>
        var notes: [Diagnostic]
        var bytes: [UInt8]

        init(_ line: ReadLine) {
            (number, decoded, notes) = (line.number, line.decoded, line.notes)
            bytes = []
            if code != .lineTooLong { bytes = Array(line.bytes) }
        }

        var code: DiagnosticCode? {
            if case .notUnderstood(let diagnostic) = decoded { diagnostic.code } else { nil }
        }

        var isEvent: Bool { if case .event = decoded { true } else { false } }
    }

    private func read(_ source: any ByteSource) throws -> (
        results: [LineResult], counts: LineCounts
    ) {
        let reader = LogReader()
        var results: [LineResult] = []
        try reader.read(source) { line in
            results.append(LineResult(line))
            return true
        }
        #expect(reader.counts.addUp)
        #expect(reader.counts.lines == results.count)
        #expect(reader.counts.events == results.count(where: \.isEvent))
        #expect(reader.counts.blank == results.count { $0.decoded == .blank })
        #expect(results.map(\.number) == results.indices.map { $0 + 1 })
        return (results, reader.counts)
    }

    private func read(_ text: String) throws -> [LineResult] {
        try read(MemorySource(Array(text.utf8))).results
    }

    private let opened =
        #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.opened","schema":1}"#
    private let launched = #"{"seq":2,"at":"2026-02-20T09:00:01.000Z","type":"app.launched"}"#

    @Test(arguments: ["valid", "violations", "malformed"])
    func `a log reads the same in any portions`(_ folder: String) throws {
        var dice = Dice(seed: 11)
        for log in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            let bytes = try Folders.bytes(of: log)
            let whole = try read(MemorySource(bytes))
            #expect(
                whole.counts.bytes == bytes.count || log.lastPathComponent == "line-too-long.jsonl")
            let sources = [
                ChoppedSource(bytes) { 64 << 10 }, ChoppedSource(bytes) { dice.below(500) },
                ChoppedSource(bytes) { bytes.count < 20_000 ? 1 : 1_000 },
            ]
            for source in sources { #expect(try read(source).results == whole.results) }
        }
    }

    @Test func `a long log reads the same in any portions`() throws {
        var dice = Dice(seed: 12)
        var text = opened + "\n"
        let count = Effort.of(whole: 8_000, part: 4_000)
        for seq in 2..<count {
            let remark = String(repeating: "a", count: dice.below(200))
            text +=
                "{\"seq\":\(seq),\"at\":\"2026-02-20T09:00:00.000Z\",\"type\":\"log.noted\","
                + "\"text\":\"\(remark)\"}\n"
        }
        let bytes = Array(text.utf8)
        let whole = try read(MemorySource(bytes))
        #expect(whole.counts.events == count - 1)
        #expect(whole.counts.bytes == bytes.count)
        for portion in [64 << 10, 4_096, 100_000] {
            #expect(try read(ChoppedSource(bytes) { portion }).results == whole.results)
        }
        #expect(try read(ChoppedSource(bytes) { dice.below(30_000) }).results == whole.results)
    }

    @Test(arguments: [
        65_537, 65_538, 131_072, 131_073, 200_000, 262_143, 262_144, 262_145, 5 << 20,
    ])
    func `a line that is too long is one line, and reading continues after it`(_ length: Int) throws
    {
        let long = String(repeating: "x", count: length)
        let text =
            [opened, long, launched, long, long, "", launched].joined(separator: "\n") + "\n"
        var dice = Dice(seed: UInt64(length))
        let sources: [any ByteSource] = [
            MemorySource(Array(text.utf8)), ChoppedSource(Array(text.utf8)) { 64 << 10 },
            ChoppedSource(Array(text.utf8)) { 5_000 + dice.below(60_000) },
        ]
        for source in sources {
            let results = try read(source).results
            #expect(results.count == 7)
            #expect(results.map(\.isEvent) == [true, false, true, false, false, false, true])
            #expect([1, 3, 4].allSatisfy { results[$0].code == .lineTooLong })
            #expect(results[5].decoded == .blank)
        }
        let unended = try read(opened + "\n" + long)
        #expect(unended.count == 2)
        #expect(unended[1].code == .lineTooLong)
    }

    @Test func `a line of 65,536 bytes is read in any portions`() throws {
        let full = launched + String(repeating: " ", count: 65_536 - launched.utf8.count)
        let text = [opened, full, full, launched].joined(separator: "\n") + "\n"
        for portion in [1_000, 4_096, 64 << 10, 65_536, 1 << 20] {
            let results = try read(ChoppedSource(Array(text.utf8)) { portion }).results
            #expect(results.count == 4)
            #expect(results.allSatisfy { $0.isEvent && $0.notes.isEmpty })
        }
    }

    @Test func `an empty input has no lines`() throws {
        #expect(try read("").isEmpty)
        #expect(try read("\n").map(\.decoded) == [.blank])
        #expect(try read("\n\n").map(\.decoded) == [.blank, .blank])
        #expect(try read("\n").first?.notes.map(\.code) == [.blankLine])
        #expect(try read(" ").map(\.decoded) == [.blank])
    }

    @Test func `a complete last line without a newline is an event with a note`() throws {
        let results = try read(opened + "\n" + launched)
        #expect(results.map(\.isEvent) == [true, true])
        #expect(results[1].notes.map(\.code) == [.noFinalNewline])
        #expect(results[1].notes.first?.byte == launched.utf8.count + 1)
        #expect(
            try read(opened + "\n" + launched + "\r")[1].notes.map(\.code).contains(.noFinalNewline)
        )
    }

    @Test func `a log cut at any byte ends in an event or a torn tail`() throws {
        let text = Array([opened, launched, noted("é")].joined(separator: "\n").utf8) + [0x0A]
        let ends = text.indices.filter { text[$0] == 0x0A }
        for cut in 1..<text.count {
            let results = try read(MemorySource(Array(text[..<cut]))).results
            let ended = ends.count { $0 < cut }
            if text[cut - 1] == 0x0A {
                #expect(results.count == ended && results.allSatisfy(\.isEvent))
            } else if text[cut] == 0x0A {
                #expect(results.last?.isEvent == true)
                #expect(results.last?.notes.map(\.code) == [.noFinalNewline])
            } else {
                #expect(results.count == ended + 1)
                #expect(results.last?.code == .tornTail, "cut at \(cut)")
            }
        }
    }

    private func noted(_ text: String) -> String {
        #"{"seq":3,"at":"2026-02-20T09:00:00.000Z","type":"log.noted","text":"\#(text)"}"#
    }

    @Test(arguments: ["{\"seq\":1", "\u{B}", "[1", "\"a", "tru", "{\"a\":\"\\ud800\""])
    func `an incomplete last line is a torn tail`(_ tail: String) throws {
        let results = try read(opened + "\n" + tail)
        #expect(results[1].code == .tornTail)
        #expect(try read(opened + "\n" + tail + "\n")[1].code != .tornTail)
    }

    @Test func `a complete object that isn't an event is reported with its reason`() throws {
        #expect(try read(opened + "\n{}")[1].code == .missingKey)
        #expect(try read(opened + "\n{\"type\":\"nonesuch\"}")[1].code == .unknownType)
    }

    @Test func `a log that starts in the middle is reported at its first event`() throws {
        let results = try read("\nx\n\(launched)\n\(opened)\n\(launched)\n")
        #expect(results.map { $0.notes.map(\.code) } == [[.blankLine], [], [.notOpened], [], []])
    }

    @Test func `line numbers continue across the files of one log`() throws {
        let reader = LogReader()
        var numbers: [Int] = []
        var notes: [DiagnosticCode] = []
        for file in [opened + "\n", launched + "\n" + launched, launched + "\n"] {
            try reader.read(MemorySource(Array(file.utf8))) { line in
                numbers.append(line.number)
                notes += line.notes.map(\.code)
                return true
            }
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(notes == [.noFinalNewline])
        #expect(reader.counts.lines == 4 && reader.counts.addUp)
        #expect(reader.counts.bytes == opened.utf8.count + 3 * launched.utf8.count + 3)
    }

    @Test(arguments: [1, 2], [0, 20, 20_000])
    func `reading stops when the visitor says so`(_ threads: Int, _ more: Int) throws {
        let reader = LogReader(threads: threads)
        let text =
            [opened, launched, launched].joined(separator: "\n") + "\n"
            + String(repeating: launched + "\n", count: more)
        try reader.read(MemorySource(Array(text.utf8))) { $0.number < 3 }
        #expect(reader.counts.lines == 3)
    }

    @Test(arguments: [1, 2])
    func `the read-ahead observer receives every line before the visitor`(_ threads: Int) throws {
        let text = opened + "\n\nx\n" + String(repeating: launched + "\n", count: 20_000)
        let bytes = Array(text.utf8)
        let early = Protected<[Int]>([])
        let reader = LogReader(threads: threads)
        for part in 1...2 {
            try reader.readLines(
                MemorySource(bytes),
                ahead: { lines in early.withLock { $0 += lines.map(\.number) } },
                { lines in
                    let last = lines.last?.number ?? 0
                    #expect(early.withLock { $0.last ?? 0 } >= last)
                    return lines.count
                })
            #expect(early.withLock { $0 } == Array(1...part * 20_003))
        }
    }

    @Test func `lines read in groups equal lines read one by one`() throws {
        let text = "\n" + opened + "\nx\n" + String(repeating: launched + "\n", count: 2_000)
        for end in ["", launched] {
            let bytes = Array((text + end).utf8)
            let results = try read(MemorySource(bytes)).results
            let reader = LogReader()
            var numbers: [Int] = []
            try reader.readLines(MemorySource(bytes)) { lines in
                let arePlain = lines.allSatisfy { $0.event != nil && $0.notes.isEmpty }
                #expect(lines.hasNotesOrNonEvents || arePlain)
                #expect(lines.firstNumber == numbers.count + 1)
                let events = lines.allEvents
                #expect((events == nil) == lines.contains { $0.event == nil })
                #expect(events.map { $0.count } ?? lines.count == lines.count)
                let rest = lines.dropFirst(2)
                #expect(rest.map(\.number) == Array(lines.map(\.number).dropFirst(2)))
                let others = rest.allEvents.map { Array($0) }
                #expect(others == events.map { Array($0.dropFirst(2)) })
                numbers += lines.map(\.number)
                return lines.count
            }
            #expect(numbers == Array(1...results.count))
            #expect(reader.counts == (try read(MemorySource(bytes)).counts))
            #expect(reader.counts.bytes == bytes.count)
        }
    }

    @Test(arguments: [1, 2])
    func `only the lines that a visitor accepts are counted`(_ threads: Int) throws {
        let text = opened + "\n\n" + String(repeating: launched + "\n", count: 20_000)
        for taken in [0, 1, 2, 3, 50] {
            let reader = LogReader(threads: threads)
            var visits = 0
            try reader.readLines(MemorySource(Array(text.utf8))) { lines in
                visits += 1
                return min(taken, lines.count)
            }
            #expect(visits == 1)
            #expect(reader.counts.lines == taken && reader.counts.addUp)
            #expect(reader.counts.blank == (taken > 1 ? 1 : 0))
            let bytes = Array(text.utf8).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[..<taken]
            #expect(reader.counts.bytes == bytes.reduce(0) { $0 + $1.count + 1 })
        }
    }

    @Test(arguments: [1, 2])
    func `errors of a source or a visitor are rethrown`(_ threads: Int) throws {
        let text = Array((opened + "\n" + launched + "\n").utf8)
        #expect(throws: ReadProblem(code: 5)) {
            try LogReader(threads: threads).read(
                ChoppedSource(text, failure: ReadProblem(code: 5)) { 1 }
            ) { _ in
                true
            }
        }
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try LogReader(threads: threads).read(MemorySource(text)) { _ in throw Enough() }
        }
        #expect(!ReadProblem(code: 5).description.isEmpty)
    }

    @Test func `a descriptor is read to its end`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(
            contentsOf: Data((opened + "\n" + launched + "\n").utf8))
        try pipe.fileHandleForWriting.close()
        let source = DescriptorSource(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(try read(source).counts.events == 2)
        #expect(throws: ReadProblem.self) { try read(DescriptorSource(descriptor: -1)) }
    }
}
