import TestSupport
import Testing

@testable import PurchaseEvents

struct EventLogAppendTests {
    let files = MemoryFiles()

    @Test func `creating a log writes log.opened`() throws {
        let log = try EventLog.create(
            at: LogSamples.path, app: "com.example.app", writer: "recorder 1",
            recordedAt: LogSamples.now, durability: .disk, chained: false, operations: files)
        #expect(
            files.text(LogSamples.path)
                == #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.opened","schema":1,"#
                + #""app":"com.example.app","writer":"recorder 1"}"# + "\n")
        #expect(try log.lastSeq == 1)
        #expect(log.openingReport.isSound)
        #expect(files.paths == [LogSamples.path, LogSamples.path + ".lock"])
        #expect(files.text(LogSamples.path + ".lock")?.hasPrefix("pid 4711 ") == true)
    }

    @Test func `creating a log over an existing one is refused and changes nothing`() throws {
        files[LogSamples.path] = Array(LogSamples.log("a").utf8)
        #expect(throws: EventLogError.alreadyExists(path: LogSamples.path)) {
            try LogSamples.create(in: files)
        }
        #expect(files.text(LogSamples.path) == LogSamples.log("a"))
    }

    @Test func `appending returns the event's seq and bytes`() throws {
        let log = try LogSamples.create(in: files)
        let answer = try log.append(LogSamples.draft("a", id: "x"))
        #expect(answer.outcome == .appended)
        #expect(answer.seq == 2)
        #expect(LogSamples.text(answer.line) + "\n" == LogSamples.line(2, "a", id: "x"))
        #expect(
            files.text(LogSamples.path) == LogSamples.opened + LogSamples.line(2, "a", id: "x"))
    }

    @Test func `a batch is acknowledged after one write and one sync`() throws {
        let log = try LogSamples.create(in: files)
        files.heal()
        let answers = try log.append([LogSamples.draft("a"), LogSamples.draft("b")])
        #expect(answers.map(\.seq) == [2, 3])
        #expect(files.trace.filter { $0 == .append }.count == 1)
        // The first sync is that of the mark in the lock file, because lines may reach the disk in
        // any order.
        #expect(
            files.trace == [.status, .overwrite, .syncFile, .append, .syncFile, .overwrite])
        #expect(files.text(LogSamples.path) == LogSamples.log("a", "b"))
    }

    @Test func `a single event is one write and one sync`() throws {
        let log = try LogSamples.create(in: files)
        files.heal()
        try log.append(LogSamples.draft("a"))
        #expect(files.trace == [.status, .append, .syncFile])
    }

    @Test func `an empty batch makes no file call`() throws {
        let log = try LogSamples.create(in: files)
        files.heal()
        #expect(try log.append([]).isEmpty)
        #expect(files.trace.isEmpty)
    }

    @Test func `with durability process, only an explicit sync syncs`() throws {
        let log = try LogSamples.create(in: files, durability: .process)
        files.heal()
        try log.append(LogSamples.draft("a"))
        #expect(!files.trace.contains(.syncFile))
        #expect(try log.syncStrength == nil)
        try log.sync()
        #expect(files.trace.contains(.syncFile))
        #expect(try log.syncStrength == .throughCache)
    }

    @Test func `acknowledged events survive a power loss`() throws {
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a"))
        files.losePower()
        #expect(files.text(LogSamples.path) == LogSamples.log("a"))
    }

    @Test func `the same id with the same content adds nothing`() throws {
        let log = try LogSamples.create(in: files)
        let first = try log.append(LogSamples.draft("a", id: "x"))
        let later = LogSamples.now.advanced(byMilliseconds: 5)
        let second = try log.append(LogSamples.draft("a", id: "x", at: later))
        #expect(second.outcome == .alreadyThere)
        #expect(second.seq == first.seq)
        #expect(second.line == first.line)
        #expect(try log.lastSeq == 2)
    }

    @Test func `the same id with different content is refused`() throws {
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a", id: "x"))
        #expect(throws: EventLogError.idConflict(draft: 1, id: "x", seq: 2)) {
            try log.append([LogSamples.draft("c"), LogSamples.draft("b", id: "x")])
        }
        #expect(try log.lastSeq == 2)
    }

    @Test func `ids are compared within a batch too`() throws {
        let log = try LogSamples.create(in: files)
        let answers = try log.append([
            LogSamples.draft("a", id: "x"), LogSamples.draft("b"), LogSamples.draft("a", id: "x"),
        ])
        #expect(answers.map(\.outcome) == [.appended, .appended, .alreadyThere])
        #expect(answers.map(\.seq) == [2, 3, 2])
        #expect(answers[2].line == answers[0].line)
        #expect(throws: EventLogError.idConflict(draft: 1, id: "y", seq: 4)) {
            try log.append([LogSamples.draft("a", id: "y"), LogSamples.draft("b", id: "y")])
        }
        #expect(try log.lastSeq == 3)
    }

    @Test func `canonically equal ids with different bytes are distinct`() throws {
        let log = try LogSamples.create(in: files)
        try log.append(LogSamples.draft("a", id: "\u{E9}"))
        #expect(try log.append(LogSamples.draft("a", id: "e\u{301}")).outcome == .appended)
    }

    @Test func `only the first line of an id is indexed`() {
        var index = IDIndex()
        for number in 0..<1_000 {
            index.insert(Fingerprint(high: 1, low: UInt64(number % 7)), at: Int64(number))
        }
        #expect(index.count == 7)
        for number in 0..<7 {
            let offset = index.offset(of: Fingerprint(high: 1, low: UInt64(number)))
            #expect(offset == Int64(number))
        }
        #expect(index.offset(of: Fingerprint(high: 2, low: 3)) == nil)
    }

    @Test func `an id that another writer repeated costs one read, whatever the repetitions say`()
        throws
    {
        let lines = (2...1_001).map { LogSamples.line($0, $0 == 2 ? "a" : "b\($0)", id: "x") }
        let files = LogSamples.files(LogSamples.opened + lines.joined())
        let log = try LogSamples.open(in: files)
        files.heal()
        #expect(try log.append(LogSamples.draft("a", id: "x")).seq == 2)
        #expect(files.trace.count { $0 == .read } == 1)
        #expect(throws: EventLogError.idConflict(draft: 0, id: "x", seq: 2)) {
            try log.append(LogSamples.draft("b3", id: "x"))
        }
        #expect(files.trace.count { $0 == .read } == 2)
    }

    @Test func `ids are known after the log is closed and reopened`() throws {
        let log = try LogSamples.create(in: files)
        for number in 0..<100 {
            try log.append(LogSamples.draft("\(number)", id: "id \(number)"))
        }
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(try again.append(LogSamples.draft("57", id: "id 57")).seq == 59)
        #expect(throws: EventLogError.idConflict(draft: 0, id: "id 57", seq: 59)) {
            try again.append(LogSamples.draft("58", id: "id 57"))
        }
        #expect(try again.append(LogSamples.draft("101", id: "new")).seq == 102)
    }

    @Test func `a line with unknown keys doesn't equal a draft`() throws {
        let more = LogSamples.line(2, "a", id: "x").replacing("}", with: #","more":1}"#)
        let log = try LogSamples.open(in: LogSamples.files(LogSamples.opened + more))
        #expect(throws: EventLogError.idConflict(draft: 0, id: "x", seq: 2)) {
            try log.append(LogSamples.draft("a", id: "x"))
        }
    }

    @Test func `a line in another form can equal a draft`() throws {
        let other =
            #"{ "text":"\u0061", "id":"x", "type":"log.noted", "#
            + #""at":"2026-02-20T10:00:00+01:00", "seq":2 }"# + "\n"
        let log = try LogSamples.open(in: LogSamples.files(LogSamples.opened + other))
        #expect(try log.append(LogSamples.draft("a", id: "x")).outcome == .alreadyThere)
    }

    @Test func `an unexpected last seq is refused with both numbers`() throws {
        let log = try LogSamples.create(in: files)
        try log.append([LogSamples.draft("a")], expecting: 1)
        #expect(throws: EventLogError.unexpectedSequence(expected: 1, seen: 2)) {
            try log.append([LogSamples.draft("b")], expecting: 1)
        }
        try log.append([LogSamples.draft("b")], expecting: 2)
        #expect(files.text(LogSamples.path) == LogSamples.log("a", "b"))
    }

    @Test func `the expected seq is ignored if the log has the whole batch`() throws {
        let log = try LogSamples.create(in: files)
        try log.append([LogSamples.draft("a", id: "x")], expecting: 1)
        let answers = try log.append([LogSamples.draft("a", id: "x")], expecting: 1)
        #expect(answers.map(\.outcome) == [.alreadyThere])
    }

    @Test func `a draft that the format can't hold refuses its whole batch`() throws {
        let log = try LogSamples.create(in: files)
        let long = String(repeating: "x", count: 5_000)
        let error = #expect(throws: EventLogError.self) {
            try log.append([LogSamples.draft("a"), LogSamples.draft(long)])
        }
        guard case .cannotWrite(draft: 1, let problem) = error else {
            Issue.record("expected cannotWrite, seen \(String(describing: error))")
            return
        }
        #expect(problem.key == .text)
        #expect(files.text(LogSamples.path) == LogSamples.opened)
        #expect(try log.append(LogSamples.draft("a")).seq == 2)
    }

    @Test func `only line 1 may be log.opened`() throws {
        let log = try LogSamples.create(in: files)
        let opened = Draft(at: LogSamples.now, .logOpened(LogOpened(schema: 1)))
        #expect(throws: EventLogError.openedAgain(draft: 0)) { try log.append(opened) }
    }

    @Test func `a closed log refuses appends and releases its lock and files`() throws {
        let log = try LogSamples.create(in: files)
        log.close()
        log.close()
        #expect(throws: EventLogError.closed(path: LogSamples.path)) {
            try log.append(LogSamples.draft("a"))
        }
        #expect(files.openCount == 0)
        let again = try LogSamples.open(in: files)
        #expect(try again.append(LogSamples.draft("a")).seq == 2)
    }

    @Test func `a log closes with its last reference`() throws {
        _ = try LogSamples.create(in: files)
        #expect(files.openCount == 0)
    }

    @Test func `many tasks append a sequence without gaps`() async throws {
        let log = try LogSamples.create(in: files, durability: .process)
        let seqs = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for task in 0..<16 {
                group.addTask {
                    try (0..<25).map { number in
                        try log.append(LogSamples.draft("\(task) \(number)")).seq
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seqs.sorted() == Array(2...401))
        log.close()
        let again = try LogSamples.open(in: files)
        #expect(again.openingReport.isSound)
        #expect(again.openingReport.events == 401)
    }

    @Test func `the same id from many tasks is one line`() async throws {
        let log = try LogSamples.create(in: files)
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let answer = try await log.append(LogSamples.draft("a", id: "x"))
                    return answer.outcome == .appended ? 1 : 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(added == 1)
        #expect(try log.lastSeq == 2)
    }
}
