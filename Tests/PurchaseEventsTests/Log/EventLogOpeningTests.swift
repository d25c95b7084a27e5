import TestSupport
import Testing

@testable import PurchaseEvents

struct EventLogOpeningTests {
    @Test func `an intact log opens and can be appended to`() throws {
        let files = LogSamples.files(LogSamples.log("a", "b"))
        let log = try LogSamples.open(in: files)
        #expect(log.openingReport.events == 3)
        #expect(log.openingReport.isSound)
        #expect(try log.append(LogSamples.draft("c")).seq == 4)
        #expect(files.text(LogSamples.path) == LogSamples.log("a", "b", "c"))
    }

    @Test func `opening a missing log leaves no lock file`() {
        let files = MemoryFiles()
        #expect(throws: EventLogError.noSuchLog(path: LogSamples.path)) {
            try LogSamples.open(in: files)
        }
        #expect(files.paths.isEmpty)
    }

    @Test(arguments: [FileKind.folder, .link, .other])
    func `anything but a regular file is refused`(_ kind: FileKind) {
        let files = MemoryFiles()
        files.make(LogSamples.path, kind)
        #expect(throws: EventLogError.notARegularFile(path: LogSamples.path, seen: kind)) {
            try LogSamples.open(in: files)
        }
        #expect(files.openCount == 0)
    }

    @Test func `a missing newline in durable bytes is damage`() throws {
        let files = MemoryFiles()
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a"))
        log.close()
        var bytes = try #require(files[LogSamples.path])
        bytes[bytes.count - 1] = UInt8(ascii: " ")
        files[LogSamples.path] = bytes
        let again = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        let damage = try #require(again.openingReport.damage)
        #expect(damage.position.line == 2 && "\(damage)".contains("expected an end of line"))
        #expect(throws: EventLogError.damaged(path: LogSamples.path, damage)) {
            try again.append(LogSamples.draft("b"))
        }
        #expect(files[LogSamples.path] == bytes)
    }

    @Test(arguments: ["{", LogSamples.line(3, "b").dropLast().description, "\0\0\0\0", "}"])
    func `a torn tail is refused and left unchanged`(_ tail: String) throws {
        let whole = LogSamples.log("a")
        let files = LogSamples.files(whole + tail)
        let error = #expect(throws: EventLogError.self) { try LogSamples.open(in: files) }
        guard case .tornTail(_, let seen) = error else {
            Issue.record("expected tornTail, seen \(String(describing: error))")
            return
        }
        #expect(seen.position.line == 3)
        #expect(seen.position.seq == 3)
        #expect(seen.position.offset == Int64(whole.utf8.count))
        #expect(seen.length == Int64(tail.utf8.count))
        #expect(files.text(LogSamples.path) == whole + tail)
        #expect(files.openCount == 0)
    }

    @Test func `a torn tail is copied beside the log before it is cut`() throws {
        let whole = LogSamples.log("a")
        let files = LogSamples.files(whole + "half a li")
        let kept = LogSamples.path + ".tail-\(whole.utf8.count)"
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.cuts.map(\.path) == [kept])
        #expect(log.openingReport.cuts.map(\.tail.length) == [9])
        #expect(!log.openingReport.isSound)
        #expect(files.text(kept) == "half a li")
        #expect(try log.append(LogSamples.draft("b")).seq == 4)
        files.losePower()
        #expect(
            files.text(LogSamples.path)
                == LogSamples.log("a") + LogSamples.recovered(3, "half a li", "app.jsonl.tail-145")
                + LogSamples.line(4, "b"))
        #expect(files.text(kept) == "half a li")
    }

    @Test func `another tail at the same offset is kept under another name`() throws {
        let whole = LogSamples.log("a")
        let files = LogSamples.files(whole + "first")
        let kept = LogSamples.path + ".tail-\(whole.utf8.count)"
        for tail in ["first", "other", "first"] {
            files[LogSamples.path] = Array((whole + tail).utf8)
            files[LogSamples.path + ".lock"] = nil
            _ = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        }
        #expect(files.text(kept) == "first")
        #expect(files.text(kept + "-2") == "other")
        // The log reports the first one already, so that file belongs to another log now.
        #expect(files.text(kept + "-3") == "first")
        #expect(files.text(kept + "-4") == nil)
    }

    @Test func `a kept tail that isn't reported yet is kept once`() throws {
        let whole = LogSamples.log("a")
        let files = LogSamples.files(whole + "torn")
        let kept = LogSamples.path + ".tail-\(whole.utf8.count)"
        files[kept] = Array("torn".utf8)
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.cuts.map(\.path) == [kept])
        #expect(files.text(kept + "-2") == nil)
    }

    @Test func `tails of an earlier log of the same name aren't the new log's`() throws {
        let files = MemoryFiles()
        for _ in 0..<2 {
            try LogSamples.create(in: files).close()
            files[LogSamples.path]? += Array("torn".utf8)
            let report = try EventLog.recover(
                at: LogSamples.path, recordedAt: LogSamples.now, operations: files)
            #expect(report.cuts.map(\.tail.length) == [4])
            files[LogSamples.path] = nil
            files[LogSamples.path + ".lock"] = nil
        }
        try LogSamples.create(in: files).close()
        let report = try EventLog.recover(
            at: LogSamples.path, recordedAt: LogSamples.now, operations: files)
        #expect(report.isSound)
        #expect(files.text(LogSamples.path) == LogSamples.opened)
    }

    @Test(arguments: [Durability.disk, .process])
    func `a kept tail becomes read-only once the line that reports it is durable`(
        _ durability: Durability
    ) throws {
        let files = LogSamples.files(LogSamples.opened + "torn")
        let sealed = Protected<[FileImage]>([])
        files.watch { call, image in
            if call == .setReadOnly { sealed.withLock { $0.append(image) } }
        }
        _ = try LogSamples.open(
            in: files, durability: durability, tornTail: .cut(recordedAt: LogSamples.now))
        let left = MemoryFiles(try #require(sealed.withLock { $0 }.first))
        left.losePower()
        #expect(left.text(LogSamples.path)?.contains("log.recovered") == true)
    }

    @Test(arguments: [FileKind.folder, .link, .other])
    func `a foreign file under a kept tail's name doesn't interfere`(_ kind: FileKind) throws {
        let files = LogSamples.files(LogSamples.log("a") + "torn")
        let kept = LogSamples.path + ".tail-145"
        files.make(kept, kind)
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.cuts.map(\.path) == [kept + "-2"])
        #expect(files.text(LogSamples.path)?.contains("app.jsonl.tail-145-2") == true)
    }

    @Test func `a tail of several lines is kept completely`() throws {
        let tail = String(repeating: "x", count: 700_000)
        let files = LogSamples.files(LogSamples.log("a") + tail)
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.cuts.map { files.text($0.path) } == [tail])
        #expect(files.text(LogSamples.path)?.hasPrefix(LogSamples.log("a")) == true)
        #expect(log.openingReport.events == 2)
        #expect(try log.lastSeq == 3)
    }

    @Test func `a log with a torn creation can be cut and created again`() throws {
        let files = LogSamples.files(#"{"seq":1,"at""#)
        #expect(throws: EventLogError.alreadyExists(path: LogSamples.path)) {
            try LogSamples.create(in: files)
        }
        #expect(throws: EventLogError.empty(path: LogSamples.path)) {
            try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        }
        #expect(try LogSamples.create(in: files).append(LogSamples.draft("a")).seq == 2)
        #expect(files.text(LogSamples.path + ".tail-0") == #"{"seq":1,"at""#)
    }

    @Test(arguments: [
        #"{"database":"prod"}"#, "x", #"{"seq":2"#, #"{"seq":1,"at":"now"#, "[",
        #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.noted""#,
    ])
    func `a file that isn't a log is left unchanged and not appended to`(
        _ text: String
    ) throws {
        for policy in [TornTailPolicy.refuse, .cut(recordedAt: LogSamples.now)] {
            let files = LogSamples.files(text)
            let log = try LogSamples.open(in: files, tornTail: policy)
            let damage = try #require(log.openingReport.damage)
            #expect("\(damage)".hasPrefix("line 1, byte 1: [not-opened] expected `log.opened`"))
            #expect(log.openingReport.problems == [damage])
            #expect(log.openingReport.tail == nil && log.openingReport.cuts.isEmpty)
            #expect(throws: EventLogError.damaged(path: LogSamples.path, damage)) {
                try log.append(LogSamples.draft("a"))
            }
            log.close()
            #expect(files.text(LogSamples.path) == text)
            #expect(files.paths.count { $0.contains("tail") } == 0)
        }
    }

    @Test(arguments: [
        "{", #"{"seq":1,"at":"2026-02-20T09:"#, LogSamples.opened.dropLast().description,
        #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.opened","schema":1,"app":"com."#,
        "\0\0\0\0", "{\"seq\"\0\0\0\0",
    ])
    func `a torn first line is cut and kept`(_ text: String) throws {
        let files = LogSamples.files(text)
        #expect(throws: EventLogError.empty(path: LogSamples.path)) {
            try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        }
        #expect(files.text(LogSamples.path) == "")
        #expect(files.text(LogSamples.path + ".tail-0") == text)
    }

    @Test func `the torn tail of a damaged log stays in place`() throws {
        let files = MemoryFiles()
        let first = try LogSamples.create(in: files, chained: true)
        for text in ["a", "b"] { try first.append(LogSamples.draft(text)) }
        first.close()
        let whole = try #require(files.text(LogSamples.path))
        let text = whole.replacing(#""text":"a""#, with: #""text":"x""#) + "torn"
        files[LogSamples.path] = Array(text.utf8)
        let log = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(log.openingReport.damage?.position.line == 2)
        #expect(log.openingReport.tail?.length == 4)
        #expect(files.text(LogSamples.path) == text)
    }

    @Test func `an empty file isn't a log`() {
        #expect(throws: EventLogError.empty(path: LogSamples.path)) {
            try LogSamples.open(in: LogSamples.files(""))
        }
    }

    @Test func `unknown and blank lines are reported and don't prevent appending`() throws {
        let files = LogSamples.files(
            LogSamples.log("a") + LogSamples.unknown(3) + "\n" + LogSamples.line(4, "c"))
        let log = try LogSamples.open(in: files)
        let report = log.openingReport
        #expect(report.events == 3)
        #expect(report.notUnderstood == 1)
        #expect(report.blank == 1)
        #expect(report.problemCount == 2)
        #expect(report.problems.map(\.position.line) == [3, 4])
        #expect(
            report.problems.map(\.description) == [
                "line 3, byte 49: [unknown-type] " + diagnosticMessage(report.problems[0]),
                "line 4, byte 1: [blank-line] expected an event, seen a blank line",
            ])
        #expect(try log.append(LogSamples.draft("d")).seq == 5)
    }

    private func diagnosticMessage(_ problem: LogProblem) -> String {
        if case .diagnostic(let diagnostic) = problem.kind { diagnostic.message } else { "" }
    }

    @Test func `each gap in the sequence is reported once`() throws {
        let lines = [1, 3, 3, 4, 2, 5].map { LogSamples.line($0, "a") }.joined()
        let log = try LogSamples.open(in: LogSamples.files(lines))
        #expect(
            log.openingReport.problems.map(\.description) == [
                "line 1, byte 1: [not-opened] expected `log.opened` in the first line",
                "line 2: expected seq 2, seen 3",
                "line 3: expected seq 4, seen 3",
                "line 5: expected seq 5, seen 2",
            ])
        #expect(try log.append(LogSamples.draft("d")).seq == 6)
    }

    @Test func `a line that is too long is one damaged line, whatever its length`() throws {
        for length in [65_537, 262_144, 262_145, 1_000_000] {
            let long = String(repeating: "x", count: length) + "\n"
            let files = LogSamples.files(LogSamples.opened + long + LogSamples.line(3, "b"))
            let log = try LogSamples.open(in: files)
            #expect(
                log.openingReport.problems.map(\.kind) == [.diagnostic(LineDecoder.lineTooLong)])
            #expect(log.openingReport.damage == log.openingReport.problems.first)
            #expect(log.openingReport.events == 2)
        }
    }

    @Test func `all problems are counted, and a bounded number is kept`() throws {
        let bad = (2...2_501).map { LogSamples.unknown($0) }.joined()
        let log = try LogSamples.open(in: LogSamples.files(LogSamples.opened + bad))
        #expect(log.openingReport.problems.count == OpeningReport.problemLimit)
        #expect(log.openingReport.problemCount == 2_500)
        #expect(try log.lastSeq == 2_501)
    }

    @Test func `a log with a newer schema isn't written`() {
        let newer = LogSamples.opened.replacing(#""schema":1"#, with: #""schema":2"#)
        let error = #expect(throws: EventLogError.self) {
            try LogSamples.open(in: LogSamples.files(newer))
        }
        guard case .newerSchema = error else {
            Issue.record("expected newerSchema, seen \(String(describing: error))")
            return
        }
    }

    @Test func `opening a log finds the ids of its lines`() throws {
        let files = LogSamples.files(
            LogSamples.opened + LogSamples.line(2, "a", id: "x") + LogSamples.unknown(3))
        let log = try LogSamples.open(in: files)
        #expect(log.openingReport.events == 2)
        #expect(log.openingReport.notUnderstood == 1)
        #expect(try log.append(LogSamples.draft("a", id: "x")).outcome == .alreadyThere)
    }
}
