import PurchaseEvents

/// A restore is requested by the user (G8.1).
struct RestoreAskedByUser: CatalogueRule {
    static let level = Level.warning
    static let statement = "No restore is requested by the app itself."
    static let evidence = ["G8.1"]
    static let reads = EventTypes(.restoreRequested)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .restoreRequested(let requester) = event.fact else { return }
        report.test()
        guard requester == .app else { return }
        report.find(
            event, on: line, facts, key: nil,
            "the app requested a restore\(facts.ownerSuffix(event.account)) by itself: expected "
                + "the user to ask for it",
            hint: "look at where the app restores: it asks its user to sign in when nobody wants "
                + "it, and makes new transactions each time; refreshing the receipt does neither")
    }
}
