import PurchaseProjections
import PurchaseRecorder
import TestSupport

@testable import PurchaseEvents

/// A clock and a source of keys for tests.
final class TestClock: Sendable {
    private let state = Protected((now: Int64(1_767_225_600_000), keys: 0))

    var now: Timestamp { state.withLock { Timestamp(milliseconds: $0.now) } }
    func advance(hours: Int64) { state.withLock { $0.now += hours * Timestamp.hour } }
    func newKey() -> String {
        state.withLock {
            $0.keys += 1
            return "p\($0.keys)"
        }
    }

    var settings: RecorderSettings {
        RecorderSettings(
            device: "phone",
            kinds: [
                "coins": .consumable, "theme": .nonConsumable, "birds": .nonConsumable,
                "season": .nonRenewing, "news": .autoRenewable,
            ], now: { self.now }, newKey: { self.newKey() })
    }
}

/// A log in memory, which outlives the app's process.
final class TestLog {
    var files: MemoryFiles
    let clock: TestClock
    static let path = "shop/log.jsonl"
    static let notesPath = "shop/log.jsonl.notes"

    init(_ clock: TestClock = TestClock(), files: MemoryFiles = MemoryFiles()) throws {
        self.clock = clock
        self.files = files
        let log = try EventLog.create(
            at: TestLog.path, app: nil, writer: nil, recordedAt: clock.now, durability: .disk,
            operations: files)
        log.close()
    }

    /// Opens the ledger over the log, as a launch does.
    func open() throws -> PurchaseLedger {
        let now = clock.now, files = files
        return try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: TestLog.path, durability: .disk, tornTail: .cut(recordedAt: now),
                operations: files)
        }
    }

    var notes: ReplacedFile { ReplacedFile(at: TestLog.notesPath, operations: files) }
    var bytes: [UInt8] { files[TestLog.path] ?? [] }

    /// The events after the first, each as its type and its keys.
    var events: [String] {
        let decoder = LineDecoder()
        return bytes.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
            decoder.event(on: line)?.summary
        }
    }

    var lines: [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The reports of rules over the log.
    func reports(_ rules: [any Rule.Type] = RuleCatalogue.all) throws
        -> [(rule: RuleInfo, report: Report)]
    {
        try check(bytes, rules)
    }

    /// The findings of error and warning level.
    func findings() throws -> [String] {
        try reports().flatMap { rule, report in
            report.findings.filter { $0.level != .note }.map {
                "line \($0.line): [\(rule.id)] \($0.message)"
            }
        }
    }
}

extension Event<Written> {
    /// The type and the keys: `queue.purchased t1 p1`, and the word of a failure.
    fileprivate var summary: String {
        var names = [transaction?.name, payment?.name, transaction == nil ? product?.name : nil]
        if case .queueFailed(let failed) = fact { names.append(failed.error.text) }
        return ([type.wireName] + names.compactMap(\.self)).joined(separator: " ")
    }
}

/// A StoreKit 1 recorder between a test's queue and a test's app.
final class Bench {
    let log: TestLog
    private(set) var queue = TestQueue()
    let app = TestApp()
    private(set) var recorder: PaymentQueueRecorder
    var clock: TestClock { log.clock }

    init(launching: Bool = true) throws {
        log = try TestLog()
        recorder = try PaymentQueueRecorder(
            ledger: log.open(), notes: log.notes, queue: queue, settings: log.clock.settings,
            handler: app)
        if launching { try recorder.launch() }
    }

    /// Ends the app and launches it again.
    func relaunch() throws {
        queue = TestQueue()
        recorder.ledger.close()
        log.files.loseProcess()
        recorder = try PaymentQueueRecorder(
            ledger: log.open(), notes: log.notes, queue: queue, settings: log.clock.settings,
            handler: app)
        try recorder.launch()
    }

    /// The account of tests.
    static let account = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

    /// The log learns of a refund.
    func refund(_ transaction: TransactionID<Written>) throws {
        let refund = CancellationRefunded<Written>(
            transaction: transaction, cancelledAt: clock.now)
        try recorder.ledger.record(.cancellationRefunded(refund), now: clock.now)
        recorder.workOnDueTasks()
    }

    /// The queue shows transactions.
    func show(_ transactions: [TestTransaction]) {
        clock.advance(hours: 1)
        queue.observedTransactions = transactions
        recorder.updated(transactions)
    }
}
