import PurchaseEvents

/// An account is not charged again for a non-consumable that it owns (G8.5).
///
/// An account owns what it bought or restored, and what was linked to it, from the link on and
/// until another one; it does not own what was refunded or revoked by then, a seat, or what the
/// family shares. Judged at the end of the log, by the dates of all that the log states.
struct OwnedNotChargedAgain: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A non-consumable that the account owns at the date of a purchase is not bought again at a "
        + "price above 0."
    static let evidence = ["G8.5"]
    static let reads = EventTypes(.accountLinked)

    private var history = OwnerHistory()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&history) }

    /// A transaction, and from when until when it makes an account the owner.
    private struct OwnedSpan {
        var transaction: TransactionHandle
        var account: AccountHandle?
        var date: Timestamp, until: Timestamp
        /// Between a refund and its reversal the account doesn't own it.
        var refunded: Range<Timestamp>?
        var line: LineNumber
        /// The line of the `account.linked` that made the account the owner; 0 if none did.
        var linkedLine: LineNumber = 0
        var isRestore: Bool

        func precedes(_ other: OwnedSpan) -> Bool {
            if date != other.date { return date < other.date }
            if isRestore != other.isRestore { return !isRestore }
            return line < other.line
        }
    }

    /// A non-consumable of an account, by product, account and environment, which never mix (G9.3).
    private struct Owned: Comparable {
        var transaction: TransactionHandle
        private var product: UInt32, owner: UInt32
        /// The index plus one of the span in which the account owned it; 0 if it always did.
        var span: UInt32
        private var environment: UInt8

        var key: (UInt32, UInt32, UInt8) { (product, owner, environment) }

        /// Returns `nil` if the transaction bought no non-consumable, or none that the log dates.
        init?(
            _ transaction: TransactionHandle, of owner: AccountHandle, span: Int = 0, _ facts: Facts
        ) {
            guard let product = facts[transaction].product,
                let environment = facts[transaction].environment
            else { return nil }
            self.transaction = transaction
            (self.product, self.owner) = (product.name.rawValue, owner.name.rawValue)
            self.span = UInt32(truncatingIfNeeded: span)
            self.environment = Environment.pack(environment)
        }

        static func < (left: Owned, right: Owned) -> Bool {
            if left.key != right.key { return left.key < right.key }
            return left.transaction.index < right.transaction.index
        }
    }

    /// What all accounts owned.
    private struct All {
        var owned: [Owned] = []
        /// The spans of those whose owner changed.
        var spans: [OwnerHistory.OwnerSpan] = []
        /// The owners of linked purchases, by the index of their subscription.
        var owners: [Int: OwnerHistory.Owners] = [:]
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        history.observe(event, on: line.number, facts)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        // Most are the only one of their product and account: they cost an entry of the list alone.
        var all = All()
        for transaction in facts.knownTransactions { add(transaction, to: &all, facts) }
        let owned = all.owned.sorted()
        var start = 0
        while start < owned.count {
            var end = start + 1
            while end < owned.count, owned[end].key == owned[start].key { end += 1 }
            if end - start > 1 {
                let holdings = owned[start..<end].map { owned in
                    let span = owned.span == 0 ? nil : all.spans[Int(owned.span) - 1]
                    return holding(owned.transaction, span, facts)
                }
                judge(holdings.sorted { $0.precedes($1) }, facts, &report)
            }
            start = end
        }
    }

    /// Adds a transaction for each account that it made the owner.
    private func add(_ transaction: TransactionHandle, to all: inout All, _ facts: Facts) {
        // Reads field by field: the record is long.
        guard facts[transaction].periodOfSubscription == 0,
            let purchasedAt = facts[transaction].purchasedAt,
            facts.kind(of: transaction) == .nonConsumable
        else { return }
        let original = facts.original(of: transaction)
        guard let index = facts.subscriptionIndex(of: original), history.isLinked(index) else {
            guard let owner = facts.owner(of: transaction) else { return }
            if let owned = Owned(transaction, of: owner, facts) { all.owned.append(owned) }
            return
        }
        let owners = all.owners[index] ?? history.owners(of: index, facts)
        all.owners[index] = owners
        // What only restores it adds no more than its last owner, so that the work stays linear.
        let spans =
            original == transaction
            ? owners.spans(
                from: purchasedAt, until: .latest, attested: facts.attestedLine(of: transaction))
            : owners.spans.suffix(1)
        for span in spans {
            all.spans.append(span)
            guard let owned = Owned(transaction, of: span.account, span: all.spans.count, facts)
            else { continue }
            all.owned.append(owned)
        }
    }

    /// From when until when a transaction makes an account the owner, if it did in a span only.
    private func holding(
        _ transaction: TransactionHandle, _ span: OwnerHistory.OwnerSpan?, _ facts: Facts
    ) -> OwnedSpan {
        let known = facts[transaction]
        let isRestore = known.isOnlyRestored
        let stated = isRestore ? facts.attestedLine(of: facts.original(of: transaction)) : 0
        let line = isRestore ? max(stated, known.restoredLine) : facts.attestedLine(of: transaction)
        let purchasedAt = known.purchasedAt ?? .latest
        let date = isRestore ? known.originalPurchasedAt ?? purchasedAt : purchasedAt
        var holding = OwnedSpan(
            transaction: transaction, account: span?.account ?? facts.owner(of: transaction),
            date: date, until: .latest, refunded: facts.reversedRefund(of: transaction), line: line,
            isRestore: isRestore)
        let bought = facts.refundedPurchase(of: transaction) ?? transaction
        if let refund = facts[bought].refund { holding.until = refund.cancelledAt }
        guard let span else { return holding }
        holding.until = min(holding.until, span.until)
        if date < span.from { (holding.date, holding.linkedLine) = (span.from, span.line) }
        return holding
    }

    /// Judges the purchases of one product by one account, by date.
    private func judge(_ holdings: [OwnedSpan], _ facts: Facts, _ report: inout Report) {
        var latest: OwnedSpan?
        for holding in holdings {
            let transaction = holding.transaction
            if !holding.isRestore, holding.linkedLine == 0,
                facts[transaction].ownership ?? .purchased == .purchased,
                facts.original(of: transaction) == transaction,
                let owned = latest, owned.until > holding.date,
                owned.refunded?.contains(holding.date) != true,
                facts.original(of: owned.transaction) != transaction
            {
                report.test()
                if let price = facts[transaction].price, price.thousandths > 0 {
                    find(holding, price, owned: owned, facts, &report)
                }
            }
            guard isOwned(transaction, facts), latest.map({ $0.until <= holding.until }) ?? true
            else { continue }
            latest = holding
        }
    }

    private func isOwned(_ transaction: TransactionHandle, _ facts: Facts) -> Bool {
        let known = facts[transaction]
        guard known.validation != .invalid, known.ownership ?? .purchased == .purchased
        else { return false }
        // A restored product is owned as long as the purchase that it restores.
        guard known.isOnlyRestored, let original = known.original else { return true }
        return facts[original].validation != .invalid
    }

    private func find(
        _ holding: OwnedSpan, _ price: Price, owned: OwnedSpan, _ facts: Facts,
        _ report: inout Report
    ) {
        let transaction = holding.transaction
        let stated = facts[owned.transaction].statedLine
        let isWhole = !facts.startsInTheMiddle || facts[owned.transaction].purchasedLine != 0
        let reason = isWhole ? facts.incompleteReason(after: stated) : facts.incompleteReason
        if let reason { return report.cannotTell("whether what is owned was refunded: \(reason)") }
        let name = facts[transaction].product.map { facts.names.text(of: $0) } ?? ""
        let currency = price.currency.map { " \($0.code)" } ?? ""
        let who = facts.describe(holding.account)
        report.find(
            at: holding.line, facts, account: holding.account, key: facts.text(transaction),
            "transaction \(facts.text(transaction)) charges \(price.thousandths)\(currency) "
                + "(thousandths) for \(name), which the account owns: expected no price, or 0",
            notes: Finding.note(
                stated,
                "let \(who) own \(name) by transaction \(facts.text(owned.transaction))")
                + Finding.note(owned.linkedLine, "then this was linked to \(who)"),
            hint: "look at both charges at the App Store: the account may have paid twice for one "
                + "thing, and a refund may be due")
    }
}
