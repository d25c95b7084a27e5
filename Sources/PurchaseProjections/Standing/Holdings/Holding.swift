import PurchaseEvents

/// An entitlement at an instant, from a purchase or from a product in a subscription.
///
/// Also states what the app granted, because the App Store may attest what the app did not grant
/// (event-log.md, 4).
struct Holding: Sendable {
    enum Basis: String, Sendable { case purchase, period, grace }
    /// Why the entitlement ended.
    enum Ended: String, Sendable { case expired, refunded, revoked, upgraded }

    var account: AccountHandle?
    var product: ProductHandle?
    var kind: ProductKind?
    /// The original that restored transactions and renewals name.
    var original: TransactionHandle
    /// The purchase, or the transaction of the period.
    var transaction: TransactionHandle
    var from: Timestamp
    /// When the entitlement ends or ended; `nil` if no end is stated.
    var until: Timestamp?
    var basis: Basis
    var ended: Ended?
    /// Whether the entitlement is in force at the instant.
    var isActive: Bool
    var grant: Grant
    /// When the unbroken entitlement began: that of the periods up to this one, or the purchase.
    var since: Timestamp

    /// The account and product, used to find another purchase that grants the same.
    var holder: Holder? { product.map { Holder(account: account, product: $0) } }
}

/// The app's deliveries and withdrawals for the transactions of one product under one original.
struct Grant: Sendable {
    /// The transaction delivered last, and the line of that delivery; 0 if there is none.
    var transaction: TransactionHandle?, deliveredLine: LineNumber = 0
    /// The line of the latest delivery of a restored transaction; 0 if there is none.
    var restoredLine: LineNumber = 0
    /// The line of the latest withdrawal; 0 if there is none.
    var withdrawnLine: LineNumber = 0

    /// Whether the log shows one of the transactions in a queue.
    var isOfQueue = false

    /// Whether the app delivered and has not withdrawn since.
    var stands: Bool { deliveredLine > withdrawnLine }

    mutating func add(_ facts: TransactionFacts, _ transaction: TransactionHandle) {
        if facts.deliveredLine > deliveredLine {
            deliveredLine = facts.deliveredLine
            self.transaction = transaction
        }
        if facts.isRestored { restoredLine = max(restoredLine, facts.deliveredLine) }
        withdrawnLine = max(withdrawnLine, facts.withdrawnLine)
        if facts.wasInQueue { isOfQueue = true }
    }
}

struct Holder: Hashable, Sendable {
    /// The account; `nil` if not stated.
    var account: AccountHandle?
    var product: ProductHandle
}

extension Facts {
    /// The refund or revocation of a transaction in force at an instant; `nil` if there is none.
    func refund(of transaction: TransactionHandle, asOf instant: Timestamp) -> Refund? {
        self[transaction].refund.flatMap { $0.cancelledAt <= instant ? $0 : nil }
    }

    /// The earliest refund or revocation that had ended a transaction's effect by an instant: its
    /// own, or that of the original that it only restores.
    func refundEnding(_ transaction: TransactionHandle, asOf instant: Timestamp) -> Refund? {
        let own = refund(of: transaction, asOf: instant)
        guard let original = restoredPurchase(of: transaction),
            let other = refund(of: original, asOf: instant)
        else { return own }
        return own.map { $0.cancelledAt <= other.cancelledAt ? $0 : other } ?? other
    }

    /// The environments other than the log's in which the App Store attests transactions.
    ///
    /// They grant nothing (G9.3). Cost: linear in the number of transactions.
    package var otherEnvironments: Set<Environment> {
        var others: Set<Environment> = []
        for transaction in knownTransactions where !isInLogEnvironment(transaction) {
            if let environment = self[transaction].environment { others.insert(environment) }
        }
        return others
    }

    /// Whether a transaction belongs to the log's environment; others grant nothing (G9.3).
    package func isInLogEnvironment(_ transaction: TransactionHandle) -> Bool {
        if logEnvironment == .production, testPurchase(restoredBy: transaction) != nil {
            return false
        }
        return self[transaction].isStated(in: logEnvironment)
            || self[transaction].environment == nil
    }

    /// The purchase that a transaction only restores and that only a test environment attests;
    /// neither grants anything in production (G9.3).
    func testPurchase(restoredBy transaction: TransactionHandle) -> TransactionHandle? {
        guard self[transaction].isOnlyRestored, let original = self[transaction].original,
            let environment = self[original].environment, environment != .production
        else { return nil }
        return original
    }

    /// When the purchase was made; a restored transaction dates from its original (G8.8).
    func heldSince(_ transaction: TransactionHandle) -> Timestamp? {
        let facts = self[transaction]
        let original = facts.isRestored && !facts.isPurchased ? facts.originalPurchasedAt : nil
        return original ?? facts.purchasedAt
    }

    /// Whether a purchase was made by an instant, whenever it was recorded.
    func isHeld(_ transaction: TransactionHandle, by instant: Timestamp) -> Bool {
        heldSince(transaction).map { $0 <= instant } ?? false
    }

    /// Every entitlement that was in force at or before an instant, except consumables, in no
    /// particular order.
    ///
    /// One element for each original and product; the cost is linear in the number of transactions.
    func holdings(asOf instant: Timestamp) -> [Holding] {
        var holdings: [Holding] = []
        var others: [TransactionHandle] = []
        TransactionFamilies(self).forEach { original, members in
            let first = holdings.count
            addSubscriptionHoldings(original, members, asOf: instant, to: &holdings)
            others.removeAll(keepingCapacity: true)
            let ofLine = holdings.count == first ? [] : Set(holdings[first...].map(\.product))
            for member in members where isStandalonePurchase(member) {
                if !ofLine.contains(self[member].product) { others.append(member) }
            }
            addPurchaseHoldings(original, others, asOf: instant, to: &holdings)
        }
        return holdings
    }

    /// Whether a transaction entitles without a period and is not a consumable.
    private func isStandalonePurchase(_ transaction: TransactionHandle) -> Bool {
        switch kind(of: transaction) {
        case .consumable, .autoRenewable: false
        case .nonConsumable, .nonRenewing: isInLogEnvironment(transaction)
        case nil: self[transaction].expiresAt == nil && isInLogEnvironment(transaction)
        }
    }

    /// The app's deliveries and withdrawals for those of the given transactions that bought a
    /// product.
    private func grant(_ members: [TransactionHandle], _ product: ProductHandle?) -> Grant {
        var grant = Grant()
        for member in members where self[member].product == product {
            grant.add(self[member], member)
        }
        return grant
    }

    private func addSubscriptionHoldings(
        _ original: TransactionHandle, _ members: [TransactionHandle],
        asOf instant: Timestamp, to holdings: inout [Holding]
    ) {
        guard let subscription = subscription(keyedBy: original) else { return }
        let periods = periods(of: subscription, asOf: instant).filter { isRenewing($0.transaction) }
        let account = owner(of: subscription)
        // Most subscriptions have one product.
        let isOne = periods.allSatisfy { $0.product == periods.first?.product }
        let byProduct = isOne ? [:] : Dictionary(grouping: members) { self[$0].product }
        let groups = isOne ? [:] : Dictionary(grouping: periods, by: \.product)
        let products = isOne ? periods.prefix(1).map(\.product) : Array(groups.keys)
        for product in products {
            let own = groups[product] ?? periods
            let genuine = own.filter { self[$0.transaction].validation != .invalid }
            // A paid period counts over the grace of another.
            let granting =
                genuine.last { $0.grants(at: instant) && instant < $0.end }
                ?? genuine.last { $0.grants(at: instant) }
            guard let period = granting ?? genuine.lastHeld ?? own.lastHeld else { continue }
            let isOver = period.accessEnd <= instant
            let ended = period.ended.flatMap { Holding.Ended(rawValue: $0.rawValue) }
            holdings.append(
                Holding(
                    account: account, product: product, kind: .autoRenewable, original: original,
                    transaction: period.transaction, from: period.start, until: period.accessEnd,
                    basis: period.accessEnd > period.end && period.end <= instant
                        ? .grace : .period,
                    ended: isOver ? ended ?? .expired : nil, isActive: granting != nil,
                    grant: grant(byProduct[product] ?? members, product),
                    since: Facts.unbrokenStart(of: period, own)))
        }
    }

    /// The start of the first of the periods that led to a period without a lapse.
    private static func unbrokenStart(of period: Period, _ periods: [Period]) -> Timestamp {
        var (since, end) = (period.start, Timestamp.earliest)
        for other in periods where other.start <= period.start && other.start < other.accessEnd {
            if other.start > end { since = other.start }
            end = max(end, other.accessEnd)
        }
        return since
    }

    /// Whether a transaction states an auto-renewable period in the log's environment.
    private func isRenewing(_ transaction: TransactionHandle) -> Bool {
        switch kind(of: transaction) {
        case .autoRenewable, nil: isInLogEnvironment(transaction)
        case .consumable, .nonConsumable, .nonRenewing: false
        }
    }

    private func addPurchaseHoldings(
        _ original: TransactionHandle, _ members: [TransactionHandle],
        asOf instant: Timestamp, to holdings: inout [Holding]
    ) {
        // Most families have no member or only the original.
        let groups =
            members.count == 1
            ? [members] : Array(Dictionary(grouping: members) { self[$0].product }.values)
        for own in groups {
            if let holding = purchaseHolding(original, own, asOf: instant) {
                holdings.append(holding)
            }
        }
    }

    /// The entitlement from a product bought under one original and its restores: the purchase that
    /// grants at the instant, or that granted last.
    ///
    /// A restored transaction grants in the name of its original if the log states the original.
    private func purchaseHolding(
        _ original: TransactionHandle, _ members: [TransactionHandle], asOf instant: Timestamp
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
            until: refund.map { max(from, $0.cancelledAt) } ?? given, basis: .purchase,
            ended: ended, isActive: ended == nil && !genuine.isEmpty,
            grant: grant(members, self[anchor].product), since: from)
    }

    /// The purchase that grants at an instant; if all are refunded, the one that granted last, with
    /// its refund.
    ///
    /// Ties go to the original, then to the earliest purchase.
    private func basis(
        _ purchases: [TransactionHandle], of original: TransactionHandle, asOf instant: Timestamp
    ) -> (purchase: TransactionHandle, refund: Refund?)? {
        var basis: (purchase: TransactionHandle, refund: Refund?)?
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
                    || (best.purchase != original && precedes(purchase, best.purchase))
                : end > bestEnd
            if isBetter { basis = (purchase, refund) }
        }
        return basis
    }

    /// Orders purchases by date, then by the bytes of the name.
    func precedes(_ left: TransactionHandle, _ right: TransactionHandle) -> Bool {
        let (first, second) = (heldSince(left), heldSince(right))
        if let first, let second, first != second { return first < second }
        return names.precedes(left, right)
    }
}

/// Transactions with statements, grouped by the original that they name.
private struct TransactionFamilies {
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

    func forEach(_ body: (TransactionHandle, [TransactionHandle]) -> Void) {
        var members: [TransactionHandle] = []
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
