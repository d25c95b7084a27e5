import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Ledgers over logs in memory, and the expectations on every log that a ledger wrote.
enum LedgerSamples {
    static let me = Session(account: "7c9e6679-7425-40de-944b-e07fc1f90afe", device: "phone")
    static let path = LogSamples.path

    /// A ledger over a new log.
    static func create(in files: MemoryFiles) throws -> PurchaseLedger {
        try LogSamples.create(in: files).close()
        return try open(in: files)
    }

    /// A ledger over an existing log.
    static func open(
        in files: MemoryFiles, tornTail: TornTailPolicy = .refuse
    ) throws(EventLogError) -> PurchaseLedger {
        try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: LogSamples.path, durability: .disk, tornTail: tornTail, operations: files)
        }
    }

    /// A ledger of a launched app with its catalogue.
    static func launched(in files: MemoryFiles) throws -> PurchaseLedger {
        let ledger = try create(in: files)
        try ledger.perform(.launch, by: me, now: History.hour(0))
        for fact in catalogue { try ledger.record(fact, by: me, now: History.hour(0)) }
        return ledger
    }

    static let catalogue = [
        Say.listed("coins", .consumable), Say.listed("level", .nonConsumable, hosted: true),
        Say.listed("theme", .nonConsumable),
    ]

    /// Expects that no rule of the catalogue reports an error in a log.
    static func expectNoError(
        in files: MemoryFiles, _ remark: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = try #require(files[path])
        let findings = try check(bytes, RuleCatalogue.all).flatMap { $0.report.findings }
        let errors = findings.filter { $0.level == .error }
        let told = errors.map { "\($0.line) [\($0.rule)] \($0.message)" }
        #expect(
            errors.isEmpty,
            "\(remark)\n\(told.joined(separator: "\n"))\n\(files.text(path) ?? "")",
            sourceLocation: sourceLocation)
    }

    /// How often events of a type name each transaction in a log.
    static func count(
        _ type: EventType, in files: MemoryFiles
    ) throws -> [TransactionID<Written>: Int] {
        var counts: [TransactionID<Written>: Int] = [:]
        let reader = try EventReader(at: path, operations: files)
        for entry in try LogSamples.entries(reader) {
            guard let event = entry.event, event.type == type else { continue }
            if let id = event.fact.transaction { counts[id, default: 0] += 1 }
        }
        return counts
    }
}
