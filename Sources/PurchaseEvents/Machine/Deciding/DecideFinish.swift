/// The reasons to refuse finishing a queue entry (G4.7 to G4.10).
extension PurchaseState {
    func refusals(ofFinishing id: PaymentID<S>, _ context: CommandContext<S>) -> Set<Refusal> {
        var found: Set<Refusal> = []
        if device(context.device).observer == .unregistered { found.insert(.notObserved) }
        let payment = payments[id] ?? PaymentState()
        if payment.unfinishedFailures == 0 {
            // A failure that was presented and is no longer open has been finished.
            let hasFailed = payment.presentation != nil && payment[.failed] > 0
            found.insert(hasFailed ? .finishedAlready : .notAtItsEnd)
        }
        return found
    }

    func refusals(ofFinishing id: TransactionID<S>, _ context: CommandContext<S>) -> Set<Refusal> {
        let known = transaction(id) ?? TransactionState()
        var found: Set<Refusal> = []
        if device(context.device).observer == .unregistered { found.insert(.notObserved) }
        guard known.phase.isInQueue else {
            found.insert(known.phase.wasFinished ? .finishedAlready : .notAtItsEnd)
            return found
        }
        // A transaction presented again after its finish is finished on the device that presents it
        // (G4.8).
        if known.phase.wasFinished, known.presentation?.device != context.device {
            found.insert(.finishedAlready)
        }
        // Asked last: it may look at all transactions of the subscription.
        lazy var needsNothing =
            owesNothing(known, in: context.environment) || mayFinishAtOnce(known, context)
            || isUpgradedAway(id, known, by: context.now)
            || restoresWhatIsOver(known, at: context.now, in: context.environment)
        if !openDownloads(of: id).isEmpty, !needsNothing { found.insert(.downloading) }
        if mayBeConsumable(known) {
            if known.deliveredQuantity == 0 {
                if !needsNothing { found.insert(.undelivered) }
            } else if known.undeliveredQuantity > 0 {
                // Even if nothing is owed any more, the delivered part must be withdrawn first.
                found.insert(.deliveredInPart)
            }
        } else if !hadDelivery(id, known, context), !needsNothing {
            found.insert(.undelivered)
        }
        if !known.isPersisted, !needsNothing { found.insert(.unpersisted) }
        return found
    }

    /// Whether the user has the purchase, or had it for as long as it granted access.
    private func hadDelivery(
        _ id: TransactionID<S>, _ known: TransactionState<S>, _ context: CommandContext<S>
    ) -> Bool {
        if known.isDelivered { return true }
        return known.wasDelivered && !grants(id, known, at: context.now, in: context.environment)
    }

    /// Whether a restored transaction may be finished at once (G8.4): the user chose other
    /// products, or the receipt already provides everything.
    private func mayFinishAtOnce(
        _ known: TransactionState<S>, _ context: CommandContext<S>
    ) -> Bool {
        guard known.phase.isRestored else { return false }
        if device(context.device).excludes(known.product) { return true }
        if known.hadDownloads { return false }
        if let product = known.product, products[product]?.isHosted == true { return false }
        let original = known.original.flatMap { transaction($0) }
        return known.isListed || known.isPersistedInReceipt || original?.isListed ?? false
            || original?.isPersistedInReceipt ?? false
    }
}
