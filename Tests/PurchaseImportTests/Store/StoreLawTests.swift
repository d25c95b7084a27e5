import Foundation
import PurchaseEvents
import PurchaseImport
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// The importer reads back what the simulated App Store states.
struct StoreLawTests {
    @Test(arguments: StoreLaw.seeds)
    func `notifications, pages and both give the rows of what the store states`(seed: UInt64) throws
    {
        for deliveries in StoreDeliveries.allCases {
            let store = StoreLaw.store(seed: seed, deliveries)
            let expected = try StoreLaw.rows(of: store.statements.log(), asOf: store.end)
            let bodies = IteratorSequence(store).map(\.body)
            let pages = store.pages.map(\.json)
            for (what, documents) in [
                ("notifications", bodies), ("pages", pages), ("both", bodies + pages),
            ] {
                let log = StoreLaw.imported(documents)
                let rows = try StoreLaw.rows(of: log, asOf: store.end)
                let differences = Set(rows).symmetricDifference(expected).sorted().prefix(4)
                #expect(rows == expected, "\(seed) \(deliveries) \(what): \(differences)")
            }
        }
    }
}

enum StoreLaw {
    static var seeds: [UInt64] {
        let text = ProcessInfo.processInfo.environment["STORE_SEEDS"]
        let parts = text?.split(separator: "-").compactMap { UInt64($0) } ?? []
        return parts.count == 2
            ? Array(parts[0]...parts[1]) : Array(1...Effort.of(whole: 3, part: 1))
    }

    static func store(seed: UInt64, _ deliveries: StoreDeliveries) -> SimulatedAppStore {
        var options = SimulationOptions(events: 600, accounts: 4, days: 500)
        options.salt = seed
        if seed % 2 == 0 { options.mix = .adverse }
        return SimulatedAppStore(
            options, choices: SeededChoices(seed: seed), deliveries: deliveries)
    }

    static func imported(_ documents: [String]) -> [UInt8] {
        var options = ImportOptions()
        options.verifies = false
        let bytes = Array(documents.map { $0 + "\n" }.joined().utf8)
        let file = ImportFile(name: "store.jsonl", bytes: bytes)
        return AppStoreImporter().log(of: [file], options: options).log
    }

    /// The rows of three projections.
    static func rows(of log: [UInt8], asOf instant: Timestamp) throws -> [String] {
        let show = try Checking.show(log, asOf: instant)
        return [Entitlements.self, Subscriptions.self, Accounts.self].flatMap {
            Checking.rows(show, $0)
        }
    }
}
