import Testing

@testable import PurchaseProjections

@Suite struct PersistedWhereItFitsTests {
    @Test func `each kind has stores that fit it`() throws {
        let fitting: [String: [String]] = [
            "nonConsumable": ["receipt", "userDefaults", "iCloud", "server"],
            "autoRenewable": ["receipt", "userDefaults", "iCloud", "server"],
            "nonRenewing": ["iCloud", "server"],
            "consumable": ["appState", "server"],
        ]
        for (kind, stores) in fitting {
            for store in ["receipt", "userDefaults", "iCloud", "server", "appState"] {
                let pin = stores.contains(store) ? "" : "← persisted-where-it-fits"
                try Timeline(
                    """
                    catalog.listed product=product-1 kind=\(kind)
                    queue.purchased transaction=t1
                    delivery.persisted transaction=t1 store=\(store) \(pin)
                    """
                ).expectPinned(PersistedWhereItFits.self)
            }
        }
    }

    @Test func `each persist of a known kind is a test`() throws {
        let report = try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable
            delivery.persisted transaction=t1 store=appState
            delivery.persisted transaction=t1 store=server
            """
        ).reports([PersistedWhereItFits.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
