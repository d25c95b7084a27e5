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

    @Test func `an unknown kind is not judged`() throws {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1
            delivery.persisted transaction=t1 store=appState
            """)
        try timeline.expectPinned(PersistedWhereItFits.self)
        #expect(try timeline.verdict(PersistedWhereItFits.self) == .vacuous)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            receipt.listed transaction=t1 kind=consumable
            delivery.persisted transaction=t1 store=receipt ← persisted-where-it-fits
            """
        ).expectPinned(PersistedWhereItFits.self)
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

    @Test func `a kind that a later line states counts`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 product=coins
            delivery.persisted transaction=t1 store=receipt ← persisted-where-it-fits
            catalog.listed product=coins kind=consumable
            delivery.persisted transaction=t2 store=appState ← persisted-where-it-fits
            queue.purchased transaction=t2 product=paper expiresAt=2026-03-01
            """
        ).expectPinned(PersistedWhereItFits.self)
    }
}
