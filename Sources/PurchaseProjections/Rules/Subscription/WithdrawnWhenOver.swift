import PurchaseEvents

/// Access that is over is withdrawn before it is used again.
///
/// A launch finds unlocked only what still grants: where a product was delivered and all that the
/// account has of it has ended (expired, refunded, revoked, upgraded away, past the end that the
/// app itself set), `delivery.unlocked` of it should have been preceded by a `delivery.withdrawn`.
/// Content that is opened after the end is the business of ``GrantedImpliesOwed`` and
/// ``RefundGrantsNothing``, what goes on after a grace period that of ``RetryIsBounded``
/// (G6.9, I8).
struct WithdrawnWhenOver: Rule {
    static let id = "withdrawn-when-over"
    static let level = Level.warning
    static let statement = """
        Access that is over, by expiry, refund, revocation or upgrade, is withdrawn before the \
        product is used again.
        """
    static let evidence = ["G6.9", "I8"]
    static let reads = EventTypes(.deliveryUnlocked)

    private var waiting = WaitingUses()

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let use = facts.use(event, line.number), !facts.isPlainlyCovered(use) else { return }
        waiting.keep(use, facts)
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for transaction in facts.knownTransactions where facts.hasEnded(transaction) {
            report.test()
        }
        guard !waiting.uses.isEmpty else { return }
        var index = CoverageIndex(facts)
        for use in waiting.uses {
            let coverage = index.coverage(of: use)
            guard !coverage.isCovered, coverage.over?.endsInGrace != true,
                let granted = granted(use, coverage, facts)
            else { continue }
            if let reason = coverage.unclear {
                report.cannotTell(reason)
            } else if let missed = facts.mayHaveMissed {
                report.cannotTell("what still grants a product may be missing: \(missed)")
            } else {
                find(use, coverage, granted, facts, &report)
            }
        }
    }

    /// A transaction of what has ended that was delivered, and not withdrawn, before a use.
    private func granted(
        _ use: Use, _ coverage: Coverage, _ facts: Facts
    ) -> TransactionID<Interned>? {
        let ended = coverage.refunded + [coverage.over?.transaction].compactMap { $0 }
        for transaction in ended {
            let line = facts.line(of: transaction).map { facts.transactions(of: $0) } ?? []
            let restored = facts.transactions[facts.original(of: transaction).index].restoredAs
            let all = [transaction] + line.reversed() + [restored].compactMap { $0 }
            let granted = all.first {
                facts[$0].product.map { .product($0) } == use.target
                    && facts.wasGranted($0, at: use.line)
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
            line: facts[granted].firstDeliveredLine,
            message: "then transaction \(facts.text(granted)) was delivered")
        let ended =
            coverage.refunded.map { facts.refunded($0) }
            + (coverage.over.map { [facts.attested($0.transaction)] } ?? [])
        report.find(
            at: use.line, facts, account: use.account ?? facts.owner(of: granted),
            key: facts.text(granted),
            "\(facts.words(use.target)) was found unlocked at \(use.at.text) for "
                + "\(facts.words(use.account)), which has nothing of it any more: expected "
                + "delivery.withdrawn of transaction \(facts.text(granted)) before",
            notes: ended + [delivered],
            hint: "the app goes on giving what has ended: look at what it does with expiry and "
                + "cancellation dates at launch")
    }
}

extension Facts {
    /// Whether a transaction was delivered and not withdrawn before a line.
    func wasGranted(_ transaction: TransactionID<Interned>, at line: LineNumber) -> Bool {
        let facts = self[transaction]
        guard facts.firstDeliveredLine != 0, facts.firstDeliveredLine < line else { return false }
        if facts.withdrawnLine == 0 || facts.withdrawnLine > line { return true }
        return facts.deliveredLine > facts.withdrawnLine && facts.deliveredLine < line
    }

    /// Whether something was delivered for a transaction that has ended by the end of the log.
    func hasEnded(_ transaction: TransactionID<Interned>) -> Bool {
        let facts = self[transaction]
        guard facts.firstDeliveredLine != 0, let greatestAt else { return false }
        if facts.refund != nil || facts.isUpgraded { return true }
        if let until = facts.until, until <= greatestAt { return true }
        guard facts.memberOf != 0, let end = facts.expiresAt else { return false }
        return end <= greatestAt
    }
}
