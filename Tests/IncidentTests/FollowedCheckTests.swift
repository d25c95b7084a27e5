import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// A writer that appends a generated log in memory, is killed, recovers and goes on, and a check
/// that follows it.
private final class FollowedWriter {
    static let path = "folder/log"
    static let now = Timestamp(milliseconds: 1_771_578_000_000)
    let files = MemoryFiles()
    let followed: FollowedCheck
    /// The findings so far, and how many of them came before the end.
    var findings: [Finding] = []
    var early = 0
    /// The findings of the last batch.
    private(set) var last: [Finding] = []
    private(set) var kills = 0
    private var log: EventLog
    private var dice: Dice
    private let segmentSize: Int64?

    init(seed: UInt64) throws {
        dice = Dice(seed: seed)
        segmentSize = seed % 3 == 0 ? nil : 2_000 + Int64(dice.below(20_000))
        log = try EventLog.create(
            at: FollowedWriter.path, app: nil, writer: nil, recordedAt: FollowedWriter.now,
            durability: .disk, layout: segmentSize.map { .segments(size: $0) } ?? .file,
            chained: seed % 2 == 0, operations: files)
        followed = FollowedCheck(
            of: RuleCatalogue.all.map { CheckedRule($0) },
            try GrowingLog(at: FollowedWriter.path, operations: files))
    }

    /// Appends the events at a random pace; now and then the writer is killed within an append, or
    /// a sync fails.
    func write(_ events: [Event<Written>]) throws {
        var rest = events[...]
        while !rest.isEmpty {
            let batch = rest.prefix(1 + dice.below(12)).map { Draft($0) }
            switch dice.below(20) {
            case 0: try kill(during: batch)
            case 1: try failSync(of: batch)
            default: try log.append(batch)
            }
            rest = rest.dropFirst(batch.count)
            if dice.below(3) > 0 { try read() }
        }
    }

    private func kill(during batch: [Draft]) throws {
        files.stop(afterBytes: dice.below(2_500))
        _ = try? log.append(batch)
        files.loseProcess()
        kills += 1
        if dice.below(2) == 0 { try read() }
        log = try EventLog.open(
            at: FollowedWriter.path, durability: .disk,
            tornTail: .cut(recordedAt: FollowedWriter.now),
            segmentSize: segmentSize ?? LogLayout.defaultSegmentSize, operations: files)
    }

    private func failSync(of batch: [Draft]) throws {
        files.plan { call, number in call == .syncFile && number == 0 ? .fail(5) : nil }
        #expect(throws: EventLogError.self) { try log.append(batch) }
        files.heal()
        try log.recover()
    }

    func read() throws {
        try followed.read { findings += $0.findings.map(\.finding) }
        early = findings.count
    }

    func finish() throws -> [(rule: RuleInfo, report: Report)] {
        try followed.finish {
            last = $0.findings.map(\.finding)
            findings += last
        }
    }

    /// The files of the log with their bytes; each counts up to where the next one begins.
    var parts: [(path: String, bytes: ArraySlice<UInt8>)] {
        guard segmentSize != nil else {
            return [(FollowedWriter.path, (files[FollowedWriter.path] ?? [])[...])]
        }
        let folder = FollowedWriter.path + "/"
        let names = files.paths.filter { $0.hasPrefix(folder) }
            .map { String($0.dropFirst(folder.count)) }
        let segments = SegmentName.all(among: names)
        return segments.indices.map { index in
            let path = folder + segments[index].text
            let bytes = files[path] ?? []
            guard index + 1 < segments.count else { return (path, bytes[...]) }
            return (path, bytes.prefix(Int(segments[index + 1].start - segments[index].start)))
        }
    }
}

struct FollowedCheckTests {
    private func events(seed: UInt64, count: Int) -> [Event<Written>] {
        var options = SimulationOptions(events: count, accounts: 6, days: 90)
        options.salt = seed
        options.mix = .adverse
        // A log refuses an id that it has with other content.
        options.faults = Set(Fault.allCases).subtracting([.reusesIdentifier])
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var events: [Event<Written>] = []
        while let event = simulation.next() { events.append(event) }
        return events.filter { $0.type != .logOpened }
    }

    private func counted(_ findings: [Finding]) -> [Finding: Int] {
        Dictionary(findings.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test func `the findings of a followed log are those of the whole log`() throws {
        var (kills, early, late) = (0, 0, 0)
        for seed in UInt64(1)...Effort.of(whole: 60, part: 4) {
            let writer = try FollowedWriter(seed: seed)
            try writer.write(events(seed: seed, count: 300))
            let answers = try writer.finish()

            let parts = writer.parts
            let bytes = parts.flatMap { $0.bytes }
            let whole = try LogLines(bytes).findings()
            #expect(counted(writer.findings) == counted(whole), "seed \(seed)")
            #expect(!whole.isEmpty, "seed \(seed)")
            #expect(writer.followed.reader.counts.bytes == bytes.count, "seed \(seed)")
            let count = answers.reduce(0) { $0 + $1.report.counts.values.reduce(0, +) }
            #expect(count == whole.count, "seed \(seed)")
            let held = answers.flatMap { $0.report.findings }
            #expect(counted(held) == counted(writer.last), "seed \(seed)")

            var line = 1
            var expected: [String] = []
            for part in parts where !part.bytes.isEmpty {
                expected.append("\(part.path):\(line)")
                line += part.bytes.count { $0 == 0x0A }
            }
            let seen = writer.followed.log.parts.map { "\($0.path):\($0.firstLine)" }
            #expect(seen == expected, "seed \(seed)")
            kills += writer.kills
            early += writer.early
            late += whole.count - writer.early
        }
        #expect(kills > 0 && early > 0 && late > 0)
    }

    @Test func `a held withdrawal is told once its device writes five minutes later`() throws {
        let files = MemoryFiles()
        files["log"] = []
        let followed = FollowedCheck(
            of: RuleCatalogue.all.map { CheckedRule($0) },
            try GrowingLog(at: "log", operations: files))
        var told: [Int] = []
        let (bought, taken) = (#""type":"queue.purchased","#, #""type":"delivery.withdrawn","#)
        let dates =
            #""purchasedAt":"2026-01-01T00:00:00.000Z","expiresAt":"2026-02-01T00:00:00.000Z""#
        for (seq, line) in [
            #"01T00:00:00.000Z","type":"log.opened","schema":1}"#,
            #"01T00:00:00.000Z",\#(bought)"transaction":"t","product":"pro",\#(dates)}"#,
            #"02T00:00:00.000Z",\#(taken)"device":"d","transaction":"t","reason":"expired"}"#,
            #"02T00:05:00.000Z",\#(bought)"device":"d","transaction":"u","product":"p",\#(dates)}"#,
            #"02T00:05:00.001Z",\#(bought)"device":"d","transaction":"v","product":"q",\#(dates)}"#,
        ].enumerated() {
            files["log"] =
                (files["log"] ?? []) + Array("{\"seq\":\(seq + 1),\"at\":\"2026-01-\(line)\n".utf8)
            try followed.read { found in
                let findings = found.findings.map(\.finding)
                told += findings.filter { $0.rule == "withdrawal-has-a-reason" }.map { _ in seq }
            }
        }
        #expect(told == [4])
    }

    @Test func `a line is read when its end of line is there`() throws {
        let files = MemoryFiles()
        let bytes = try events(seed: 7, count: 40).log()
        files["log"] = []
        let followed = FollowedCheck(
            of: RuleCatalogue.all.map { CheckedRule($0) },
            try GrowingLog(at: "log", operations: files))
        var findings: [Finding] = []
        for count in stride(from: 0, through: bytes.count, by: 17) {
            let written = bytes.prefix(count)
            files["log"] = Array(written)
            try followed.read { findings += $0.findings.map(\.finding) }
            #expect(followed.reader.counts.lines == written.count { $0 == 0x0A })
        }
        // The last line is read at the end, as a check of the whole reads it.
        files["log"] = bytes.dropLast()
        _ = try followed.finish { findings += $0.findings.map(\.finding) }
        #expect(counted(findings) == counted(try LogLines(bytes).findings()))
    }

    @Test func `a line far too long is waited for and read as one line`() throws {
        let files = MemoryFiles()
        let first = try events(seed: 7, count: 5).log()
        let count = first.count { $0 == 0x0A }
        files["log"] = first
        let log = try GrowingLog(at: "log", operations: files)
        let reader = LogReader()
        try log.readLines(reader) { _ in }
        let long = [UInt8](repeating: 0x20, count: 1_200_000)
        files["log"] = first + long
        try log.readLines(reader) { _ in }
        files["log"] = first + long + long
        try log.readLines(reader) { _ in }
        #expect(reader.counts.lines == count)
        files["log"] = first + long + long + [0x0A] + first
        try log.readLines(reader) { _ in }
        #expect(reader.counts.lines == 2 * count + 1 && reader.counts.notUnderstood == 1)
    }

    @Test func `a log that is no longer the one that was read is refused`() throws {
        let bytes = try events(seed: 7, count: 20).log()
        let other = try events(seed: 8, count: 40).log()
        func following(_ change: (MemoryFiles) -> Void) throws {
            let files = MemoryFiles()
            files["log"] = bytes
            let log = try GrowingLog(at: "log", operations: files)
            let reader = LogReader()
            try log.readLines(reader) { _ in }
            change(files)
            try log.readLines(reader) { _ in }
        }
        try following { _ in }
        try following { $0["log"] = bytes + other }
        #expect(throws: ReplacedLog.self) {
            try following { $0["log"] = other }
        }
        #expect(throws: EventLogError.shrank(path: "log", read: Int64(bytes.count), size: 9)) {
            try following { $0["log"] = Array(bytes.prefix(9)) }
        }
        #expect(throws: EventLogError.noSuchLog(path: "log")) {
            try following { $0["log"] = nil }
        }
    }
}
