import PurchaseEvents

/// What is owed at an instant, to tell the next step of each transaction.
struct Owed {
    private let facts: Facts
    private let instant: Timestamp
    private let holdings: [Holding]
    /// Who is entitled to what, by any purchase.
    private var holders: Set<Holder> = []

    init(_ facts: Facts, asOf instant: Timestamp) {
        self.facts = facts
        self.instant = instant
        holdings = facts.holdings(asOf: instant)
        for holding in holdings where holding.isActive {
            if let holder = holding.holder { holders.insert(holder) }
        }
    }

    /// The first step that is missing of an open transaction.
    func next(
        _ transaction: TransactionID<Interned>, _ devices: [DeviceID<Interned>?]
    ) -> Pending.Step {
        let known = facts[transaction]
        let isConsumable = facts.kind(of: transaction) == .consumable
        if isTakenBack(transaction) {
            let isGranted = known.isDelivered && (isConsumable || !isHeld(transaction))
            return isGranted ? .withdraw : .finish
        }
        guard facts.isAtHome(transaction), !isLeftOut(transaction, devices) else { return .finish }
        let isHosted = known.product.flatMap { facts[$0].hosted } ?? false
        if known.openDownloads > 0 || (isHosted && known.downloadLine == 0) { return .download }
        if isDeliveryMissing(transaction, isConsumable) { return .deliver }
        return known.persistedLine == 0 ? .persist : .finish
    }

    /// Whether a refund, a revocation or a validation says that nothing is owed for it.
    private func isTakenBack(_ transaction: TransactionID<Interned>) -> Bool {
        facts[transaction].validation == .invalid
            || facts.refundEnding(transaction, asOf: instant) != nil
    }

    private func isHeld(_ transaction: TransactionID<Interned>) -> Bool {
        guard let product = facts[transaction].product else { return false }
        return holders.contains(Holder(account: facts.owner(of: transaction), product: product))
    }

    /// Whether a restored transaction needs no delivery (G8.4): the user chose others, or it has
    /// no hosted content and the receipt holds it.
    private func isLeftOut(
        _ transaction: TransactionID<Interned>, _ devices: [DeviceID<Interned>?]
    ) -> Bool {
        let known = facts[transaction]
        guard known.isRestored, !known.isPurchased, let product = known.product else {
            return false
        }
        let selecting = devices.map { facts[$0] }.filter { !$0.selectedProducts.isEmpty }
        if !selecting.isEmpty { return selecting.allSatisfy { $0.leavesOut(product) } }
        return facts.receiptGrants(transaction)
    }

    /// What was delivered and withdrawn is missing only while it is owed: the end of a period is
    /// no reason to deliver it again.
    private func isDeliveryMissing(
        _ transaction: TransactionID<Interned>, _ isConsumable: Bool
    ) -> Bool {
        let known = facts[transaction]
        if isConsumable { return known.deliveredQuantity < known.quantity }
        if known.isDelivered { return false }
        return known.firstDeliveredLine == 0 || isHeld(transaction)
    }

    /// What is in no queue any more, and has changed since: granted and no longer owed, or
    /// withdrawn and owed again.
    func changed(but isOpen: (TransactionID<Interned>) -> Bool) -> [PendingTask] {
        var tasks: [PendingTask] = []
        for holding in holdings {
            if !holding.isActive, holding.grant.stands, let given = holding.grant.transaction,
                !isOpen(given), !(holding.holder.map(holders.contains) ?? false)
            {
                tasks.append(PendingTask(given, .withdraw, since: holding.until, facts))
            } else if holding.isActive, !holding.grant.stands,
                isTaken(holding.transaction), !isOpen(holding.transaction)
            {
                tasks.append(owedAgain(holding.transaction))
            }
        }
        for transaction in facts.knownTransactions
        where facts.kind(of: transaction) == .consumable && facts[transaction].attestsPeriod
            && facts.isAtHome(transaction) && !isOpen(transaction)
        {
            if isTakenBack(transaction) {
                guard facts[transaction].isDelivered else { continue }
                let refund = facts.refund(of: transaction, asOf: instant)
                tasks.append(
                    PendingTask(transaction, .withdraw, since: refund?.cancelledAt, facts))
            } else if isTaken(transaction) {
                tasks.append(owedAgain(transaction))
            }
        }
        return tasks
    }

    /// Whether the latest that the app did for a transaction that it gave or finished was to
    /// withdraw it; one that the App Store stated without the queue is never finished.
    private func isTaken(_ transaction: TransactionID<Interned>) -> Bool {
        let known = facts[transaction]
        let isGivenOrFinished = known.isFinished || known.firstDeliveredLine != 0
        return isGivenOrFinished && known.withdrawnLine > known.deliveredLine
    }

    /// The delivery of what was withdrawn and is owed again, since the reversal that made it so.
    private func owedAgain(_ transaction: TransactionID<Interned>) -> PendingTask {
        let purchase = facts.restoredPurchase(of: transaction) ?? transaction
        let reversal = facts.reversal(of: purchase)
        let isSince = reversal.map { $0.line > facts[transaction].withdrawnLine } ?? false
        return PendingTask(
            transaction, .deliver, since: isSince ? reversal?.date : nil, facts)
    }
}
