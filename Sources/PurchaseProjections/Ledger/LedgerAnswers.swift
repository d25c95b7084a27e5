import PurchaseEvents

extension PurchaseLedger {
    // MARK: Asking

    /// What the app has still to do: for each open entry the next step, and what is to be withdrawn
    /// or delivered again (G4.2, G4.4).
    ///
    /// By all that is known now, those of one account where it is given. Without an instant it is
    /// as of the latest event: what an app asks for after each step, whatever its clock does. An
    /// earlier one is answered by what was true then, with all of the log read again.
    ///
    /// The first question reads the log; later ones only what came since, and then cost the number
    /// of transactions. Throws ``EventLogError`` where the log can't be read.
    public func pending(
        account: AccountID<Written>? = nil, asOf instant: Timestamp? = nil
    ) throws(EventLogError) -> [PendingRow] {
        try rows(of: Pending.self, account: account, asOf: instant)
    }

    /// What accounts are entitled to, and whether the app gave it (event-log.md, 4).
    ///
    /// Instant, costs and errors are those of ``pending(account:asOf:)``; an app that asks what a
    /// user may use gives its clock's time, since periods end without an event.
    public func entitlements(
        account: AccountID<Written>? = nil, asOf instant: Timestamp? = nil
    ) throws(EventLogError) -> [EntitlementRow] {
        try rows(of: Entitlements.self, account: account, asOf: instant)
    }

    /// Lets go of the names that questions made the ledger keep; the next one reads the log again.
    public func forgetNames() {
        kept.withLock { $0.fold = nil }
    }

    private func rows<Shown: Projection>(
        of projection: Shown.Type, account: AccountID<Written>?, asOf instant: Timestamp?
    ) throws(EventLogError) -> [Shown.Row] {
        try kept.withLock { (kept) throws(EventLogError) in
            let fold = kept.fold ?? LedgerFold()
            // A fold that a failure left half done isn't kept.
            kept.fold = nil
            try fold.follow(log)
            kept.fold = fold
            guard let instant, fold.goesBeyond(instant) else {
                return fold.rows(of: projection, account: account, asOf: instant)
            }
            let past = LedgerFold(asOf: instant)
            try past.follow(log)
            return past.rows(of: projection, account: account, asOf: instant)
        }
    }
}
