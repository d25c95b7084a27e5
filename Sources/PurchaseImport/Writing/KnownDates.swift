import PurchaseEvents

/// The dates of a document that were in the past when the App Store wrote it.
///
/// Leaves out the end of a running period or grace period: an event with that date would be
/// recorded after the end of the subscription.
struct KnownDates {
    private var purchase: Timestamp?
    private var other: Timestamp?

    /// Collects the dates of rows, including the ends of lapsed lines.
    init(rows: AppStoreRows, lapsed lines: Set<String>) {
        purchase = rows.all.last?.purchasedAt
        for row in rows.all {
            add(row.originalPurchasedAt)
            add(row.cancelledAt)
        }
        for line in lines { add(rows.lastEnd(of: line)) }
    }

    mutating func add(_ time: Timestamp?) {
        guard let time else { return }
        other = max(other ?? time, time)
    }

    var latest: Timestamp? {
        guard let purchase, let other else { return self.purchase ?? self.other }
        return max(purchase, other)
    }

    /// The earliest time at which the document can have been written: at least a millisecond after
    /// its last purchase.
    var earliestStatement: Timestamp? {
        let afterPurchase = purchase?.advanced(byMilliseconds: 1)
        guard let afterPurchase, let other else { return afterPurchase ?? other }
        let earliest = max(afterPurchase, other)
        return earliest.isWritable ? earliest : other
    }
}
