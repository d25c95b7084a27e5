import TestSupport
import Testing

@testable import PurchaseEvents

struct EventReaderTests {
    private func reader(
        _ files: MemoryFiles, from position: LogPosition = .start, fromSeq seq: Int64 = 1
    ) throws -> EventReader {
        try EventReader(at: LogSamples.path, from: position, fromSeq: seq, operations: files)
    }

    @Test func `every line is an event, a diagnostic or blank, with its position`() throws {
        let files = LogSamples.files(
            LogSamples.log("a") + "?\n" + "\n" + LogSamples.line(4, "c"))
        let entries = try LogSamples.entries(reader(files))
        #expect(LogSamples.texts(entries) == ["1 log.opened", "2 a", "?", "?", "4 c"])
        #expect(entries.map(\.position.line) == [1, 2, 3, 4, 5])
        #expect(entries.map(\.position.seq) == [1, 2, 3, 4, 4])
        #expect(entries[0].next == entries[1].position)
        #expect(entries[3].content == .blank)
        guard case .notUnderstood(let diagnostic) = entries[2].content else {
            Issue.record("expected a diagnostic, seen \(entries[2])")
            return
        }
        #expect(diagnostic.code == .notJSON)
    }

    @Test func `reading continues from any position`() throws {
        let files = LogSamples.files(LogSamples.log("a", "b", "c") + "?\n")
        let all = try LogSamples.entries(reader(files))
        for (number, entry) in all.enumerated() {
            let rest = try LogSamples.entries(reader(files, from: entry.position))
            #expect(rest == Array(all[number...]))
        }
    }

    @Test func `reading starts at the first event with at least a given seq`() throws {
        let files = LogSamples.files(LogSamples.log("a", "b") + "?\n" + LogSamples.line(6, "e"))
        let texts = try (1...7).map {
            try LogSamples.texts(LogSamples.entries(reader(files, fromSeq: $0)))
        }
        #expect(texts[2] == ["3 b", "?", "6 e"])
        #expect(texts[3] == ["?", "6 e"])
        #expect(texts[4] == ["6 e"])
        #expect(texts[6] == [])
    }

    @Test func `an open log reads acknowledged lines`() throws {
        let files = MemoryFiles()
        let log = try LogSamples.create(in: files)
        try log.append([LogSamples.draft("a"), LogSamples.draft("b")])
        let reader = try log.read(from: 2)
        try log.append(LogSamples.draft("c"))
        let entries = try LogSamples.entries(reader)
        #expect(LogSamples.texts(entries) == ["2 a", "3 b"])
        let rest = try log.read(from: try #require(entries.last).next)
        #expect(LogSamples.texts(try LogSamples.entries(rest)) == ["4 c"])
    }

    @Test func `a tail isn't a line until its newline arrives`() throws {
        let files = LogSamples.files(LogSamples.opened)
        let reader = try reader(files)
        #expect(try reader.next() != nil)
        var text = LogSamples.opened
        for byte in LogSamples.line(2, "a").unicodeScalars.dropLast() {
            text.unicodeScalars.append(byte)
            files[LogSamples.path] = Array(text.utf8)
            #expect(try reader.next() == nil)
            #expect(reader.tail?.position == reader.position)
        }
        #expect(
            reader.tail?.length == Int64(LogSamples.line(2, "a").utf8.count - 1))
        files[LogSamples.path] = Array((text + "\n").utf8)
        #expect(try reader.next()?.event?.seq == 2)
        #expect(reader.tail == nil)
    }

    @Test func `a tail that was cut back and rewritten is read in its new form`() throws {
        let files = LogSamples.files(LogSamples.log("a") + LogSamples.line(3, "old").dropLast(4))
        let reader = try reader(files)
        #expect(try LogSamples.entries(reader).count == 2)
        files[LogSamples.path] = Array((LogSamples.log("a") + LogSamples.line(3, "new")).utf8)
        #expect(try LogSamples.texts(LogSamples.entries(reader)) == ["3 new"])
    }

    @Test func `a shrunk log is distinguished from the end of a log`() throws {
        let files = LogSamples.files(LogSamples.log("a", "b"))
        let reader = try reader(files)
        _ = try LogSamples.entries(reader)
        let size = Int64(LogSamples.log("a", "b").utf8.count)
        let cut = LogSamples.log("a")
        files[LogSamples.path] = Array(cut.utf8)
        #expect(
            throws: EventLogError.shrank(
                path: LogSamples.path, read: size, size: Int64(cut.utf8.count))
        ) { try reader.next() }
    }

    @Test func `a position that isn't the start of a line is refused`() throws {
        let files = LogSamples.files(LogSamples.log("a"))
        let position = try #require(LogPosition(offset: 10, line: 2, seq: 2))
        #expect(throws: EventLogError.notALineStart(path: LogSamples.path, offset: 10)) {
            try reader(files, from: position).next()
        }
        #expect(LogPosition(offset: -1, line: 1, seq: 1) == nil)
        #expect(LogPosition(offset: 0, line: 0, seq: 1) == nil)
        #expect(LogPosition(offset: 0, line: 1, seq: .max) == nil)
    }

    @Test func `short and interrupted reads don't change the result`() throws {
        let files = LogSamples.files(LogSamples.log("a", "b") + "torn")
        let whole = try LogSamples.entries(reader(files))
        files.plan { call, number in
            call == .read ? number % 5 == 0 ? .fail(4) : .short(3) : nil
        }
        let reader = try reader(files)
        #expect(try LogSamples.entries(reader) == whole)
        #expect(reader.tail?.length == 4)
    }

    @Test func `reading can continue after a failed read`() throws {
        let files = LogSamples.files(LogSamples.log("a"))
        let reader = try reader(files)
        files.plan { call, number in call == .read && number == 0 ? .fail(5) : nil }
        #expect(
            throws: EventLogError.failed(.read, path: LogSamples.path, SystemError(code: 5))
        ) { try reader.next() }
        #expect(try LogSamples.entries(reader).count == 2)
    }

    @Test func `lines of all lengths are split the same, wherever blocks end`() throws {
        var text = ""
        var lengths: [Int] = []
        for number in 0..<400 {
            lengths.append((number * 7_919) % 5_000)
            text += String(repeating: "x", count: lengths[number]) + "\n"
        }
        lengths += [300_000, 65_536, 65_537, 0]
        for length in lengths.suffix(4) { text += String(repeating: "y", count: length) + "\n" }
        let files = LogSamples.files(text + "tail")
        let source = try LogBytes(at: LogSamples.path, operations: files)
        for blockSize in [65_600, 100_000, 1_000_000] {
            var cutter = LineCutter(source, blockSize: blockSize)
            var seen: [Int] = []
            var offset: Int64 = 0
            while let line = try cutter.next() {
                #expect(line.offset == offset)
                offset += line.fileLength
                seen.append(Int(line.length))
                let bytes = cutter.withBytes(of: line) { $0.count }
                #expect(bytes == (line.length > 65_536 ? nil : Int(line.length)))
            }
            #expect(seen == lengths)
            #expect(cutter.tailLength == 4)
            #expect(try cutter.next() == nil)
        }
    }

    @Test func `a tail longer than any line is skipped once`() throws {
        let files = LogSamples.files(LogSamples.opened + String(repeating: "x", count: 600_000))
        let reader = try reader(files)
        #expect(try LogSamples.entries(reader).count == 1)
        #expect(reader.tail?.length == 600_000)
        files.heal()
        #expect(try reader.next() == nil)
        #expect(files.trace.filter { $0 == .read }.count == 1)
        files[LogSamples.path] = (files[LogSamples.path] ?? []) + Array("x\n".utf8)
        #expect(try reader.next()?.content == .notUnderstood(LineDecoder.lineTooLong))
        #expect(try reader.next() == nil)
        #expect(reader.tail == nil)
    }
}
