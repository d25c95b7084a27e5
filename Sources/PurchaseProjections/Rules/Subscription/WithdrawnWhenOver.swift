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
/// end. ``RetryIsBounded`` reports access after a grace period.
struct WithdrawnWhenOver: CatalogueRule {
    static let id = "withdrawn-when-over"
    static let level = Level.warning
    static let statement = """
        Access that is over, by expiry, refund, revocation or upgrade, is withdrawn before the \
        product is used again.
        """
    static let evidence = ["G6.9", "I8"]
    static let reads = EventTypes(
        .deliveryUnlocked, .deliveryDelivered, .deliveryWithdrawn, .contentOpened)

    /// A use, and the accesses of its account that were past the end that the app had set by then.
    private struct Lapse {
        var use: Use
        var endedAccesses: [Access]
    }

    private var waiting = UncoveredUses()
    private var lapses: [Lapse] = []
    private var grants = GrantHistory()
    private var tested = TransactionSet()
    /// The owners of transactions delivered with an end.
    private var nonRenewingOwners: Set<AccountID<Interned>> = []

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .contentOpened { return open(event, on: line, facts) }
        if event.type != .deliveryUnlocked {
            if case .deliveryDelivered(let payload) = event.fact, payload.until != nil,
                let account = facts.owner(of: payload.transaction)
            {
                nonRenewingOwners.insert(account)
            }
            return grants.observe(event, on: line.number, facts)
        }
        guard let use = facts.use(event, line.number), !facts.isPlainlyCovered(use) else { return }
        let ended = endedNonRenewing(at: use, facts)
        if ended.isEmpty {
            waiting.keep(use, facts)
        } else {
            lapses.append(Lapse(use: use, endedAccesses: ended))
        }
    }

    /// Keeps a content use that only ended non-renewing subscriptions allow.
    private mutating func open(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        guard let account = event.account, nonRenewingOwners.contains(account),
            let use = facts.use(event, line.number)
        else { return }
        let ended = endedNonRenewing(at: use, facts).compactMap { access -> Access? in
            guard !facts.isRefunded(access.transaction, at: use.line, use.at) else { return nil }
            var access = access
            access.end = access.until ?? access.end
            return access
        }
        guard !ended.isEmpty, !facts.coverage(of: use, endedAccesses: ended).isCovered else {
            return
        }
        lapses.append(Lapse(use: use, endedAccesses: ended))
    }

    /// The granted non-renewing subscriptions past the end that the app set: of the used product,
    /// or of any product for content.
    private func endedNonRenewing(at use: Use, _ facts: Facts) -> [Access] {
        var used: ProductID<Interned>?
        if case .product(let product) = use.target {
            guard facts[product].kind == .nonRenewing else { return [] }
            used = product
        }
        guard let account = use.account else { return [] }
        return facts.purchases(of: account).compactMap { purchase in
            guard used == nil || facts[purchase].product == used,
                facts.kind(of: purchase) == .nonRenewing,
                facts.mayGrant(purchase, in: use.environment),
                case .certain(let access) = facts.access(of: purchase),
                let until = access.until, until <= use.at,
                grants.delivery(of: purchase, at: use.line, facts) != nil
            else { return nil }
            return access
        }
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for transaction in facts.knownTransactions where facts.hasEnded(transaction) {
            tested.insert(transaction)
            report.test()
        }
        guard !waiting.uses.isEmpty || !lapses.isEmpty else { return }
        var index = CoverageIndex(facts)
        for lapse in lapses { judge(lapse, &index, facts, &report) }
        for use in waiting.uses {
            judge(Lapse(use: use, endedAccesses: []), &index, facts, &report)
        }
    }

    private mutating func judge(
        _ lapse: Lapse, _ index: inout CoverageIndex, _ facts: Facts, _ report: inout Report
    ) {
        // Content with a publication date stays open; other rules judge it.
        if case .content(let content) = lapse.use.target, facts[content] != nil { return }
        let (use, coverage) = (lapse.use, coverage(of: lapse, &index, facts))
        if use.isOpening, !coverage.refunded.isEmpty { return }
        guard !coverage.isCovered, coverage.lastEnded?.endsInGrace != true,
            let granted = granted(lapse, coverage, facts)
        else { return }
        if let reason = coverage.unclear {
            report.cannotTell(reason)
        } else if let reason = facts.incompleteReason {
            report.cannotTell("what still grants a product may be missing: \(reason)")
        } else {
            if tested.insert(granted) { report.test() }
            find(use, coverage, granted, facts, &report)
        }
    }

    /// Whether the account's own access, or a transaction without a known owner that was given to
    /// the account, allows a use.
    private func coverage(
        of lapse: Lapse, _ index: inout CoverageIndex, _ facts: Facts
    ) -> Coverage {
        let use = lapse.use
        var coverage = index.coverage(of: use, endedAccesses: lapse.endedAccesses)
        guard !coverage.isCovered, let account = use.account else { return coverage }
        var asked: Set<TransactionID<Interned>> = []
        for transaction in grants.given(to: account, facts) {
            let isOfLine = facts[transaction].periodOfLine != 0
            guard isOfLine || facts[transaction].product.map({ .product($0) }) == use.target,
                asked.insert(isOfLine ? facts.original(of: transaction) : transaction).inserted
            else { continue }
            coverage.add(facts.coverage(of: use, by: transaction))
        }
        return coverage
    }

    /// A transaction of the ended access that was delivered and not withdrawn before a use.
    private func granted(
        _ lapse: Lapse, _ coverage: Coverage, _ facts: Facts
    ) -> TransactionID<Interned>? {
        let use = lapse.use
        if use.isOpening { return lapse.endedAccesses.last?.transaction }
        let ended = coverage.refunded + [coverage.lastEnded?.transaction].compactMap { $0 }
        for transaction in ended {
            let line = facts.line(of: transaction).map { facts.transactions(of: $0) } ?? []
            let restored = facts.transactions[facts.original(of: transaction).index].restoredAs
            let all = [transaction] + line.reversed() + [restored].compactMap { $0 }
            let granted = all.first {
                facts[$0].product.map { .product($0) } == use.target
                    && grants.delivery(of: $0, at: use.line, facts) != nil
            }
            if let granted { return granted }
        }
        return nil
    }

    private func find(
        _ use: Use, _ coverage: Coverage, _ granted: TransactionID<Interned>, _ facts: Facts,
        _ report: inout Report
    ) {
        let delivered = Finding.Note(
            line: grants.delivery(of: granted, at: use.line, facts) ?? 0,
            message: "then transaction \(facts.text(granted)) was delivered")
        let bought = coverage.refunded + [coverage.lastEnded?.transaction].compactMap { $0 }
        let ended = facts.attested(bought) + facts.refunded(coverage.refunded, for: use)
        report.find(
            at: use.line, facts, account: use.account ?? facts.owner(of: granted),
            key: facts.text(granted),
            "\(facts.describe(use.target)) was \(use.isOpening ? "opened" : "found unlocked") at "
                + "\(use.at.text) \(use.isOpening ? "by" : "for") \(facts.describe(use.account)), "
                + "which no longer has access\(use.isOpening ? "" : " to it"): expected "
                + "delivery.withdrawn of transaction \(facts.text(granted)) before",
            notes: ended + [delivered],
            hint: "the app still grants access that has ended: look at what it does with expiry "
                + "and cancellation dates at launch")
    }
}

extension Use {
    /// Whether the use opens content.
    fileprivate var isOpening: Bool {
        if case .content = target { return true }
        return false
    }
}

extension Facts {
    /// Whether a delivered transaction has ended by the end of the log.
    func hasEnded(_ transaction: TransactionID<Interned>) -> Bool {
        // Reads field by field: the record is long.
        guard self[transaction].firstDeliveredLine != 0, let greatestAt else { return false }
        if self[transaction].refund != nil || self[transaction].isUpgraded { return true }
        if self[transaction].isOnlyRestored, let original = self[transaction].original,
            self[original].refund != nil
        {
            return true
        }
        if let until = self[transaction].until, until <= greatestAt { return true }
        guard self[transaction].periodOfLine != 0, let end = self[transaction].expiresAt else {
            return false
        }
        return end <= greatestAt
    }
}

extension Coverage {
    /// Merges the coverage that another transaction gives the same account.
    fileprivate mutating func add(_ other: Coverage) {
        covering = covering ?? other.covering
        refunded += other.refunded
        unclear = unclear ?? other.unclear
        guard let end = other.lastEnded?.end, lastEnded.map({ $0.end < end }) ?? true else {
            return
        }
        lastEnded = other.lastEnded
    }
}
