import PurchaseEvents
import TestSupport

/// The actions of a log's writer in order, and what the log acknowledged.
struct CrashScript: Sendable, CustomStringConvertible {
    var layout = LogLayout.file
    var chained = true

    static let path = "log.jsonl"
    static let time = Timestamp(milliseconds: 1_771_578_000_000)

    /// The four kinds of log.
    static let all = [false, true].flatMap { chained in
        [LogLayout.file, .segments(size: 900)].map { CrashScript(layout: $0, chained: chained) }
    }

    var description: String {
        (layout == .file ? "a file" : "segments") + (chained ? ", chained" : "")
    }

    /// What the writer knows.
    struct Witness: Hashable, Sendable {
        /// Whether creating the log was acknowledged.
        var isCreated = false
        /// The texts that the writer tried to append, in order.
        var attempted: [String] = []
        /// The texts that the log acknowledged.
        var acknowledged: [String] = []
    }

    /// The batch sizes: single events, several in one sector, and many sectors.
    private static let batches = [1, 1, 2, 1, 3, 1, 8, 1]

    /// Runs the script; after each failure it does what a careful writer would do.
    func run(on files: any FileOperations, _ witness: Protected<Witness>) {
        var log = create(on: files)
        if log != nil { witness.withLock { $0.isCreated = true } }
        var next = 0
        for (number, count) in CrashScript.batches.enumerated() {
            if log == nil { log = open(on: files) ?? create(on: files) }
            guard let writer = log else { continue }
            witness.withLock { $0.isCreated = true }
            let texts = (next..<next + count).map { "text \($0)" }
            next += count
            witness.withLock { $0.attempted += texts }
            if !append(texts, to: writer, witness) {
                // Unknown outcomes are resolved from the log when it is opened again.
                log = nil
            } else if number == 3, layout != .file {
                try? writer.rotate()
            } else if number == 5 {
                writer.close()
                log = nil
            }
        }
    }

    private func append(
        _ texts: [String], to log: EventLog, _ witness: Protected<Witness>
    ) -> Bool {
        do throws(EventLogError) {
            try log.append(texts.map { CrashScript.draft($0) })
            witness.withLock { $0.acknowledged += texts }
            return true
        } catch .syncFailed, .latched {
            guard let answers = try? log.recover() else { return false }
            if answers.count == texts.count { witness.withLock { $0.acknowledged += texts } }
            return true
        } catch {
            return true
        }
    }

    static func draft(_ text: String) -> Draft {
        Draft(at: time, id: text, .logNoted(text: text + String(repeating: ".", count: 40)))
    }

    func create(on files: any FileOperations) -> EventLog? {
        try? EventLog.create(
            at: CrashScript.path, app: nil, writer: nil, recordedAt: CrashScript.time,
            durability: .disk, layout: layout, chained: chained, operations: files)
    }

    func open(on files: any FileOperations) -> EventLog? {
        try? CrashScript.open(on: files, .cut(recordedAt: CrashScript.time))
    }

    static func open(
        on files: any FileOperations, _ tornTail: TornTailPolicy
    ) throws(EventLogError) -> EventLog {
        try EventLog.open(
            at: path, durability: .disk, tornTail: tornTail, segmentSize: 900, operations: files)
    }

    /// The texts in a log.
    static func texts(in log: EventLog) throws -> [String] {
        let reader = try log.read()
        var texts: [String] = []
        while let entry = try reader.next() {
            guard case .logNoted(let text)? = entry.event?.fact else { continue }
            texts.append(String(text.prefix { $0 != "." }))
        }
        return texts
    }
}
