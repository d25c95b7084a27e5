import TestSupport
import Testing

@testable import PurchaseEvents

struct EventLogChainTests {
    let files = MemoryFiles()

    private func lines(_ path: String = LogSamples.path) -> [[UInt8]] {
        (files[path] ?? []).split(separator: 0x0A).map(Array.init)
    }

    private func broken(_ lines: [[UInt8]]) -> Int? {
        var chain = Chain()
        return lines.firstIndex { line in line.withUnsafeBytes { chain.follow($0) } != nil }
    }

    private func create(_ texts: [String]) throws {
        let log = try LogSamples.create(in: files, chained: true)
        try log.append(texts.map { LogSamples.draft($0, id: $0) })
        log.close()
    }

    @Test func `a log is chained from its first line`() throws {
        let log = try LogSamples.create(in: files, chained: true)
        try log.append([LogSamples.draft("a"), LogSamples.draft("b", id: "x")])
        let answer = try log.append(LogSamples.draft("c"))
        #expect(lines().count == 4)
        #expect(broken(lines()) == nil)
        #expect(lines().last == answer.line)
        #expect(LogSamples.text(lines()[0]).contains(#""chained":true"#))
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.isSound)
        #expect(try again.append(LogSamples.draft("b", id: "x")).outcome == .alreadyThere)
        try again.append(LogSamples.draft("d"))
        #expect(broken(lines()) == nil)
    }

    @Test func `a refused batch leaves the chain unchanged`() throws {
        let log = try LogSamples.create(in: files, chained: true)
        let long = String(repeating: "x", count: 5_000)
        _ = try? log.append([LogSamples.draft("a"), LogSamples.draft(long)])
        files.plan { call, _ in call == .append ? .fail(28) : nil }
        _ = try? log.append(LogSamples.draft("b"))
        files.heal()
        try log.append(LogSamples.draft("c"))
        #expect(broken(lines()) == nil)
        #expect(lines().count == 2)
    }

    @Test func `a chain continues across segments and a recovery`() throws {
        let log = try LogSamples.create(in: files, layout: .segments(size: 500), chained: true)
        for text in ["a", "b", "c", "d"] { try log.append(LogSamples.draft(text)) }
        log.close()
        let last = try #require(files.paths.last { $0.hasSuffix(".jsonl") })
        files[last]?.append(contentsOf: Array("torn".utf8))
        try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
            .append(LogSamples.draft("e"))
        let segments = files.paths.filter { $0.hasSuffix(".jsonl") }
        #expect(segments.count > 2)
        #expect(broken(segments.flatMap { lines($0) }) == nil)
    }

    @Test func `a changed, removed or moved line is reported`() throws {
        try create(["a", "b", "c", "d"])
        let whole = lines()
        let changed = LogSamples.text(whole[2]).replacing(#""text":"b""#, with: #""text":"x""#)
        var edited = whole, repeated = whole, unchained = whole
        edited[2] = Array(changed.utf8)
        repeated.append(whole[4])
        unchained[4] = Array(LogSamples.line(5, "d").utf8.dropLast())
        var shorter = whole, moved = whole
        shorter.remove(at: 2)
        moved.swapAt(1, 2)
        let cases: [(lines: [[UInt8]], line: Int64)] = [
            (edited, 3), (shorter, 3), (moved, 2), (repeated, 6), (unchained, 5),
        ]
        for (lines, line) in cases {
            files[LogSamples.path] = lines.flatMap { $0 + [0x0A] }
            files[LogSamples.path + ".lock"] = nil
            let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
            #expect(log.openingReport.damage?.position.line == line)
            let bytes = files[LogSamples.path]
            #expect(throws: EventLogError.self) { try log.append(LogSamples.draft("e")) }
            #expect(files[LogSamples.path] == bytes)
        }
    }

    @Test func `a first line that lost its chain value is damage`() throws {
        try create(["a", "b"])
        let whole = lines()
        let first = LogSamples.text(whole[0])
        var undigited = first
        let digit = try #require(first.firstRange(of: #","chain":""#)).upperBound
        undigited.replaceSubrange(digit...digit, with: "x")
        let firsts: [String?] = [
            first.replacing("log.opened", with: "log.opaned"),
            first.replacing(#""chained":true"#, with: #""chained":false"#),
            undigited, String(LogSamples.opened.dropLast()), "", nil,
        ]
        for first in firsts {
            let start: [[UInt8]] = first.map { [Array($0.utf8)] } ?? []
            let bytes: [UInt8] = (start + whole.dropFirst()).flatMap { $0 + [0x0A] }
            files[LogSamples.path] = bytes
            let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
            let damage = try #require(log.openingReport.damage)
            #expect(damage.position == .start)
            guard case .chain = damage.kind else {
                Issue.record("expected a break of the chain, seen \(damage)")
                continue
            }
            #expect(log.openingReport.problems.count { $0.kind == damage.kind } == 1)
            #expect(throws: EventLogError.damaged(path: LogSamples.path, damage)) {
                try log.append(LogSamples.draft("c"))
            }
            #expect(files[LogSamples.path] == bytes)
        }
    }

    @Test func `a torn chained first line isn't a break of the chain`() throws {
        try create([])
        var bytes = try #require(files[LogSamples.path])
        bytes.replaceSubrange(20..<40, with: [UInt8](repeating: 0, count: 20))
        files[LogSamples.path] = bytes
        var note = WriterNote.blank(1)
        DurableMark.safe(0).write(overEndOf: &note)
        files[LogSamples.path + ".lock"] = note
        #expect(throws: EventLogError.empty(path: LogSamples.path)) {
            try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        }
        #expect(files[LogSamples.path + ".tail-0"] == bytes)
    }

    @Test func `a log that lost bytes known to be on the disk is reported`() throws {
        try create(["a", "b", "c"])
        files[LogSamples.path] = lines().dropLast().flatMap { $0 + [0x0A] }
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.damage?.description.contains("known to be on the disk") == true)
    }
}
