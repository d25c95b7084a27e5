import PurchaseEvents

/// A refund or revocation as the log knew it at a line.
struct KnownRefund: Hashable, Sendable {
    /// The refunded or revoked transaction: the one queried, or the original that it restores.
    var transaction: TransactionHandle
    var line: LineNumber
    /// The date from which the purchase counts as never made.
    var cancelledAt: Timestamp
}

/// A past cancellation date, in force from one log line until another that reversed it or gave a
/// different date.
struct PastCancellation: Hashable, Sendable {
    var line: LineNumber, until: LineNumber
    var cancelledAt: Timestamp
}

extension TransactionFacts {
    /// The line that stated the cancellation date in force, or its reversal; 0 if there is none.
    fileprivate var cancelledLine: LineNumber {
        rareList.isEmpty ? 0 : rareList[0].cancelledLine
    }

    /// Whether any line of the log stated a refund or revocation; an upgrade is neither.
    var wasRefunded: Bool { cancelledLine != 0 && !isUpgraded }

    /// The kind of the cancellation; if not stated, refunded for a transaction that the user paid
    /// for and revoked for any other.
    var refundKind: Refund.Kind {
        let kind: Refund.Kind = ownership ?? .purchased == .purchased ? .refunded : .revoked
        return rareList.isEmpty ? kind : rareList[0].refundKind ?? kind
    }

    /// The lines at which the cancellation date changed, in order, or the last few of them.
    fileprivate func cancellationLines(last count: Int = .max) -> ArraySlice<LineNumber> {
        guard cancelledLine != 0 else { return [] }
        var lines: [LineNumber] = []
        for past in rareList[0].pastCancellations.suffix(count) {
            lines += [past.line, past.until]
        }
        lines.append(cancelledLine)
        return lines.indices.filter { $0 == 0 || lines[$0] != lines[$0 - 1] }.map { lines[$0] }
            .suffix(count)
    }

    /// The cancellation date in force as known at a line, and the line that states it.
    fileprivate func cancellation(at line: LineNumber) -> (line: LineNumber, date: Timestamp)? {
        guard cancelledLine != 0 else { return nil }
        if let cancelledAt, cancelledLine <= line { return (cancelledLine, cancelledAt) }
        return pastCancellation(at: line).map { ($0.line, $0.cancelledAt) }
    }

    /// The cancellation date in force as known at a line, if a later line changed or reversed it.
    fileprivate func pastCancellation(at line: LineNumber) -> PastCancellation? {
        guard cancelledLine != 0 else { return nil }
        let past = rareList[0].pastCancellations
        let place = past.lowerBound { $0.until > line }
        return place < past.count && past[place].line <= line ? past[place] : nil
    }
}

extension Facts {
    /// The purchase that a transaction only restores, so that one refund ends both; `nil` in a
    /// subscription, where each period stands alone.
    func restoredPurchase(of transaction: TransactionHandle) -> TransactionHandle? {
        guard self[transaction].isOnlyRestored, let original = self[transaction].original,
            !self[original].isRestored
        else { return nil }
        // Only the original's end may tell that both are a subscription.
        switch kind(of: transaction) ?? kind(of: original) {
        case .autoRenewable: return nil
        case .consumable, .nonConsumable, .nonRenewing, nil: return original
        }
    }

    /// The purchase whose refund or revocation voids a transaction: the transaction itself or the
    /// one that it restores; `nil` if neither is refunded.
    func refundedPurchase(of transaction: TransactionHandle) -> TransactionHandle? {
        if self[transaction].refund != nil { return transaction }
        return restoredPurchase(of: transaction).flatMap { self[$0].refund == nil ? nil : $0 }
    }

    /// The line and date of the reversal of a refund or revocation.
    ///
    /// Is `nil` if there is no reversal or the purchase was refunded again. The line is the first
    /// from which the log knows of the reversal.
    func reversal(of transaction: TransactionHandle) -> (line: LineNumber, date: Timestamp)? {
        let facts = self[transaction]
        guard facts.cancelledAt == nil, facts.cancelledLine != 0,
            let date = facts.refundStatedAt(versions)
        else { return nil }
        return (facts.cancelledLine, date)
    }

    /// The line from which on a transaction may be delivered anew: of its latest withdrawal, or of
    /// the reversal of the refund with which it was finished undelivered; 0 if there is none.
    func restartLine(of transaction: TransactionHandle) -> LineNumber {
        let known = self[transaction]
        guard known.isFinished, !known.isUpgraded, reversal(of: transaction) != nil,
            let refund = known.pastCancellation(at: known.finishedLine),
            known.firstDeliveredLine == 0 || known.firstDeliveredLine > refund.until
        else { return known.withdrawnLine }
        return max(known.withdrawnLine, refund.until)
    }

    /// From when until when a refund or revocation that was reversed voided a transaction: until
    /// the reversal, and from the purchase on if no date of the refund is known.
    ///
    /// Is `nil` if no reversal is in force. Arrival doesn't matter.
    func reversedRefund(of transaction: TransactionHandle) -> Range<Timestamp>? {
        guard let until = self[transaction].reversedAt(versions) else { return nil }
        let from = self[transaction].firstCancelledAt ?? self[transaction].purchasedAt ?? until
        return min(from, until)..<until
    }

    /// The refund or revocation of a transaction, or of the original that it restores, known at a
    /// line and dated no later than an instant.
    func knownRefund(
        of transaction: TransactionHandle, at line: LineNumber, _ instant: Timestamp
    ) -> KnownRefund? {
        let facts = self[transaction]
        if !facts.isUpgraded, let known = facts.cancellation(at: line), known.date <= instant {
            return KnownRefund(transaction: transaction, line: known.line, cancelledAt: known.date)
        }
        return restoredPurchase(of: transaction).flatMap { knownRefund(of: $0, at: line, instant) }
    }

    /// The lines at which the log learned of refunds, revocations and reversals of a transaction
    /// and of the original that it restores, in order.
    ///
    /// Of an original, the latest few: what it was before counts for none of its restores.
    func refundLines(of transaction: TransactionHandle) -> [LineNumber] {
        let own = self[transaction].cancellationLines()
        guard let restored = restoredPurchase(of: transaction) else { return Array(own) }
        let lines = (own + self[restored].cancellationLines(last: 32)).sorted()
        return lines.indices.filter { $0 == 0 || lines[$0] != lines[$0 - 1] }.map { lines[$0] }
    }

    /// The date from which a refund or revocation known at a line voids a transaction; `nil` if
    /// none does.
    func refundDate(of transaction: TransactionHandle, at line: LineNumber) -> Timestamp? {
        [transaction, restoredPurchase(of: transaction)].compactMap { purchase in
            purchase.flatMap {
                self[$0].isUpgraded ? nil : self[$0].cancellation(at: line)?.date
            }
        }.min()
    }

    /// Whether a refund or revocation of a transaction, or of the original that it restores, was
    /// known at a line and dated no later than an instant.
    func isRefunded(
        _ transaction: TransactionHandle, at line: LineNumber, _ instant: Timestamp
    ) -> Bool {
        knownRefund(of: transaction, at: line, instant) != nil
    }
}
