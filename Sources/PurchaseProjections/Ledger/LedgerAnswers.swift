import PurchaseEvents

extension PurchaseLedger {
    // MARK: Asking

    /// The app's pending work: the next step for each open queue entry, and the products to
    /// withdraw or deliver again (G4.2, G4.4).
    ///
    /// Uses everything known now, for one account if given. Without an instant, the answer is as of
    /// the latest event, whatever the app's clock says; ask again after each step. An instant
    /// before the latest event reads the whole log again.
    ///
    /// The first call reads the log; later calls read only what is new, and cost time linear in the
    /// number of transactions. Throws `EventLogError` if the log can't be read.
    public func pending(
        account: AccountID<Written>? = nil, asOf instant: Timestamp? = nil
    ) throws(EventLogError) -> [PendingRow] {
        try rows(of: Pending.self, account: account?.inLowerCase, asOf: instant)
    }

    /// The entitlements of all accounts or of one, and whether the app granted them (event-log.md,
    /// 4).
    ///
    /// Costs and errors are those of ``pending(account:asOf:)``. To ask what a user may use now,
    /// pass the current time, because periods end without an event.
    public func entitlements(
        account: AccountID<Written>? = nil, asOf instant: Timestamp? = nil
    ) throws(EventLogError) -> [EntitlementRow] {
        try rows(of: Entitlements.self, account: account?.inLowerCase, asOf: instant)
    }

    /// Drops the names that the ledger keeps to answer questions; the next question reads the whole
    /// log again.
    public func forgetNames() { kept.withLock { $0 = nil } }

    private func rows<Shown: Projection>(
        of projection: Shown.Type, account: AccountID<Written>?, asOf instant: Timestamp?
    ) throws(EventLogError) -> [Shown.Row] {
        try kept.withLock { (kept) throws(EventLogError) in
            let fold = kept ?? LedgerFold()
            // Drop the fold while it is updated: a failure may leave it incomplete.
            kept = nil
            try fold.follow(log)
            kept = fold
            guard let instant, fold.goesBeyond(instant) else {
                return fold.rows(of: projection, account: account, asOf: instant)
            }
            let past = LedgerFold(asOf: instant)
            try past.follow(log)
            return past.rows(of: projection, account: account, asOf: instant)
        }
    }
}
