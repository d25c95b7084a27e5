/// The reasons to refuse delivering, withdrawing, and the steps before a delivery.
extension PurchaseState {
    /// The reasons to refuse persisting or installing: the purchase must be paid and unfinished.
    func refusals(ofHandling id: TransactionID<S>) -> Set<Refusal> {
        let known = transaction(id) ?? TransactionState()
        var found: Set<Refusal> = []
        if !known.isPaid { found.insert(.unpaid) }
        if known.phase.wasFinished { found.insert(.afterFinish) }
        return found
    }

    func refusals(
        ofDownloading download: DownloadID<S>, to next: DownloadState, of id: TransactionID<S>
    ) -> Set<Refusal> {
        var found = refusals(ofHandling: id)
        if let state = downloads[id]?[download], !state.leads(to: next) {
            found.insert(.downloadEnded)
        }
        return found
    }

    func refusals(
        ofDelivering id: TransactionID<S>, quantity: Int64?, until: Timestamp?,
        _ context: CommandContext<S>
    ) -> Set<Refusal> {
        let known = transaction(id) ?? TransactionState()
        let isConsumable = mayBeConsumable(known)
        let left = known.undeliveredQuantity
        var found: Set<Refusal> = []
        if let quantity,
            !isValid(quantity, kind(of: known)) || quantity > 1 && known.isPaid && !isConsumable
        {
            found.insert(.quantityNotSane)
        }
        if !known.isPaid { found.insert(.unpaid) }
        // A withdrawn purchase may be delivered again: once, or for a consumable up to its
        // quantity. So may one that was finished undelivered after a refund, once that is reversed.
        let isReversed = known.wasFinishedRefunded && known.refundStated.value == .reversed
        let isRedelivery =
            (known.wasWithdrawn || isReversed && !known.isUpgraded)
            && (!known.isDelivered || isConsumable && left > 0)
        if known.phase.wasFinished, !isRedelivery { found.insert(.afterFinish) }
        if context.environment == .production, known.isPaid,
            !known.isAttested(in: .production) || restoresTests(known)
        {
            found.insert(.otherEnvironment)
        }
        if known.validation == .invalid { found.insert(.invalid) }
        if isRefunded(known), !keepsPart(known) { found.insert(.refunded) }
        if isConsumable, left == 0 {
            found.insert(.deliveredAlready)
        } else if isConsumable, let quantity, quantity > left {
            found.insert(.tooMany)
        }
        // A restored transaction has the date of the restore, not of the purchase (G8.8).
        if let until, let start = known.purchasedAt, until <= start, !known.phase.isRestored {
            found.insert(.endsTooSoon)
        }
        return found.union(refusals(ofGiving: id, known, context))
    }

    /// Checks the recipient: the payer, or the subscription's linked account (G3.4, G8.6).
    private func refusals(
        ofGiving id: TransactionID<S>, _ known: TransactionState<S>, _ context: CommandContext<S>
    ) -> Set<Refusal> {
        var found: Set<Refusal> = []
        if let account = context.account, !mayBeGiven(id, known, to: account) {
            found.insert(.otherAccount)
        }
        let owner = subscriptionOwner(of: known)
        if known.phase.isRestored,
            !owner.mayEqual(context.account) || !owner.mayEqual(known.restorer)
        {
            found.insert(.otherOwner)
        }
        return found
    }

    func refusals(ofWithdrawing id: TransactionID<S>, _ context: CommandContext<S>) -> Set<Refusal>
    {
        let known = transaction(id) ?? TransactionState()
        guard known.isPaid || known.wasDelivered else { return [.unpaid] }
        if kind(of: known) == .consumable {
            // Only its own refund ends a consumable, and no other purchase replaces it.
            let isOwed = known.isPaid && !known.isRefunded && known.validation != .invalid
            return isOwed ? [.stillOwed] : []
        }
        if grants(id, known, at: context.now, in: context.environment) { return [.stillOwed] }
        guard let product = known.product, let others = products[product]?.transactions else {
            return []
        }
        // The access belongs to the acting account or, if none is given, to the transaction's
        // owner.
        let holder = context.account ?? owner(of: id, known)
        let isStillOwed = others.contains { other in
            guard other != id, let otherPurchase = transaction(other),
                otherPurchase.product == product
            else { return false }
            return holder.mayEqual(owner(of: other, otherPurchase))
                && grants(other, otherPurchase, at: context.now, in: context.environment)
        }
        return isStillOwed ? [.stillOwed] : []
    }
}

extension DownloadState {
    /// Whether a download may go from this state to another (G4.16).
    ///
    /// A finished or cancelled download never changes again. A failed download can restart or be
    /// cancelled. All other changes are possible; the same state again means progress.
    public func leads(to next: DownloadState) -> Bool {
        switch self {
        case .waiting, .active, .paused: true
        case .failed: next == .waiting || next == .active || next == .cancelled
        case .finished, .cancelled: false
        }
    }
}
