import PurchaseEvents

/// A renewal comes in the last 24 hours of the period before it (G6.6).
///
/// The store starts to renew 24 hours before the expiry, so a renewal without a lapse is dated at
/// most 24 hours before the expiry. A change of plan, an upgraded row, or a purchase after a refund
/// is not a renewal.
struct RenewalBeforeLapse: CatalogueRule {
    static let level = Level.note
    static let statement = """
        A renewal without a lapse and of the same product, not upgraded, is dated at most 24 hours \
        before the expiry that it follows.
        """
    static let evidence = ["G6.6"]
    static let reads = EventTypes()

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {}

    mutating func finish(facts: Facts, report: inout Report) {
        for index in facts.subscriptions.indices {
            facts.forEachPair(ofSubscription: index, besidesUpgraded: true) { pair in
                guard pair.later.start <= pair.earlier.end,
                    pair.earlier.product == pair.later.product, pair.earlier.ended == nil
                else { return }
                report.test()
                let first = pair.earlier.end.advanced(byMilliseconds: -Timestamp.day)
                guard pair.later.start < first else { return }
                if let reason = facts.endMayBeMissing(pair) {
                    report.cannotTell(reason)
                } else {
                    find(pair, facts.subscriptions[index], facts, &report)
                }
            }
        }
    }

    private func find(
        _ pair: Neighbours, _ subscription: SubscriptionFacts, _ facts: Facts,
        _ report: inout Report
    ) {
        let later = pair.later.transaction
        let number = facts.line(of: pair)
        report.find(
            at: number, facts, account: facts.owner(of: subscription),
            key: facts.text(later),
            "transaction \(facts.text(later)) renewed at \(pair.later.start.text) a period that "
                + "ends at \(pair.earlier.end.text): expected a renewal in the 24 hours before "
                + "that",
            notes: facts.notes(on: pair, besides: number),
            hint: "it may be an upgrade that was not recorded: look at the products")
    }
}
