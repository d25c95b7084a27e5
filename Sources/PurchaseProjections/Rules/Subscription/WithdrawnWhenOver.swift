import PurchaseEvents

/// Access that has ended is withdrawn before it is used again (G6.9, I8).
///
/// A launch should find unlocked only what is still granted. If a product was delivered and all of
/// the account's access to it has ended (expired, refunded, revoked, upgraded, or past the end that
/// the app set), a `delivery.withdrawn` should precede its `delivery.unlocked`. The end that the
/// app had set at the time of the use counts. A transaction without a known owner counts for the
/// account that it was delivered to.
///
/// ``GrantedImpliesOwed`` and ``RefundGrantsNothing`` report content opened after the end, except
/// if only a non-renewing subscription past its end allows it, because the App Store states no such
/// end. ``RetryIsBounded`` reports access after a grace period that no refund followed.
struct WithdrawnWhenOver: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        Access that is over, by expiry, refund, revocation or upgrade, is withdrawn before the \
        product is used again.
        """
    static let evidence = ["G6.9", "I8"]
    static let reads = EventTypes(
        .deliveryUnlocked, .deliveryDelivered, .deliveryWithdrawn, .contentOpened)

    /// Uses of products, and of content by accounts that were given a non-renewing subscription
    /// with an end.
    private var waiting = UncoveredUses()
    private var grants = GrantHistory()
    private var tested = TransactionSet()
    /// The owners of transactions delivered with an end, and the accounts they were delivered to.
    private var nonRenewingOwners: Set<AccountHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&waiting).visit(&grants).visit(&tested).visit(&nonRenewingOwners)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .deliveryDelivered || event.type == .deliveryWithdrawn {
            if case .deliveryDelivered(let payload) = event.fact, payload.until != nil {
                let accounts = [event.account, facts.owner(of: payload.transaction)]
                nonRenewingOwners.formUnion(accounts.compactMap { $0 })
            }
            return grants.observe(event, on: line.number, facts)
        }
        // Of content, only that which ended non-renewing subscriptions may allow.
        let isRelevant =
            event.type == .deliveryUnlocked
            || event.account.map(nonRenewingOwners.contains) ?? false
        if isRelevant, let use = facts.use(event, line.number) { waiting.keep(use, facts, grants) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for transaction in facts.knownTransactions where facts.hasEnded(transaction) {
            tested.insert(transaction)
            report.test()
        }
        let coverages = facts.coverages(of: waiting.uses, grants)
        var granted = coverages.indices.map { self.granted(waiting.uses[$0], coverages[$0], facts) }
        let others = coverages.indices.filter {
            granted[$0] == nil && !coverages[$0].isCovered && !waiting.uses[$0].isOpening
                && (coverages[$0].lastEnded != nil || !coverages[$0].refunded.isEmpty)
        }
        let scopes = Dictionary(grouping: others) {
            AccessScope(waiting.uses[$0].account, waiting.uses[$0].environment)
        }
        for (scope, places) in scopes {
            let standing = StandingGrants(scope, facts, grants)
            for (place, transaction) in standing.find(waiting.uses, at: places) {
                granted[place] = transaction
            }
        }
        for (place, use) in waiting.uses.enumerated() {
            guard let granted = granted[place] else { continue }
            judge(use, coverages[place], granted, facts, &report)
        }
    }

    private mutating func judge(
        _ use: Use, _ coverage: Coverage, _ granted: TransactionHandle, _ facts: Facts,
        _ report: inout Report
    ) {
        // Content with a publication date stays open; other rules judge it.
        if case .content(let content) = use.target, facts[content] != nil { return }
        if use.isOpening, !coverage.refunded.isEmpty { return }
        let isOfGrace = coverage.refunded.isEmpty && coverage.lastEnded?.endsInGrace == true
        guard !coverage.isCovered, !isOfGrace else { return }
        if let doubt = coverage.doubt("what still grants a product", facts) {
            report.cannotTell(doubt)
        } else {
            if tested.insert(granted) { report.test() }
            find(use, coverage, granted, facts, &report)
        }
    }

    /// A transaction of the access that ended last that was delivered and not withdrawn before a
    /// use.
    private func granted(_ use: Use, _ coverage: Coverage, _ facts: Facts) -> TransactionHandle? {
        if use.isOpening { return coverage.lapsed?.transaction }
        let ended = coverage.refunded + [coverage.lastEnded?.transaction].compactMap { $0 }
        for transaction in ended {
            if isGranted(transaction, use, facts) { return transaction }
            var limit = SearchLimit()
            var next = facts.subscription(of: transaction)?.lastTransaction
            while let member = next, !limit.isReached() {
                if isGranted(member, use, facts) { return member }
                next = facts[member].previousInSubscription
            }
            let restored = facts.transactions[facts.original(of: transaction).index].restoredAs
            if let restored, isGranted(restored, use, facts) { return restored }
        }
        return nil
    }

    /// Whether a transaction bought the used product, had begun, and was granted at the line of the
    /// use.
    private func isGranted(_ transaction: TransactionHandle, _ use: Use, _ facts: Facts) -> Bool {
        guard facts[transaction].product.map({ .product($0) }) == use.target,
            grants.delivery(of: transaction, at: use.line, facts) != nil
        else { return false }
        let start = facts.span(of: transaction)?.start ?? facts.heldSince(transaction)
        return start.map { $0 <= use.at } ?? true
    }

    private func find(
        _ use: Use, _ coverage: Coverage, _ granted: TransactionHandle, _ facts: Facts,
        _ report: inout Report
    ) {
        let delivered = Finding.note(
            grants.delivery(of: granted, at: use.line, facts) ?? 0,
            "then \(facts.name(granted)) was delivered")
        let bought = coverage.refunded + [coverage.lastEnded?.transaction].compactMap { $0 }
        let ended = facts.attested(bought) + facts.refunded(coverage.refunded, for: use)
        report.find(
            at: use.line, facts, account: use.account ?? facts.owner(of: granted),
            key: facts.text(granted),
            "\(facts.describe(use.target)) was \(use.isOpening ? "opened" : "found unlocked") at "
                + "\(use.at.text) \(use.isOpening ? "by" : "for") \(facts.describe(use.account)), "
                + "which no longer has access\(use.isOpening ? "" : " to it"): expected "
                + "delivery.withdrawn of transaction \(facts.text(granted)) before",
            notes: ended + delivered,
            hint: "the app still grants access that has ended: look at what it does with expiry "
                + "and cancellation dates at launch")
    }
}

extension Use {
    fileprivate var isOpening: Bool {
        if case .content = target { return true }
        return false
    }
}

extension Facts {
    /// Whether a delivered transaction has ended by the end of the log.
    func hasEnded(_ transaction: TransactionHandle) -> Bool {
        // Reads field by field: the record is long.
        guard self[transaction].firstDeliveredLine != 0, let greatestAt else { return false }
        if self[transaction].refund != nil || self[transaction].isUpgraded { return true }
        if self[transaction].isOnlyRestored, let original = self[transaction].original,
            self[original].refund != nil
        {
            return true
        }
        if let until = self[transaction].until, until <= greatestAt { return true }
        guard self[transaction].periodOfSubscription != 0, let end = self[transaction].expiresAt
        else { return false }
        return end <= greatestAt
    }
}
