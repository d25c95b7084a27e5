import PurchaseEvents

/// Helpers of the rules about finishing: the finished transaction, and whether anything was owed.
enum Finishing {
    /// The transaction that an event finishes, if the App Store stated it; `nil` for other events.
    static func transaction(of event: LogEvent, _ facts: Facts) -> TransactionHandle? {
        guard let transaction = facts.finishedTransaction(of: event),
            facts[transaction].statedLine != 0
        else { return nil }
        return transaction
    }

    /// Reports that the log may lack the purchase of a finished transaction and the step that must
    /// precede the finish.
    ///
    /// Does nothing if the log shows either, or if nothing was owed.
    static func lookForUnseen(
        _ event: LogEvent, _ doneLine: KeyPath<TransactionFacts, LineNumber>,
        _ done: String, _ facts: Facts, _ report: inout Report
    ) {
        guard event.type == .queueFinished, let transaction = event.transaction,
            let reason = facts.incompleteReason
        else { return }
        let known = facts[transaction]
        guard known.statedLine == 0, known.previousFinishedLine == 0, known.refund == nil,
            known.validation != .invalid, known[keyPath: doneLine] == 0
        else { return }
        let name = facts.name(transaction)
        report.cannotTell(
            "the log doesn't show \(name) purchased or \(done) before its finish; \(reason)")
    }

    /// Whether the current finish repeats an earlier one without a presentation in between; another
    /// device that was shown the transaction finishes it for itself.
    ///
    /// `finished-once` reports the repetition; whatever the first finish lost, the second cannot
    /// lose again.
    private static func isRepeated(_ transaction: TransactionHandle, _ facts: Facts) -> Bool {
        let known = facts[transaction]
        return known.previousFinishedLine > max(known.latestPurchasedLine, known.latestRestoredLine)
            && !facts.presentations.wasShown
    }

    /// Whether a finish can lose nothing: it repeats an earlier one, or the log shows that nothing
    /// is owed for its transaction.
    static func losesNothing(
        _ transaction: TransactionHandle, at event: LogEvent, _ facts: Facts
    ) -> Bool {
        isRepeated(transaction, facts)
            || owesNothing(
                transaction, on: event.device, at: event.at, in: facts.environment(of: event),
                facts)
    }

    /// Whether the log shows that nothing is owed for a transaction that a device finishes.
    static func owesNothing(
        _ transaction: TransactionHandle, on device: DeviceHandle?, at instant: Timestamp,
        in environment: Environment, _ facts: Facts
    ) -> Bool {
        let known = facts[transaction]
        // A plan that an earlier line states has begun, however slow the device's clock is.
        if known.validation == .invalid || facts.isUpgradedAway(transaction, by: .latest) {
            return true
        }
        // What a refund of a part of a consumable leaves is owed, until a withdrawal settles it.
        let keepsPart = known.withdrawnLine == 0 && facts.unitsKept(of: transaction) != nil
        if known.refund != nil, !keepsPart { return true }
        if known.environment != environment { return true }
        guard known.isRestored, !known.isPurchased else { return false }
        let isTest =
            environment == .production && facts.testPurchase(restoredBy: transaction) != nil
        let isExcluded = known.product.map { facts[device].excludesFromRestore($0) } ?? false
        return isTest || facts.refundedPurchase(of: transaction) != nil
            || isExcluded || facts.receiptGrants(transaction)
            || facts.restoresWhatIsOver(
                transaction, in: environment, at: facts.storeTime(at: instant))
    }

    /// A finish that lacks a step; that of a renewal whose period was over by then is a note: an
    /// app that grants the current period alone takes nothing away (G6.10).
    static func finish(
        of transaction: TransactionHandle, _ event: LogEvent, _ line: LineNumber, _ facts: Facts
    ) -> HeldFinishes.Finish {
        let known = facts[transaction]
        let isRenewal = known.original != nil && known.payment == nil
        let isOver = known.expiresAt.map { $0 <= facts.storeTime(at: event.at) } ?? false
        return HeldFinishes.Finish(
            transaction: transaction, original: facts.original(of: transaction),
            account: facts.account(event, transaction), device: event.device,
            environment: facts.environment(of: event), at: event.at, line: line,
            isNote: isRenewal && isOver && facts.kind(of: transaction) == .autoRenewable)
    }

    static let lateHint =
        "the period was over when it was finished, so the account lost nothing if the app grants "
        + "what runs now: look at whether a later period was delivered"
}
