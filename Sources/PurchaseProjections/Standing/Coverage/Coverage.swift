import PurchaseEvents

/// Whether attested facts allowed a use.
///
/// Counts all attested periods, even those stated later, but only the refunds known at the line of
/// the use.
struct Coverage {
    /// The most refunded transactions that a coverage names.
    static let mostRefunded = 16

    var isCovered: Bool { covering != nil }
    /// One of the transactions that allowed the use.
    var covering: TransactionHandle?
    /// Transactions that would have allowed the use, had they not been refunded or revoked; the
    /// first few.
    var refunded: [TransactionHandle] = []
    /// Why the log leaves the answer unclear; `nil` if it does not.
    var unclear: String?
    var lastEnded: Access?
    /// The access that ended last before the use at the end that the app had set for it by then.
    var lapsed: Access?

    /// Why a use without coverage can't be blamed; `missing` is what the log may lack.
    func doubt(_ missing: String, _ facts: Facts) -> String? {
        unclear ?? facts.incompleteReason.map { "\(missing) may be missing: \($0)" }
    }
}

/// A limit to the entries that one search may look at, so that many searches of one large account
/// stay linear.
struct SearchLimit {
    private var left: Int

    /// Enough for what an account holds after ten years of a monthly subscription.
    init(_ count: Int = 128) { left = count }

    /// Counts entries; returns whether the search must end.
    mutating func isReached(by count: Int = 1) -> Bool {
        left -= max(1, count)
        return left < 0
    }
}

extension Facts {
    /// Whether one of the latest periods or purchases of the use's account clearly allows the use.
    ///
    /// Allocates no memory; `false` if the answer takes more work or the use names no account.
    func isPlainlyCovered(_ use: Use) -> Bool {
        guard let account = use.account else { return false }
        let key = IndexLists.key(account)
        var limit = SearchLimit()
        var isCovered = false
        _ = subscriptionsByAccount.contains(under: key) { index in
            let subscription = subscriptions[Int(index)]
            isCovered =
                isHeld(subscription, by: account, at: use.line)
                && isPlainlyCovered(use, by: subscription, &limit)
            return isCovered || limit.isReached()
        }
        if isCovered { return true }
        limit = SearchLimit()
        _ = purchasesByAccount.contains(under: key) { index in
            isCovered = isPlainlyCovered(use, account, by: TransactionID(index: Int(index)))
            return isCovered || limit.isReached()
        }
        return isCovered
    }

    private func isPlainlyCovered(
        _ use: Use, by subscription: SubscriptionFacts, _ limit: inout SearchLimit
    ) -> Bool {
        // Each period ends no later than the next begins, which is the one looked at before it.
        var following: Timestamp?
        var next = subscription.lastTransaction
        while let transaction = next, !limit.isReached() {
            next = self[transaction].previousInSubscription
            guard let span = span(of: transaction), !self[transaction].isUpgraded,
                self[transaction].isStated(in: use.environment)
            else { continue }
            guard following.map({ span.start < $0 }) ?? (span.start >= subscription.latestStart)
            else { return false }
            if subscription.mayTakeBackRenewals, statedAt(transaction) < span.start { return false }
            var access = access(span, endsInGrace: false)
            access.end = min(access.end, following ?? access.end)
            if allows(access, use) == true, !isRefunded(transaction, at: use.line, use.at),
                !isInvalid(transaction, at: use.line), !mayHaveExpired(subscription, span, by: use)
            {
                return true
            }
            following = span.start
        }
        return false
    }

    /// Whether a `renewal.expired` may have ended a period by a use.
    private func mayHaveExpired(_ subscription: SubscriptionFacts, _ period: Period, by use: Use)
        -> Bool
    {
        let expiration = subscription[use.environment].expiration
        guard let stated = expiration.value else { return false }
        return (stated.expiresAt ?? expiration.time(versions) ?? use.at) <= use.at
            && !expiration.isStated(
                before: self[period.transaction].version(of: .expiresAt), versions)
    }

    private func isPlainlyCovered(
        _ use: Use, _ account: AccountHandle, by purchase: TransactionHandle
    ) -> Bool {
        // Most purchases of a large account are of another product.
        if case .product(let product) = use.target, self[purchase].product != product {
            return false
        }
        guard isHeld(purchase, by: account, at: use.line), mayGrant(purchase, in: use.environment),
            case .certain(let access) = access(of: purchase)
        else { return false }
        return allows(access, use) == true && !isRefunded(purchase, at: use.line, use.at)
            && !isInvalid(purchase, at: use.line)
    }

    /// Whether one of an owner's periods and purchases allows a use, as far as the log knows now.
    ///
    /// Cost: sorts what the owner holds.
    func coverage(of use: Use, by owner: AccessScope.Owner) -> Coverage {
        var coverages = [Coverage()]
        let scope = AccessScope(owner: owner, environment: use.environment)
        AccessIndex(scope, self, nil).answer([use], at: [0], &coverages)
        return coverages[0]
    }

    /// Whether an account, or the subscription of a transaction, holds more periods and purchases
    /// than one search may look at.
    func isLarge(
        _ account: AccountHandle?, orSubscriptionOf transaction: TransactionHandle
    ) -> Bool {
        var limit = SearchLimit(512)
        if let subscription = subscription(of: transaction),
            limit.isReached(by: subscription.extent)
        {
            return true
        }
        guard let account else { return false }
        let key = IndexLists.key(account)
        return subscriptionsByAccount.contains(under: key) { index in
            limit.isReached(by: subscriptions[Int(index)].extent)
        } || purchasesByAccount.contains(under: key) { _ in limit.isReached() }
    }

    func access(_ span: Period, endsInGrace: Bool) -> Access {
        Access(
            transaction: span.transaction, product: span.product, group: group(of: span),
            start: span.start, end: span.accessEnd, until: nil, isPeriod: true,
            endsInGrace: endsInGrace)
    }

    /// Whether and why each use was allowed, in the order of the uses.
    ///
    /// The periods and purchases of any account allow a use without an account: the account is
    /// unstated, not a different one. For a use with an account, purchases without a known owner
    /// leave the answer unclear. Cost: sorts the uses, and the periods and purchases of their
    /// accounts.
    ///
    /// - Parameters:
    ///   - grants: The app's deliveries, if a purchase counts only until the end that the app had
    ///     set for it by the use, and if what was given to the account counts as its own.
    ///   - attested: Whether only what the log attested by the use counts.
    func coverages(
        of uses: [Use], _ grants: GrantHistory? = nil, onlyAttested attested: Bool = false
    ) -> [Coverage] {
        var coverages = [Coverage](repeating: Coverage(), count: uses.count)
        let groups = Dictionary(grouping: uses.indices) {
            AccessScope(uses[$0].account, uses[$0].environment)
        }
        for (scope, places) in groups {
            let index = AccessIndex(scope, self, grants, onlyAttested: attested)
            index.answer(uses, at: places, &coverages)
        }
        let unanswered = uses.indices.filter {
            uses[$0].account != nil && !coverages[$0].isCovered && coverages[$0].unclear == nil
        }
        for (environment, places) in Dictionary(grouping: unanswered, by: { uses[$0].environment })
        {
            let scope = AccessScope(owner: .unknown, environment: environment)
            var unowned = [Coverage](repeating: Coverage(), count: uses.count)
            AccessIndex(scope, self, nil, onlyAttested: attested).answer(uses, at: places, &unowned)
            for place in places {
                let isUnowned = unowned[place].isCovered || !unowned[place].refunded.isEmpty
                coverages[place].unclear =
                    isUnowned
                    ? "no fact says who owns some of the purchases" : unowned[place].unclear
            }
        }
        return coverages
    }
}
