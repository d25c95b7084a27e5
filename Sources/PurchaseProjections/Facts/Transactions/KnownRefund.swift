import PurchaseEvents

/// A refund or revocation by what the log knew at a line.
struct KnownRefund: Hashable, Sendable {
    /// The transaction that was refunded or revoked: the one asked for, or the original that it
    /// restores.
    var transaction: TransactionID<Interned>
    /// The line that says so.
    var line: LineNumber
    /// From when the purchase counts as never made.
    var cancelledAt: Timestamp
}

/// A cancellation date that was in force from one line of the log up to another, which took it
/// back or says another date.
struct PastCancellation: Hashable, Sendable {
    var line: LineNumber, until: LineNumber
    var cancelledAt: Timestamp
}

extension TransactionFacts {
    /// Whether the log knew of a refund or revocation at any of its lines; an upgrade is none.
    var wasRefunded: Bool { !others.isEmpty && others[0].cancelledLine != 0 && !isUpgraded }

    /// Whether it was refunded or revoked, where it was either.
    var refundKind: Refund.Kind {
        let kind: Refund.Kind = ownership == .familyShared ? .revoked : .refunded
        return others.isEmpty ? kind : others[0].refundKind ?? kind
    }

    /// The line since which no cancellation date is in force any more, where one was.
    fileprivate var uncancelledLine: LineNumber? {
        guard !others.isEmpty, others[0].cancelledLine != 0 else { return nil }
        return others[0].cancelledLine
    }

    /// The cancellation date in force by what the log knew at a line, and the line that says it.
    fileprivate func cancellation(at line: LineNumber) -> (line: LineNumber, date: Timestamp)? {
        guard !others.isEmpty, others[0].cancelledLine != 0 else { return nil }
        if let cancelledAt, others[0].cancelledLine <= line {
            return (others[0].cancelledLine, cancelledAt)
        }
        let past = others[0].pastCancellations
        let place = past.lowerBound { $0.until > line }
        guard place < past.count, past[place].line <= line else { return nil }
        return (past[place].line, past[place].cancelledAt)
    }
}

extension Facts {
    /// The purchase that a transaction restores, where nothing but the restore attests it, so that
    /// the two are refunded together; in a subscription each period is for itself.
    func restoredPurchase(of transaction: TransactionID<Interned>) -> TransactionID<Interned>? {
        guard self[transaction].isOnlyRestored, let original = self[transaction].original,
            !self[original].isRestored
        else { return nil }
        switch kind(of: transaction) {
        case .autoRenewable: return nil
        case .consumable, .nonConsumable, .nonRenewing: return original
        // What has an end, where nothing says its kind, is taken for a period.
        case nil: return self[transaction].expiresAt == nil ? original : nil
        }
    }

    /// The purchase that was refunded or revoked, by what is known, so that a transaction gives
    /// nothing: itself, or the one that it restores.
    func refundedPurchase(
        of transaction: TransactionID<Interned>
    ) -> TransactionID<Interned>? {
        if self[transaction].refund != nil { return transaction }
        return restoredPurchase(of: transaction).flatMap { self[$0].refund == nil ? nil : $0 }
    }

    /// The line since which the log knows that a refund or revocation was taken back, and when the
    /// App Store said so; `nil` where none was, or where it was refunded again.
    func reversal(
        of transaction: TransactionID<Interned>
    ) -> (line: LineNumber, date: Timestamp)? {
        let facts = self[transaction]
        guard facts.cancelledAt == nil, let line = facts.uncancelledLine,
            let date = facts.refundSaidAt(versions)
        else { return nil }
        return (line, date)
    }

    /// The refund or revocation of a transaction, or of the original that it restores, that was
    /// known at a line of the log, and dated no later than an instant.
    func knownRefund(
        of transaction: TransactionID<Interned>, at line: LineNumber, _ instant: Timestamp
    ) -> KnownRefund? {
        let facts = self[transaction]
        if !facts.isUpgraded, let known = facts.cancellation(at: line), known.date <= instant {
            return KnownRefund(
                transaction: transaction, line: known.line, cancelledAt: known.date)
        }
        return restoredPurchase(of: transaction).flatMap { knownRefund(of: $0, at: line, instant) }
    }

    /// Whether a refund or revocation of a transaction, or of the original that it restores, was
    /// known at a line of the log, and dated no later than an instant.
    func isRefunded(
        _ transaction: TransactionID<Interned>, at line: LineNumber, _ instant: Timestamp
    ) -> Bool {
        knownRefund(of: transaction, at: line, instant) != nil
    }
}
