import TestSupport

@testable import PurchaseEvents
import PurchaseSimulation

/// An ``EventLog`` on a machine that can stop, and its model ``SimpleLog``.
struct LogPair: CommandPair {
    enum Command: CustomStringConvertible {
        case append([SimpleLog.Note], expecting: Int64? = nil)
        case crash(Restart, afterBytes: Int, [SimpleLog.Note])
        case failSync([SimpleLog.Note])
        case close, open, openAgain, readOn, follow
        case read(from: Int64)

        var description: String {
            switch self {
            case .append(let notes, let expecting):
                "append(\(notes)" + (expecting.map { ", expecting: \($0)" } ?? "") + ")"
            case .crash(let restart, let bytes, let notes):
                "crash(\(restart), afterBytes: \(bytes), \(notes))"
            case .failSync(let notes): "failSync(\(notes))"
            case .close: "close"
            case .open: "open"
            case .openAgain: "openAgain"
            case .readOn: "readOn"
            case .follow: "follow"
            case .read(let seq): "read(from: \(seq))"
            }
        }
    }

    /// How a stopped machine restarts.
    enum Restart: Hashable, CaseIterable {
        /// The process died; everything it wrote is there.
        case ofProcess
        /// The power failed; unsynced data is lost.
        case ofMachine
    }

    static let path = "app.jsonl"
    private let files: MemoryFiles
    private var log: EventLog?
    private var model = SimpleLog()
    /// The position of ``Command/readOn``, and the index of the next expected note.
    private var position = LogPosition.start, nextRead = 0
    private var follower: EventReader?
    private var nextFollowed = 0

    init(_ model: SimpleLog = SimpleLog(), on files: MemoryFiles = MemoryFiles()) throws {
        self.model = model
        self.files = files
        log = try EventLog.create(
            at: LogPair.path, app: nil, writer: nil, recordedAt: Timestamp(milliseconds: 0),
            durability: .disk, operations: files)
    }

    // MARK: Commands

    static func draw(_ choices: any ChoiceSource) -> Command {
        switch choices.index(weightedBy: [6, 3, 1, 1, 3, 1, 2, 2, 2]) {
        case 0:
            .append(notes(choices), expecting: choices.pick([nil, nil, nil, 1, 2, 3]))
        case 1:
            .crash(
                choices.pick(Restart.allCases),
                afterBytes: Int(choices.choose(below: 300)), notes(choices))
        case 2: .failSync(notes(choices))
        case 3: .close
        case 4: .open
        case 5: .openAgain
        case 6: .readOn
        case 7: .follow
        default: .read(from: choices.number(in: 1...6))
        }
    }

    private static func notes(_ choices: any ChoiceSource) -> [SimpleLog.Note] {
        (0...choices.choose(below: 3)).map { _ in
            let id = choices.choose(below: 4)
            return SimpleLog.Note(
                Int(choices.choose(below: 3)), id: id == 0 ? nil : Int(id))
        }
    }

    func allows(_ command: Command) -> Bool {
        switch command {
        case .append, .close, .openAgain: true
        case .open: !model.isOpen
        case .crash, .failSync, .readOn, .follow, .read: model.isOpen && !model.isLatched
        }
    }

    mutating func give(_ command: Command) throws -> String? {
        switch command {
        case .append(let notes, let expecting): return append(notes, expecting)
        case .crash(let restart, let bytes, let notes):
            return crash(restart, afterBytes: bytes, notes)
        case .failSync(let notes): return failSync(notes)
        case .close:
            log?.close()
            (log, follower) = (nil, nil)
            model.close()
            return nil
        case .open: return try open()
        case .openAgain: return openAgain()
        case .readOn: return try readOn()
        case .follow: return try follow()
        case .read(let seq):
            let found = try log.map { try LogPair.events($0.read(from: seq)) } ?? []
            let expected = model.notes.dropFirst(max(0, Int(seq) - 2))
            return differ(found.filter { $0.seq > 1 }.map(SimpleLog.Note.init), Array(expected))
        }
    }

    // MARK: Appending

    private mutating func append(_ notes: [SimpleLog.Note], _ expecting: Int64?) -> String? {
        let (expected, added) = model.answer(notes, expecting: expecting)
        let answer = answer(notes, expecting: expecting)
        if answer != expected { return "answered \(answer), expected \(expected)" }
        model.add(added)
        return nil
    }

    private func answer(_ notes: [SimpleLog.Note], expecting: Int64?) -> SimpleLog.Answer {
        guard let log else { return .closed }
        do throws(EventLogError) {
            let answers = try log.append(notes.map(\.draft), expecting: expecting)
            return .taken(
                answers.map(\.seq), isThere: answers.map { $0.outcome == .alreadyThere })
        } catch .idConflict(let draft, _, let seq) {
            return .conflict(draft: draft, seq: seq)
        } catch .unexpectedSequence(_, let seen) {
            return .unexpectedSequence(seen: seen)
        } catch .latched {
            return .latched
        } catch .writeFailed {
            return .unwritten
        } catch {
            return .other("\(error)")
        }
    }

    private mutating func crash(
        _ restart: Restart, afterBytes bytes: Int, _ notes: [SimpleLog.Note]
    ) -> String? {
        let (expected, added) = model.answer(notes)
        files.stop(afterBytes: bytes)
        let answer = answer(notes, expecting: nil)
        (log, follower) = (nil, nil)
        restart == .ofMachine ? files.losePower() : files.loseProcess()
        if answer == expected {
            // The append was answered before the machine stopped.
            model.add(added)
            model.stop(appending: [])
            return nil
        }
        if case .taken = answer { return "answered \(answer), expected \(expected)" }
        model.stop(appending: added)
        return nil
    }

    private mutating func failSync(_ notes: [SimpleLog.Note]) -> String? {
        let (expected, added) = model.answer(notes)
        files.plan { call, _ in call == .syncFile ? .fail(5) : nil }
        let answer = answer(notes, expecting: nil)
        files.heal()
        guard !added.isEmpty else {
            return answer == expected ? nil : "answered \(answer), expected \(expected)"
        }
        if case .other = answer {
            model.latch()
            return nil
        }
        // Before several lines are written, the durable mark is synced, which isn't part of the
        // log.
        if case .unwritten = answer, added.count > 1 { return nil }
        return "answered \(answer) though nothing was synced"
    }

    // MARK: Opening

    private mutating func open() throws -> String? {
        let opened: EventLog
        var isRecovered = false
        if let whole = try openWhole() {
            opened = whole
        } else {
            isRecovered = true
            if model.doubtful.isEmpty { return "a tail though nothing was being appended" }
            opened = try open(.cut(recordedAt: Timestamp(milliseconds: 0)))
            guard opened.openingReport.cuts.count == 1 else { return "not one tail was cut" }
        }
        log = opened
        let events = try LogPair.events(opened.read())
        guard events.map(\.seq) == Array(1...Int64(events.count)) else {
            return "a break in the sequence"
        }
        return model.open(
            holding: events.dropFirst().map(SimpleLog.Note.init), isRecovered: isRecovered)
    }

    /// Opens the log; returns `nil` if it has a torn tail.
    private func openWhole() throws(EventLogError) -> EventLog? {
        do throws(EventLogError) {
            return try open(.refuse)
        } catch .tornTail {
            return nil
        }
    }

    private func open(_ tornTail: TornTailPolicy) throws(EventLogError) -> EventLog {
        try EventLog.open(
            at: LogPair.path, durability: .disk, tornTail: tornTail, operations: files)
    }

    /// A second writer is refused while the log is open.
    private func openAgain() -> String? {
        guard model.isOpen else { return nil }
        do throws(EventLogError) {
            _ = try open(.refuse)
        } catch .inUse {
            return nil
        } catch {
            return "a second writer is told \(error)"
        }
        return "a second writer was let in"
    }

    // MARK: Reading

    private mutating func readOn() throws -> String? {
        guard let reader = try log?.read(from: position) else { return "it isn't open" }
        let found = try LogPair.events(reader).filter { $0.seq > 1 }.map(SimpleLog.Note.init)
        position = reader.position
        defer { nextRead = model.notes.count }
        return differ(found, Array(model.notes.dropFirst(nextRead)))
    }

    /// A reader that stays open and is asked for new lines.
    private mutating func follow() throws -> String? {
        let reader: EventReader
        if let follower {
            reader = follower
        } else {
            nextFollowed = 0
            reader = try EventReader(at: LogPair.path, operations: files)
        }
        follower = reader
        let found = try LogPair.events(reader).filter { $0.seq > 1 }.map(SimpleLog.Note.init)
        defer { nextFollowed = model.notes.count }
        return differ(found, Array(model.notes.dropFirst(nextFollowed)))
    }

    private static func events(_ reader: EventReader) throws -> [Event<Written>] {
        var events: [Event<Written>] = []
        while let entry = try reader.next() {
            if let event = entry.event { events.append(event) }
        }
        return events
    }

    private func differ(_ found: [SimpleLog.Note], _ expected: [SimpleLog.Note]) -> String? {
        found == expected ? nil : "read \(found), expected \(expected)"
    }
}
