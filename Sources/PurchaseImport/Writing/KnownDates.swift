import PurchaseEvents

/// The dates of a document that had passed when the App Store wrote it.
///
/// The end of a period that still runs, or of a grace period, lies ahead and is none of them: an
/// event dated by it would be recorded in the future, when the subscription is over.
struct KnownDates {
    private var purchase: Timestamp?
    private var other: Timestamp?

    /// The dates of rows, of the lines that are said to have lapsed the ends too.
    init(rows: AppStoreRows, lapsed lines: Set<String>) {
        purchase = rows.all.last?.purchasedAt
        for row in rows.all {
            add(row.originalPurchasedAt)
            add(row.cancelledAt)
        }
        for line in lines { add(rows.lastEnd(of: line)) }
    }

    /// Takes a date that has passed.
    mutating func add(_ time: Timestamp?) {
        guard let time else { return }
        other = max(other ?? time, time)
    }

    /// The greatest date.
    var latest: Timestamp? {
        guard let purchase, let other else { return self.purchase ?? self.other }
        return max(purchase, other)
    }

    /// The earliest instant at which the document may have been written.
    ///
    /// It speaks of its purchases, so it is later than the last of them, by a millisecond at least.
    var earliestStatement: Timestamp? {
        let afterPurchase = purchase?.advanced(byMilliseconds: 1)
        guard let afterPurchase, let other else { return afterPurchase ?? other }
        let earliest = max(afterPurchase, other)
        return earliest.isWritable ? earliest : other
    }
}
