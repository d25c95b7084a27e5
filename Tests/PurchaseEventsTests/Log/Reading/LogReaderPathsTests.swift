import Foundation
import Testing

@testable import PurchaseEvents

struct LogReaderPathsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The lines at a path, and the reader that read them.
    private func read(_ path: String) throws -> (lines: [String], reader: LogReader) {
        let reader = LogReader()
        var lines: [String] = []
        try reader.read(logAt: path) { line in
            lines.append(String(decoding: line.bytes, as: UTF8.self))
            return true
        }
        return (lines, reader)
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test(arguments: [1, 2])
    func `a file is read to its end`(_ threads: Int) throws {
        try folder.write(LogSamples.log("a", "b"), to: folder.log)
        let reader = LogReader(threads: threads)
        var types: [EventType?] = []
        try reader.read(logAt: folder.log) { line in
            types.append(line.event?.type)
            return true
        }
        #expect(types == [.logOpened, .logNoted, .logNoted])
        #expect(reader.counts.bytes == LogSamples.log("a", "b").utf8.count)
    }

    @Test func `a folder of segments is read as one log`() throws {
        let path = folder.path + "/app"
        let log = try EventLog.create(
            at: path, recordedAt: LogSamples.now, layout: .segments(size: 300), chained: false)
        for text in ["a", "b", "c", "d", "e", "f"] { try log.append(LogSamples.draft(text)) }
        #expect(try LogBytes(at: path, operations: SystemFiles()).starts.count > 1)
        for path in [path, path + "/"] {
            let (seen, reader) = try read(path)
            #expect(seen == lines(LogSamples.log("a", "b", "c", "d", "e", "f")))
            #expect(reader.counts.events == 7)
        }
    }

    @Test func `a log with an open writer is read without the lock`() throws {
        let log = try EventLog.create(
            at: folder.log, recordedAt: LogSamples.now, chained: false)
        try log.append(LogSamples.draft("a"))
        #expect(try read(folder.log).lines == lines(LogSamples.log("a")))
        try log.append(LogSamples.draft("b"))
        #expect(try read(folder.log).lines == lines(LogSamples.log("a", "b")))
    }

    @Test func `anything but a log is refused before the first line`() throws {
        let (missing, other) = (folder.path + "/none", folder.path)
        #expect(throws: EventLogError.noSuchLog(path: missing)) { try read(missing) }
        #expect(throws: EventLogError.notARegularFile(path: other, seen: .folder)) {
            try LogReader().readLines(logAt: other) { $0.count }
        }
    }

    @Test func `a torn tail is a line that is not understood`() throws {
        try folder.write(LogSamples.log("a") + LogSamples.line(3, "b").dropLast(4), to: folder.log)
        let reader = LogReader()
        var codes: [DiagnosticCode?] = []
        try reader.read(logAt: folder.log) { line in
            codes.append(line.diagnostic?.code)
            return true
        }
        #expect(codes == [nil, nil, .tornTail])
        #expect(reader.counts.lines == 3)
        #expect(reader.counts.events == 2)
    }

    @Test func `reading stops when the visitor returns false`() throws {
        try folder.write(LogSamples.log("a", "b", "c"), to: folder.log)
        let reader = LogReader()
        var numbers: [Int] = []
        try reader.read(logAt: folder.log) { line in
            numbers.append(line.number)
            return line.number < 2
        }
        #expect(numbers == [1, 2])
        #expect(reader.counts.lines == 2)
    }

    @Test func `reading stops when the visitor accepts fewer lines`() throws {
        try folder.write(LogSamples.log("a", "b", "c"), to: folder.log)
        let reader = LogReader()
        var visits: [Int] = []
        try reader.readLines(logAt: folder.log) { lines in
            visits.append(lines.count)
            return 3
        }
        #expect(visits == [4])
        #expect(reader.counts.lines == 3)
    }

    @Test func `an error of the visitor ends reading`() throws {
        try folder.write(LogSamples.log("a"), to: folder.log)
        var visits = 0
        #expect(throws: CancellationError.self) {
            try LogReader().read(logAt: folder.log) { _ in
                visits += 1
                throw CancellationError()
            }
        }
        #expect(visits == 1)
    }
}
