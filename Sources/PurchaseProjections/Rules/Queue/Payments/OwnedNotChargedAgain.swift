import PurchaseEvents

/// An account is not charged again for a non-consumable that it owns (G8.5).
///
/// An account owns what it bought or restored, and what was linked to it; it does not own what was
/// refunded or revoked by then, a seat, or what the family shares. Judged at the end of the log, by
/// the dates of all that the log states.
struct OwnedNotChargedAgain: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "A non-consumable that the account owns at the date of a purchase is not bought again at a "
        + "price above 0."
    static let evidence = ["G8.5"]
    static let reads = EventTypes()

    /// A purchase, and from when until when it makes its account the owner.
    private struct OwnedSpan {
        var transaction: TransactionHandle
        var date: Timestamp, until: Timestamp
        /// Between a refund and its reversal the account doesn't own it.
        var refunded: Range<Timestamp>?
        var line: LineNumber
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
        private var environment: UInt8

        var key: (UInt32, UInt32, UInt8) { (product, owner, environment) }

        /// Returns `nil` if nothing says that the transaction makes an account the owner.
        init?(_ transaction: TransactionHandle, _ facts: Facts) {
            // Reads field by field: the record is long.
            guard facts[transaction].periodOfSubscription == 0,
                facts[transaction].purchasedAt != nil,
                facts.kind(of: transaction) == .nonConsumable,
                let product = facts[transaction].product,
                let environment = facts[transaction].environment,
                let owner = facts.owner(of: transaction)
            else { return nil }
            self.transaction = transaction
            (self.product, self.owner) = (product.name.rawValue, owner.name.rawValue)
            self.environment = Environment.pack(environment)
        }

        static func < (left: Owned, right: Owned) -> Bool {
            if left.key != right.key { return left.key < right.key }
            return left.transaction.index < right.transaction.index
        }
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {}

    mutating func finish(facts: Facts, report: inout Report) {
        // Most are the only one of their product and account: they cost an entry of the list alone.
        let owned = facts.knownTransactions.compactMap { Owned($0, facts) }.sorted()
        var start = 0
        while start < owned.count {
            var end = start + 1
            while end < owned.count, owned[end].key == owned[start].key { end += 1 }
            if end - start > 1 {
                let holdings = owned[start..<end].map { holding($0.transaction, facts) }
                judge(holdings.sorted { $0.precedes($1) }, facts, &report)
            }
            start = end
        }
    }

    /// From when until when a transaction makes its account the owner.
    private func holding(_ transaction: TransactionHandle, _ facts: Facts) -> OwnedSpan {
        let known = facts[transaction]
        let isRestore = known.isOnlyRestored
        let stated = isRestore ? facts.attestedLine(of: facts.original(of: transaction)) : 0
        let line = isRestore ? max(stated, known.restoredLine) : facts.attestedLine(of: transaction)
        let purchasedAt = known.purchasedAt ?? .latest
        let date = isRestore ? known.originalPurchasedAt ?? purchasedAt : purchasedAt
        var holding = OwnedSpan(
            transaction: transaction, date: date, until: .latest,
            refunded: facts.reversedRefund(of: transaction), line: line, isRestore: isRestore)
        let bought = facts.refundedPurchase(of: transaction) ?? transaction
        if let refund = facts[bought].refund { holding.until = refund.cancelledAt }
        return holding
    }

    /// Judges the purchases of one product by one account, by date.
    private func judge(_ holdings: [OwnedSpan], _ facts: Facts, _ report: inout Report) {
        var latest: OwnedSpan?
        for holding in holdings {
            let transaction = holding.transaction
            if !holding.isRestore, facts[transaction].ownership ?? .purchased == .purchased,
                facts.original(of: transaction) == transaction,
                let owned = latest, owned.until > holding.date,
                owned.refunded?.contains(holding.date) != true,
                facts.original(of: owned.transaction) != transaction
            {
                report.test()
                if let price = facts[transaction].price, price.thousandths > 0 {
                    find(holding, price, owned: owned.transaction, facts, &report)
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
        _ holding: OwnedSpan, _ price: Price, owned: TransactionHandle, _ facts: Facts,
        _ report: inout Report
    ) {
        let transaction = holding.transaction
        let stated = facts[owned].statedLine
        let isWhole = !facts.startsInTheMiddle || facts[owned].purchasedLine != 0
        let reason = isWhole ? facts.incompleteReason(after: stated) : facts.incompleteReason
        if let reason { return report.cannotTell("whether what is owned was refunded: \(reason)") }
        let name = facts[transaction].product.map { facts.names.text(of: $0) } ?? ""
        let currency = price.currency.map { " \($0.code)" } ?? ""
        report.find(
            at: holding.line, facts, account: facts.owner(of: transaction),
            key: facts.text(transaction),
            "transaction \(facts.text(transaction)) charges \(price.thousandths)\(currency) "
                + "(thousandths) for \(name), which the account owns: expected no price, or 0",
            notes: Finding.note(
                stated,
                "let \(facts.describe(facts.owner(of: transaction))) own \(name) by "
                    + "transaction \(facts.text(owned))"),
            hint: "look at both charges at the App Store: the account may have paid twice for one "
                + "thing, and a refund may be due")
    }
}
