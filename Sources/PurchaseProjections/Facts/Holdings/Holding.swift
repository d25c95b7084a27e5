import PurchaseEvents

/// What one purchase, or one product along a subscription line, entitles its owner to at an
/// instant, and what the app gave for it (event-log.md, 4: attested and granted are two things).
struct Holding: Sendable {
    /// What it rests on: a purchase, an attested period, or the grace period after one.
    enum Because: String, Sendable { case purchase, period, grace }
    /// Why it is over.
    enum Ended: String, Sendable { case expired, refunded, revoked, upgraded }

    var account: AccountID<Interned>?
    var product: ProductID<Interned>?
    var kind: ProductKind?
    /// The original, which restored transactions and renewals name.
    var original: TransactionID<Interned>
    /// The purchase, or the transaction of the period.
    var transaction: TransactionID<Interned>
    var from: Timestamp
    /// When it ends or ended; `nil` where nothing says that it does.
    var until: Timestamp?
    var because: Because
    var ended: Ended?
    /// Whether it entitles at the instant.
    var isActive: Bool
    /// What the app gave.
    var grant: Grant

    /// Who holds what, to see whether another purchase grants the same.
    var holder: Holder? { product.map { Holder(account: account, product: $0) } }
}

/// What the app gave for all transactions of one product that name one original.
struct Grant: Sendable {
    /// The transaction delivered last, and the line of that delivery; 0 where there is none.
    var transaction: TransactionID<Interned>?, deliveredLine: LineNumber = 0
    /// The line at which a restored transaction was delivered last, 0 where none was.
    var restoredLine: LineNumber = 0
    /// The line of the latest withdrawal, 0 where there is none.
    var withdrawnLine: LineNumber = 0

    /// Whether the app delivered and has not withdrawn since.
    var stands: Bool { deliveredLine > withdrawnLine }

    mutating func add(_ facts: TransactionFacts, _ transaction: TransactionID<Interned>) {
        if facts.deliveredLine > deliveredLine {
            deliveredLine = facts.deliveredLine
            self.transaction = transaction
        }
        if facts.isRestored { restoredLine = max(restoredLine, facts.deliveredLine) }
        withdrawnLine = max(withdrawnLine, facts.withdrawnLine)
    }
}

/// An account and a product.
struct Holder: Hashable, Sendable {
    /// The account; `nil` where no fact says.
    var account: AccountID<Interned>?
    /// The product.
    var product: ProductID<Interned>
}

extension Facts {
    /// The refund or revocation of a transaction that was in force at an instant.
    func refund(of transaction: TransactionID<Interned>, asOf instant: Timestamp) -> Refund? {
        self[transaction].refund.flatMap { $0.cancelledAt <= instant ? $0 : nil }
    }

    /// The refund or revocation that by an instant had ended what a transaction gives: its own, or
    /// that of the original that it only restores; of the two the earlier.
    func refundEnding(_ transaction: TransactionID<Interned>, asOf instant: Timestamp) -> Refund? {
        let own = refund(of: transaction, asOf: instant)
        guard let original = restoredPurchase(of: transaction),
            let other = refund(of: original, asOf: instant)
        else { return own }
        return own.map { $0.cancelledAt <= other.cancelledAt ? $0 : other } ?? other
    }

    /// Whether a transaction is of the log's own environment; others grant nothing (G9.3).
    func isAtHome(_ transaction: TransactionID<Interned>) -> Bool {
        if home == .production, testPurchase(restoredBy: transaction) != nil { return false }
        return self[transaction].isStated(in: home) || self[transaction].environment == nil
    }

    /// The purchase that a transaction only restores, where tests alone attest it: neither grants
    /// anything in production (G9.3).
    func testPurchase(
        restoredBy transaction: TransactionID<Interned>
    ) -> TransactionID<Interned>? {
        guard self[transaction].isOnlyRestored, let original = self[transaction].original,
            let environment = self[original].environment, environment != .production
        else { return nil }
        return original
    }

    /// When a transaction's purchase became true: a restored one's is that of its original (G8.8).
    func heldSince(_ transaction: TransactionID<Interned>) -> Timestamp? {
        let facts = self[transaction]
        let original = facts.isRestored && !facts.isPurchased ? facts.originalPurchasedAt : nil
        return original ?? facts.purchasedAt
    }

    /// Whether a transaction's purchase was true by an instant: what is recorded is true by then,
    /// even where the recorder's clock was set back.
    func isHeld(_ transaction: TransactionID<Interned>, by instant: Timestamp) -> Bool {
        guard let since = heldSince(transaction) else { return false }
        return min(since, self[transaction].recordedAt ?? since) <= instant
    }

    /// Everything that is held or was by an instant, but consumables, in no order.
    ///
    /// A row each original and product; costs the number of transactions.
    func holdings(asOf instant: Timestamp) -> [Holding] {
        var holdings: [Holding] = []
        var others: [TransactionID<Interned>] = []
        Families(self).forEach { original, members in
            let first = holdings.count
            addLineHoldings(original, members, asOf: instant, to: &holdings)
            others.removeAll(keepingCapacity: true)
            for member in members where isPurchaseAlone(member) {
                let product = self[member].product
                if !holdings[first...].contains(where: { $0.product == product }) {
                    others.append(member)
                }
            }
            addPurchaseHoldings(original, others, asOf: instant, to: &holdings)
        }
        return holdings
    }

    /// Whether a transaction entitles by itself, without a period, and is no consumable.
    private func isPurchaseAlone(_ transaction: TransactionID<Interned>) -> Bool {
        switch kind(of: transaction) {
        case .consumable, .autoRenewable: false
        case .nonConsumable, .nonRenewing: isAtHome(transaction)
        case nil: self[transaction].expiresAt == nil && isAtHome(transaction)
        }
    }

    /// What the app gave for those of some transactions that are of a product.
    private func grant(
        _ members: [TransactionID<Interned>], _ product: ProductID<Interned>?
    ) -> Grant {
        var grant = Grant()
        for member in members where self[member].product == product {
            grant.add(self[member], member)
        }
        return grant
    }

    private func addLineHoldings(
        _ original: TransactionID<Interned>, _ members: [TransactionID<Interned>],
        asOf instant: Timestamp, to holdings: inout [Holding]
    ) {
        guard self[original].lineIndex != 0, let line = line(of: original) else { return }
        let periods = periods(of: line, asOf: instant).filter { isRenewing($0.transaction) }
        var products: [ProductID<Interned>?] = []
        for period in periods where !products.contains(period.product) {
            products.append(period.product)
        }
        let account = line.account ?? owner(of: original)
        for product in products {
            let own = periods.filter { $0.product == product }
            let genuine = own.filter { self[$0.transaction].validation != .invalid }
            let granting = genuine.last { $0.grants(at: instant) }
            guard let period = granting ?? genuine.last ?? own.last else { continue }
            let isOver = period.accessEnd <= instant
            let ended = period.ended.flatMap { Holding.Ended(rawValue: $0.rawValue) }
            holdings.append(
                Holding(
                    account: account, product: product, kind: .autoRenewable, original: original,
                    transaction: period.transaction, from: period.start, until: period.accessEnd,
                    because: period.accessEnd > period.end && period.end <= instant
                        ? .grace : .period,
                    ended: isOver ? ended ?? .expired : nil, isActive: granting != nil,
                    grant: grant(members, product)))
        }
    }

    /// Whether a transaction's dates are those of an auto-renewable period of this environment.
    private func isRenewing(_ transaction: TransactionID<Interned>) -> Bool {
        switch kind(of: transaction) {
        case .autoRenewable, nil: isAtHome(transaction)
        case .consumable, .nonConsumable, .nonRenewing: false
        }
    }

    private func addPurchaseHoldings(
        _ original: TransactionID<Interned>, _ members: [TransactionID<Interned>],
        asOf instant: Timestamp, to holdings: inout [Holding]
    ) {
        // Mostly there is none, or the original alone.
        guard members.count > 1 else {
            guard !members.isEmpty else { return }
            if let holding = purchaseHolding(original, members, asOf: instant) {
                holdings.append(holding)
            }
            return
        }
        var products: [ProductID<Interned>?] = []
        for member in members where !products.contains(self[member].product) {
            products.append(self[member].product)
        }
        for product in products {
            let own = members.filter { self[$0].product == product }
            if let holding = purchaseHolding(original, own, asOf: instant) {
                holdings.append(holding)
            }
        }
    }

    /// What was bought under one original and restored: by the purchase that grants, or did last.
    ///
    /// A restored transaction grants in the name of its original where the log states that.
    private func purchaseHolding(
        _ original: TransactionID<Interned>, _ members: [TransactionID<Interned>],
        asOf instant: Timestamp
    ) -> Holding? {
        let known = members.filter { isHeld($0, by: instant) }
        let isOriginalKnown = known.contains(original)
        let genuine = known.filter { self[$0].validation != .invalid }
        guard isOriginalKnown || !members.contains(original),
            let basis = basis(genuine.isEmpty ? known : genuine, of: original, asOf: instant)
        else { return nil }
        let isOriginals = isOriginalKnown && self[basis.purchase].isOnlyRestored
        let anchor = isOriginals ? original : basis.purchase
        guard let from = heldSince(anchor) else { return nil }
        let (kind, refund) = (kind(of: anchor), basis.refund)
        var given: Timestamp?
        if kind == .nonRenewing {
            let granting = known.filter { refundEnding($0, asOf: instant) == nil }
            given = granting.compactMap { self[$0].until }.max()
        }
        var ended: Holding.Ended?
        if let given, given <= instant { ended = .expired }
        if let refund { ended = refund.kind == .refunded ? .refunded : .revoked }
        return Holding(
            account: owner(of: anchor), product: self[anchor].product, kind: kind,
            original: original, transaction: anchor, from: from,
            until: refund.map { max(from, $0.cancelledAt) } ?? given, because: .purchase,
            ended: ended, isActive: ended == nil && !genuine.isEmpty,
            grant: grant(members, self[anchor].product))
    }

    /// Of some purchases the one that grants at an instant, or where all were refunded the one
    /// that granted last and its refund; of several the original, else the one made first.
    private func basis(
        _ purchases: [TransactionID<Interned>], of original: TransactionID<Interned>,
        asOf instant: Timestamp
    ) -> (purchase: TransactionID<Interned>, refund: Refund?)? {
        var basis: (purchase: TransactionID<Interned>, refund: Refund?)?
        for purchase in purchases {
            let refund = refundEnding(purchase, asOf: instant)
            guard let best = basis else {
                basis = (purchase, refund)
                continue
            }
            let end = refund?.cancelledAt ?? Access.noEnd
            let bestEnd = best.refund?.cancelledAt ?? Access.noEnd
            let isBetter =
                end == bestEnd
                ? purchase == original
                    || (best.purchase != original
                        && precedes(purchase, best.purchase))
                : end > bestEnd
            if isBetter { basis = (purchase, refund) }
        }
        return basis
    }

    /// By the date of the purchase, then by the bytes of the name.
    func precedes(
        _ left: TransactionID<Interned>, _ right: TransactionID<Interned>
    ) -> Bool {
        let (first, second) = (heldSince(left), heldSince(right))
        if let first, let second, first != second { return first < second }
        return names.precedes(left, right)
    }
}

/// The transactions that statements speak of, by the original that they name.
private struct Families {
    private var heads: [Int32]
    private var next: [Int32]

    init(_ facts: Facts) {
        let count = facts.transactions.count
        heads = Array(repeating: -1, count: count)
        next = heads
        for index in stride(from: count - 1, through: 0, by: -1) {
            guard facts.transactions[index].statedLine != 0 else { continue }
            let original = facts.transactions[index].original?.index ?? index
            next[index] = heads[original]
            heads[original] = Int32(index)
        }
    }

    func forEach(
        _ body: (TransactionID<Interned>, [TransactionID<Interned>]) -> Void
    ) {
        var members: [TransactionID<Interned>] = []
        for original in heads.indices where heads[original] >= 0 {
            members.removeAll(keepingCapacity: true)
            var member = heads[original]
            while member >= 0 {
                members.append(TransactionID(index: Int(member)))
                member = next[Int(member)]
            }
            body(TransactionID(index: original), members)
        }
    }
}
