/// The access that the attested facts grant, as far as the log knows (event-log.md, 4).
extension PurchaseState {
    /// A transaction that only restores follows its original, except in a subscription, where each
    /// period is refunded separately.
    func isRefunded(_ known: TransactionState<S>) -> Bool {
        known.isRefunded || restoredPurchase(of: known)?.isRefunded ?? false
    }

    /// Whether a refund took back only a part of a consumable, so that the rest is still owed.
    func keepsPart(_ known: TransactionState<S>) -> Bool {
        known.unitsKept != nil && kind(of: known) == .consumable
    }

    /// The purchase that a transaction restores, if no other statement attests the transaction.
    private func restoredPurchase(of known: TransactionState<S>) -> TransactionState<S>? {
        guard known.phase.isRestored, !known.opensPeriod, !isPeriod(known),
            let original = known.original.flatMap({ transaction($0) }),
            !original.phase.isRestored,
            // Only the original's end may tell that both are a subscription.
            kind(of: known) != nil || !isPeriod(original)
        else { return nil }
        return original
    }

    /// Whether a transaction is a subscription period; without a known kind, an end date decides.
    private func isPeriod(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .autoRenewable: true
        case .consumable, .nonConsumable, .nonRenewing: false
        case nil: known.expiresAt != nil
        }
    }

    /// Whether nothing is owed for a transaction in an environment, because it is refunded,
    /// upgraded away, invalid, or of another environment (G9.3).
    func owesNothing(_ known: TransactionState<S>, in environment: Environment) -> Bool {
        (isRefunded(known) && (!keepsPart(known) || known.wasWithdrawn)) || known.isUpgraded
            || known.validation == .invalid
            || (known.environment ?? environment) != environment
            || environment == .production && restoresTests(known)
    }

    /// Whether another plan of the subscription, begun by an instant, ended a transaction's period;
    /// the App Store does not always state the replaced transaction again.
    func isUpgradedAway(
        _ id: TransactionID<S>, _ known: TransactionState<S>, by instant: Timestamp
    ) -> Bool {
        guard let own = GrantedPeriod(id, known),
            let subscription = subscriptions[known.original ?? id]
        else { return false }
        var (end, isReplaced) = (own.paidUntil, false)
        for other in subscription.transactions {
            guard let state = transaction(other), let period = GrantedPeriod(other, state),
                state.isAttested(in: .production) == known.isAttested(in: .production)
            else { continue }
            if period.start <= instant, own.isTakenBack(by: period) { return true }
            guard own.start < period.start, period.start < own.paidUntil,
                period.start <= min(end, instant), period.runs, !period.isTakenBack(by: own)
            else { continue }
            isReplaced = state.product != known.product || isReplaced && period.start == end
            end = period.start
        }
        return isReplaced
    }

    /// Whether a transaction only restores a plan of its subscription whose known periods are all
    /// over or refunded at an instant: it opens no period itself (event-log.md, 4).
    func restoresWhatIsOver(
        _ known: TransactionState<S>, at instant: Timestamp, in environment: Environment
    ) -> Bool {
        guard known.phase.isRestored, !known.opensPeriod, let original = known.original,
            kind(of: known) ?? .autoRenewable == .autoRenewable,
            known.expiresAt.map({ $0 <= instant }) ?? true
        else { return false }
        var isKnown = false
        for period in periods(ofSubscription: original, in: environment) {
            guard let state = transaction(period.transaction), state.product == known.product
            else { continue }
            isKnown = true
            if instant < period.end, !period.isRefunded, state.validation != .invalid {
                return false
            }
        }
        return isKnown
    }

    /// Whether a transaction only restores a purchase that is attested in tests alone; neither
    /// grants anything in production (G9.3).
    func restoresTests(_ known: TransactionState<S>) -> Bool {
        guard known.phase.isRestored, !known.opensPeriod,
            let environment = known.original.flatMap({ transaction($0) })?.environment
        else { return false }
        return environment != .production
    }

    /// Whether a transaction may be delivered to an account.
    ///
    /// The account must be the payer of the transaction or of another purchase of its subscription,
    /// or the account that the subscription was linked to. If neither is known, any account may
    /// receive it.
    ///
    /// The payer of the original takes precedence over the account in a transaction's own
    /// statements (G3.4). A restored transaction belongs to the owner of its subscription (G8.6).
    func mayBeGiven(
        _ id: TransactionID<S>, _ known: TransactionState<S>, to account: AccountID<S>
    ) -> Bool {
        let original = known.original ?? id
        let subscription = subscriptions[original], first = transaction(original)
        if subscription?.linkedAccount == account { return true }
        let paid = known.payment == nil && !known.phase.isRestored ? first : known
        let payer =
            requestingAccount(of: paid) ?? known.account ?? subscription?.namedAccount
            ?? first?.account
        guard let payer else { return subscription?.linkedAccount == nil }
        if payer == account { return true }
        // An account that resubscribed in place of another also owns the renewals.
        return known.payment == nil
            && subscription?.transactions.contains {
                requestingAccount(of: transaction($0)) == account
            } ?? false
    }

    private func requestingAccount(of known: TransactionState<S>?) -> AccountID<S>? {
        known?.payment.flatMap { payments[$0]?.account }
    }

    /// The account that owns the subscription of a restored transaction, if known (G8.6).
    func subscriptionOwner(of known: TransactionState<S>) -> AccountID<S>? {
        known.original.flatMap { account(ofSubscription: $0) }
    }

    /// The first known of these: the account of the subscription, the one that the original names,
    /// the one that the transaction names, the requester of either payment, and the account of the
    /// subscription in tests (G3.4).
    func owner(of id: TransactionID<S>, _ known: TransactionState<S>) -> AccountID<S>? {
        let first = known.original.map { transaction($0) } ?? known
        let subscription = subscriptions[first?.original ?? known.original ?? id]
        return subscription?.account ?? first?.account ?? known.account ?? requestingAccount(
            of: first)
            ?? requestingAccount(of: known) ?? subscription?.testAccount
    }

    /// The account that owns a subscription: the ``owner(of:_:)`` of its original.
    func account(ofSubscription original: TransactionID<S>) -> AccountID<S>? {
        owner(of: original, transaction(original) ?? TransactionState())
    }

    /// Whether a transaction's product may be a consumable; an unknown kind may be one.
    func mayBeConsumable(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .consumable: true
        case .nonConsumable, .autoRenewable, .nonRenewing: false
        // Consumables can't be restored (G8.3) and don't expire.
        case nil: !known.phase.isRestored && known.expiresAt == nil
        }
    }

    func periods(
        ofSubscription original: TransactionID<S>, in environment: Environment
    ) -> [GrantedPeriod<S>] {
        guard let subscription = subscriptions[original] else { return [] }
        // Environments never mix (G9.3).
        var inProduction: [GrantedPeriod<S>] = [], inTests: [GrantedPeriod<S>] = []
        for id in subscription.transactions {
            guard let known = transaction(id), known.isAttested(in: environment),
                let period = GrantedPeriod(id, known)
            else { continue }
            if known.isAttested(in: .production) {
                inProduction.append(period)
            } else {
                inTests.append(period)
            }
        }
        GrantedPeriod.adjust(&inProduction, with: subscription.inProduction)
        GrantedPeriod.adjust(&inTests, with: subscription.inTests)
        return inProduction + inTests
    }

    /// Whether a transaction is refunded or revoked by an instant.
    private func isRefunded(_ known: TransactionState<S>, by instant: Timestamp) -> Bool {
        known.isRefunded(by: instant)
            || restoredPurchase(of: known)?.isRefunded(by: instant) ?? false
    }

    /// Whether a transaction grants access to its product at an instant, refunds considered.
    func grants(
        _ id: TransactionID<S>, _ known: TransactionState<S>, at instant: Timestamp,
        in environment: Environment
    ) -> Bool {
        guard known.isPaid, !isRefunded(known, by: instant), known.validation != .invalid else {
            return false
        }
        guard known.isAttested(in: environment),
            environment != .production || !restoresTests(known)
        else { return false }
        let kind = kind(of: known)
        // The app sets an end only for non-renewing subscriptions (G1.4).
        let isSetByApp = kind == .nonRenewing || kind == nil && known.expiresAt == nil
        if let until = known.until, until <= instant, isSetByApp { return false }
        if kind == .nonConsumable || kind != .autoRenewable && known.expiresAt == nil {
            return true
        }
        let periods = periods(ofSubscription: known.original ?? id, in: environment)
        // The end of a subscription without an end date isn't known, unless it only restores
        // periods that have one.
        if known.expiresAt == nil, known.opensPeriod || periods.isEmpty { return true }
        return periods.contains { period in
            guard period.covers(instant), let periodState = transaction(period.transaction) else {
                return false
            }
            // A restored transaction grants its subscription's periods of the same product: a plan
            // that was upgraded away is over, whatever replaced it (G6.5).
            let matches =
                period.transaction == id
                || !known.opensPeriod && periodState.product == known.product
            return matches && periodState.validation != .invalid
                && !periodState.isRefunded(by: instant)
        }
    }
}

extension TransactionState {
    /// Whether a refund has taken effect by an instant.
    fileprivate func isRefunded(by instant: Timestamp) -> Bool {
        isRefunded && cancelledAt.map { $0 <= instant } ?? true
    }
}
