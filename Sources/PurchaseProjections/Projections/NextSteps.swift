import PurchaseEvents

/// The entitlements at an instant, which decide the next step of each transaction.
struct NextSteps {
    private let facts: Facts
    private let instant: Timestamp
    private let holdings: [Holding]
    /// Accounts and products with an entitlement from any purchase.
    private var holders: Set<Holder> = []
    /// The plans of which a period began, and whether one runs.
    private var plans: [Plan: Bool] = [:]
    /// A product in a subscription.
    private struct Plan: Hashable {
        var original: TransactionHandle
        var product: ProductHandle?
    }

    /// The time from which on a server grants what was paid for; `nil` if the log shows none.
    private let serverGrantsSince: Timestamp?

    init(_ facts: Facts, asOf instant: Timestamp, serverGrantsSince: Timestamp?) {
        self.facts = facts
        self.instant = instant
        self.serverGrantsSince = serverGrantsSince
        holdings = facts.holdings(asOf: instant)
        for holding in holdings {
            if holding.isActive, let holder = holding.holder { holders.insert(holder) }
            if holding.kind == .autoRenewable {
                plans[Plan(original: holding.original, product: holding.product)] =
                    holding.isActive
            }
        }
    }

    func next(_ transaction: TransactionHandle, _ devices: [DeviceHandle?]) -> Pending.Step {
        let known = facts[transaction]
        let isConsumable = facts.kind(of: transaction) == .consumable
        if let kept = unitsKept(of: transaction) {
            if exceeds(kept, transaction) { return .withdraw }
        } else if isVoid(transaction) {
            let isGranted = known.isDelivered && (isConsumable || !isHeld(transaction))
            return isGranted ? .withdraw : .finish
        }
        // A plan that another one replaced before it was delivered is owed no more.
        guard facts.isInLogEnvironment(transaction), !needsNoDelivery(transaction, devices),
            known.isDelivered || !facts.isUpgradedAway(transaction, by: instant)
        else { return .finish }
        let isHosted = known.product.flatMap { facts[$0].hosted } ?? false
        if known.openDownloads > 0 || (isHosted && known.downloadLine == 0) { return .download }
        if isDeliveryMissing(transaction, isConsumable) { return .deliver }
        return known.persistedLine == 0 ? .persist : .finish
    }

    /// Whether nothing is owed, because the purchase was refunded, revoked or found invalid.
    private func isVoid(_ transaction: TransactionHandle) -> Bool {
        facts[transaction].validation == .invalid
            || facts.refundEnding(transaction, asOf: instant) != nil
    }

    /// The units of a consumable that a refund of a part leaves; `nil` if no such refund is in
    /// force.
    private func unitsKept(of transaction: TransactionHandle) -> Int64? {
        guard facts[transaction].validation != .invalid else { return nil }
        return facts.unitsKept(of: transaction, asOf: instant)
    }

    /// Whether the app has still to take back the units that a refund of a part took.
    private func exceeds(_ kept: Int64, _ transaction: TransactionHandle) -> Bool {
        let known = facts[transaction]
        if known.isRefundSettled { return false }
        // A delivery of the rest after the refund gave what was left.
        return !known.isRestDelivered(after: known.refundedLine) && known.deliveredQuantity > kept
    }

    private func isHeld(_ transaction: TransactionHandle) -> Bool {
        guard let product = facts[transaction].product else { return false }
        return holders.contains(Holder(account: facts.owner(of: transaction), product: product))
    }

    /// Whether a restored transaction needs no delivery (G8.4).
    ///
    /// None is needed if the user selected other products, if the receipt holds the product and
    /// the product has no hosted content, or if it is a plan of which no period runs.
    private func needsNoDelivery(
        _ transaction: TransactionHandle, _ devices: [DeviceHandle?]
    ) -> Bool {
        let known = facts[transaction]
        guard known.isRestored, !known.isPurchased, let product = known.product else {
            return false
        }
        if restoresWhatIsOver(transaction) { return true }
        let selecting = devices.map { facts[$0] }.filter { !$0.selectedProducts.isEmpty }
        if !selecting.isEmpty { return selecting.allSatisfy { $0.excludesFromRestore(product) } }
        return facts.receiptGrants(transaction)
    }

    /// Whether a transaction only restores a plan whose known periods are all over or refunded: it
    /// opens no period itself (event-log.md, 4).
    private func restoresWhatIsOver(_ transaction: TransactionHandle) -> Bool {
        let known = facts[transaction]
        guard known.isOnlyRestored, facts.kind(of: transaction) == .autoRenewable else {
            return false
        }
        let plan = Plan(original: facts.original(of: transaction), product: known.product)
        return plans[plan] == false && known.expiresAt.map { $0 <= instant } ?? true
    }

    /// Whether a delivery is missing.
    ///
    /// A withdrawn product is delivered again only while it is owed, so not after its period has
    /// expired.
    private func isDeliveryMissing(_ transaction: TransactionHandle, _ isConsumable: Bool) -> Bool {
        let known = facts[transaction]
        if isConsumable {
            guard let kept = unitsKept(of: transaction) else {
                return known.deliveredQuantity < known.quantity
            }
            return !known.isRefundSettled && known.deliveredQuantity < kept
        }
        if known.isDelivered { return false }
        return known.firstDeliveredLine == 0 || isHeld(transaction)
    }

    /// Tasks for transactions outside the queue: withdraw what is granted but no longer owed,
    /// deliver what is owed again after a withdrawal or reversal, and what a server never granted.
    func tasksOutsideQueue(isOpen: (TransactionHandle) -> Bool) -> [PendingTask] {
        var tasks: [PendingTask] = []
        for holding in holdings {
            if !holding.isActive, holding.grant.stands, let given = holding.grant.transaction,
                !isOpen(given), !isStillToBegin(given),
                !(holding.holder.map(holders.contains) ?? false)
            {
                tasks.append(PendingTask(given, .withdraw, since: holding.until, facts))
            } else if holding.isActive, !holding.grant.stands,
                isToDeliverAgain(holding.transaction), !isOpen(holding.transaction)
            {
                tasks.append(owedAgain(holding.transaction))
            }
        }
        tasks += holdingsNeverGranted()
        for transaction in facts.knownTransactions
        where facts.kind(of: transaction) == .consumable && facts[transaction].attestsPeriod
            && facts.isInLogEnvironment(transaction) && !isOpen(transaction)
        {
            let kept = unitsKept(of: transaction)
            if kept != nil || isVoid(transaction) {
                guard facts[transaction].isDelivered, kept.map({ exceeds($0, transaction) }) ?? true
                else { continue }
                let refund = facts.refund(of: transaction, asOf: instant)
                tasks.append(PendingTask(transaction, .withdraw, since: refund?.cancelledAt, facts))
            } else if isToDeliverAgain(transaction) {
                tasks.append(owedAgain(transaction))
            } else if facts[transaction].firstDeliveredLine == 0, !facts[transaction].wasInQueue,
                let purchasedAt = facts[transaction].purchasedAt, isDue(since: purchasedAt)
            {
                tasks.append(PendingTask(transaction, .deliver, since: purchasedAt, facts))
            }
        }
        return tasks
    }

    /// Whether a transaction that was granted ahead is a period that is still to begin: the store
    /// renews up to a day before (G6.6).
    private func isStillToBegin(_ transaction: TransactionHandle) -> Bool {
        guard let period = facts.span(of: transaction), instant < period.start else { return false }
        return !isVoid(transaction) && !facts.isUpgradedAway(transaction, by: instant)
    }

    /// Whether a server should have granted a purchase: one made since its first grant in the log,
    /// so that a log which begins to record grants late doesn't list all older purchases.
    private func isDue(since purchasedAt: Timestamp) -> Bool {
        guard let serverGrantsSince else { return false }
        return serverGrantsSince <= purchasedAt && purchasedAt <= instant
    }

    /// Tasks to deliver entitlements that only statements attest and that a server never granted,
    /// unless another purchase of the account grants the same.
    private func holdingsNeverGranted() -> [PendingTask] {
        guard serverGrantsSince != nil else { return [] }
        var granted: Set<Holder> = []
        for holding in holdings where holding.isActive && holding.grant.stands {
            if let holder = holding.holder { granted.insert(holder) }
        }
        return holdings.compactMap { holding in
            let grant = holding.grant
            guard holding.isActive, grant.deliveredLine == 0, grant.withdrawnLine == 0,
                !grant.isOfQueue, isDue(since: holding.since),
                holding.account == nil || !(holding.holder.map(granted.contains) ?? false)
            else { return nil }
            return PendingTask(holding.transaction, .deliver, since: holding.since, facts)
        }
    }

    /// Whether a transaction that is owed waits for a delivery since its withdrawal, or since the
    /// reversal of the refund with which it was finished undelivered.
    ///
    /// Transactions stated outside the queue are never finished, so a delivery also qualifies them.
    private func isToDeliverAgain(_ transaction: TransactionHandle) -> Bool {
        let known = facts[transaction]
        let isGivenOrFinished = known.isFinished || known.firstDeliveredLine != 0
        return isGivenOrFinished && facts.restartLine(of: transaction) > known.deliveredLine
    }

    /// The task to deliver such a transaction, dated by the reversal that makes it owed.
    private func owedAgain(_ transaction: TransactionHandle) -> PendingTask {
        let purchase = facts.restoredPurchase(of: transaction) ?? transaction
        let reversal = facts.reversal(of: purchase)
        let isSince = reversal.map { $0.line > facts[transaction].withdrawnLine } ?? false
        return PendingTask(transaction, .deliver, since: isSince ? reversal?.date : nil, facts)
    }
}
