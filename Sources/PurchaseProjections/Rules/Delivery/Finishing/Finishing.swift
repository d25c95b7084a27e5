import PurchaseEvents

/// What the rules about finishing have in common: whose finish, and whether anything was owed.
enum Finishing {
    /// The transaction that an event finishes, where the queue said that it was purchased or
    /// restored.
    static func transaction(
        of event: Event<Interned>, _ facts: Facts
    ) -> TransactionID<Interned>? {
        guard let transaction = facts.finishedTransaction(of: event),
            facts[transaction].isPurchased || facts[transaction].isRestored
        else { return nil }
        return transaction
    }

    /// Says that nothing can be told of what an event finishes first, where the log may have missed
    /// that it was purchased, and what had to be done before; nothing where that was seen, or where
    /// it is known to be owed nothing.
    static func lookForUnseen(
        _ event: Event<Interned>, _ doneLine: KeyPath<TransactionFacts, LineNumber>,
        _ done: String, _ facts: Facts, _ report: inout Report
    ) {
        guard event.type == .queueFinished, let transaction = event.transaction,
            let missed = facts.mayHaveMissed
        else { return }
        let known = facts[transaction]
        guard !known.isPurchased, !known.isRestored, known.finishedEarlierLine == 0,
            known.refund == nil, known.validation != .invalid, known[keyPath: doneLine] == 0
        else { return }
        let name = DeliveryWords.name(transaction, facts)
        report.cannotTell("\(name) is not seen purchased or \(done) before its finish; \(missed)")
    }

    /// Whether the finish read now repeats one without a presentation in between, which
    /// `finished-once` finds: what the first one lost, the second can't lose again.
    static func isRepeated(_ transaction: TransactionID<Interned>, _ facts: Facts) -> Bool {
        let known = facts[transaction]
        return known.finishedEarlierLine > max(known.purchasedAgainLine, known.restoredAgainLine)
    }

    /// Whether the log knows by now that the finish of a transaction leaves nobody without what
    /// was paid for.
    static func owesNothing(
        _ transaction: TransactionID<Interned>, at event: Event<Interned>, _ facts: Facts
    ) -> Bool {
        let known = facts[transaction]
        if known.refund != nil || known.validation == .invalid { return true }
        if known.environment != facts.environment(of: event) { return true }
        guard known.isRestored, !known.isPurchased else { return false }
        let isOfTests =
            facts.environment(of: event) == .production
            && facts.testPurchase(restoredBy: transaction) != nil
        let isLeftOut = known.product.map { facts[event.device].leavesOut($0) } ?? false
        return isOfTests || facts.refundedPurchase(of: transaction) != nil
            || isLeftOut || facts.receiptGrants(transaction)
    }
}
