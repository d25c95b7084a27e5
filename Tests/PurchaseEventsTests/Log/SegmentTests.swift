import TestSupport
import Testing

@testable import PurchaseEvents

struct SegmentTests {
    let files = MemoryFiles()
    static let folder = "logs/app"

    private func create(_ size: Int64 = 300) throws -> EventLog {
        try LogSamples.create(in: files, at: SegmentTests.folder, layout: .segments(size: size))
    }

    private func open(_ tornTail: TornTailPolicy = .refuse) throws -> EventLog {
        try EventLog.open(
            at: SegmentTests.folder, durability: .disk, tornTail: tornTail, segmentSize: 300,
            operations: files)
    }

    private func segment(_ start: Int) -> String {
        "\(SegmentTests.folder)/\(SegmentName(start: Int64(start)).text)"
    }

    @Test func `a segment is named by the number of bytes before it`() throws {
        #expect(SegmentName(start: 0).text == "0000000000000000.jsonl")
        #expect(SegmentName(start: 1_234_567).text == "0000000001234567.jsonl")
        #expect(SegmentName("0000000001234567.jsonl")?.start == 1_234_567)
        for name in ["", "0.jsonl", "000000000123456x.jsonl", "0000000001234567.jsonl.new", "a"] {
            #expect(SegmentName(name) == nil)
        }
        #expect(
            SegmentName.all(among: ["b", SegmentName(start: 9).text, "0", "x.jsonl"]).count == 1)
    }

    @Test func `a log continues in the next segment when one is full`() throws {
        let log = try create()
        for text in ["a", "b", "c", "d", "e", "f"] { try log.append(LogSamples.draft(text)) }
        let segments = files.paths.filter { $0.hasSuffix(".jsonl") }
        #expect(segments.count > 1)
        let joined = segments.compactMap { files.text($0) }.joined()
        #expect(joined == LogSamples.log("a", "b", "c", "d", "e", "f"))
        for segment in segments { #expect(files.text(segment)?.utf8.count ?? 0 <= 300) }
        #expect(try LogSamples.texts(of: log).last == "7 f")
        log.close()
        let again = try open()
        #expect(again.openingReport.isSound)
        #expect(try again.append(LogSamples.draft("g")).seq == 8)
    }

    @Test func `a batch isn't split`() throws {
        let log = try create()
        try log.append((0..<20).map { LogSamples.draft("\($0)") })
        try log.append(LogSamples.draft("next"))
        #expect(files.paths.filter { $0.hasSuffix(".jsonl") }.count == 3)
        #expect(try LogSamples.texts(of: log).count == 22)
    }

    @Test func `rotating starts a segment and seals the previous one`() throws {
        let log = try create(10_000)
        try log.append(LogSamples.draft("a"))
        let start = LogSamples.log("a").utf8.count
        try log.rotate()
        try log.rotate()
        #expect(files.paths.filter { $0.hasSuffix(".jsonl") } == [segment(0), segment(start)])
        try log.append(LogSamples.draft("b"))
        #expect(files.text(segment(0)) == LogSamples.log("a"))
        #expect(files.text(segment(start)) == LogSamples.line(3, "b"))
        let number = #expect(throws: SystemError(code: 13)) {
            try files.openFile(at: segment(0), for: .appending)
        }
        #expect(number != nil)
    }

    @Test func `a log in one file has no segments`() throws {
        let log = try LogSamples.create(in: files)
        #expect(throws: EventLogError.notSegmented(path: LogSamples.path)) { try log.rotate() }
    }

    @Test func `ids are known across segments`() throws {
        let log = try create()
        for number in 0..<9 { try log.append(LogSamples.draft("\(number)", id: "id \(number)")) }
        #expect(try log.append(LogSamples.draft("0", id: "id 0")).outcome == .alreadyThere)
        log.close()
        let again = try open()
        #expect(try again.append(LogSamples.draft("1", id: "id 1")).seq == 3)
        #expect(throws: EventLogError.idConflict(draft: 0, id: "id 1", seq: 3)) {
            try again.append(LogSamples.draft("2", id: "id 1"))
        }
    }

    @Test func `a segment that can't be created loses nothing and can be retried`() throws {
        let log = try create()
        try log.append(LogSamples.draft("a"))
        for call in [FileCall.open, .syncFolder] {
            files.plan { $0 == call && $1 == 0 ? .fail(28) : nil }
            #expect(throws: EventLogError.self) { try log.rotate() }
            files.heal()
            try log.append(LogSamples.draft("\(call)"))
            try log.append(LogSamples.draft("more"))
        }
        files.losePower()
        log.close()
        #expect(try LogSamples.texts(of: open()).count == 6)
    }

    @Test func `only the torn tail of the last segment is cut`() throws {
        let log = try create()
        for text in ["a", "b", "c", "d"] { try log.append(LogSamples.draft(text)) }
        log.close()
        let last = try #require(files.paths.last { $0.hasSuffix(".jsonl") })
        files[last]?.append(contentsOf: Array("torn".utf8))
        #expect(throws: EventLogError.self) { try open() }
        let again = try open(.cut(recordedAt: LogSamples.now))
        let cut = try #require(again.openingReport.cuts.first)
        #expect(cut.path.hasPrefix(last + ".tail-"))
        #expect(files.text(cut.path) == "torn")
        #expect(try LogSamples.texts(of: again).last == "6 log.recovered")
    }

    @Test func `bytes after a sealed segment's end aren't part of the log`() throws {
        let log = try create(10_000)
        try log.append(LogSamples.draft("a"))
        try log.rotate()
        try log.append(LogSamples.draft("b"))
        files[segment(0)]?.append(contentsOf: Array(LogSamples.line(3, "lost").utf8))
        #expect(try LogSamples.texts(of: log) == ["1 log.opened", "2 a", "3 b"])
        log.close()
        #expect(try open().openingReport.isSound)
    }

    @Test func `a missing or cut segment is an error`() throws {
        let log = try create()
        for text in ["a", "b", "c", "d", "e", "f"] { try log.append(LogSamples.draft(text)) }
        log.close()
        let segments = files.paths.filter { $0.hasSuffix(".jsonl") }
        let first = try #require(files[segments[0]])
        files[segments[0]] = nil
        let error = #expect(throws: EventLogError.self) { try open() }
        #expect(
            error?.description
                == "`\(segment(0))`: expected at least \(first.count) bytes, seen 0 bytes; the log "
                + "was cut, or one of its segments is missing")
        files[segments[0]] = first.dropLast(1)
        #expect(throws: EventLogError.self) { try open() }
        files[segments[0]] = first
        #expect(try open().openingReport.isSound)
    }

    @Test func `a log with a damaged sealed segment is open for reading only`() throws {
        let log = try create(10_000)
        try log.append([LogSamples.draft("a"), LogSamples.draft("b")])
        try log.rotate()
        log.close()
        let bytes = try #require(files[segment(0)])
        files[segment(0)] = bytes.dropLast(2) + Array("?\n".utf8)
        let again = try open(.cut(recordedAt: LogSamples.now))
        #expect(again.openingReport.damage?.position.line == 3)
        #expect(throws: EventLogError.self) { try again.append(LogSamples.draft("c")) }
    }

    @Test func `an interrupted creation can be repeated`() throws {
        try files.makeFolder(at: SegmentTests.folder)
        #expect(throws: EventLogError.self) { try open() }
        try create().close()
        #expect(try open().openingReport.events == 1)
        #expect(throws: EventLogError.alreadyExists(path: SegmentTests.folder)) { try create() }
    }

    @Test func `a reader continues into segments started later`() throws {
        let log = try create(250)
        let reader = try EventReader(at: SegmentTests.folder, operations: files)
        #expect(LogSamples.texts(try LogSamples.entries(reader)) == ["1 log.opened"])
        for number in 2..<40 {
            try log.append(LogSamples.draft("\(number)"))
            let found = LogSamples.texts(try LogSamples.entries(reader))
            #expect(found == ["\(number) \(number)"])
        }
        let position = reader.position
        let again = try EventReader(at: SegmentTests.folder, from: position, operations: files)
        try log.append(LogSamples.draft("end"))
        #expect(LogSamples.texts(try LogSamples.entries(again)) == ["40 end"])
    }
}
