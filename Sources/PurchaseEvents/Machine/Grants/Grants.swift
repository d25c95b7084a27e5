/// What the attested facts entitle to, by what is known so far (event-log.md, 4).
extension PurchaseState {
    /// Whether a transaction is refunded or revoked; one that only restores stands and falls with
    /// its original, save in a subscription, where each period is refunded for itself.
    func isRefunded(_ known: TransactionState<S>) -> Bool {
        known.isRefunded || restoredPurchase(of: known)?.isRefunded ?? false
    }

    /// The purchase that a transaction restores, where nothing else attests it.
    private func restoredPurchase(of known: TransactionState<S>) -> TransactionState<S>? {
        guard known.phase.isRestored, !known.opensPeriod, !isPeriod(known),
            let original = known.original.flatMap({ transaction($0) }),
            !original.phase.isRestored
        else { return nil }
        return original
    }

    /// Whether a transaction is of a line of periods: what has an end, where nothing says its kind.
    private func isPeriod(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .autoRenewable: true
        case .consumable, .nonConsumable, .nonRenewing: false
        case nil: known.expiresAt != nil
        }
    }

    /// Whether a transaction entitles nobody in an environment (G9.3).
    ///
    /// Of a refunded one, an invalid one, and one of the tests in production, nothing is owed.
    func owesNothing(_ known: TransactionState<S>, in environment: Environment) -> Bool {
        isRefunded(known) || known.validation == .invalid
            || (known.environment ?? environment) != environment
            || environment == .production && restoresTests(known)
    }

    /// Whether a transaction only restores a purchase that tests alone attest: neither grants
    /// anything in production (G9.3).
    func restoresTests(_ known: TransactionState<S>) -> Bool {
        guard known.phase.isRestored, !known.opensPeriod,
            let environment = known.original.flatMap({ transaction($0) })?.environment
        else { return false }
        return environment != .production
    }

    /// Whether a transaction may be given to an account: to the one that pays for it or for another
    /// purchase of its line, to the one that the line was linked to, and where neither is known to
    /// anybody.
    ///
    /// Whoever paid for its original counts over whomever its own statements name (G3.4); its line
    /// says whose a restored one is (G8.6).
    func mayBeGiven(
        _ id: TransactionID<S>, _ known: TransactionState<S>, to account: AccountID<S>
    ) -> Bool {
        let original = known.original ?? id
        let line = lines[original], first = transaction(original)
        if line?.linkedAccount == account { return true }
        let paid = known.payment == nil && !known.phase.isRestored ? first : known
        let payer = asker(of: paid) ?? known.account ?? line?.namedAccount ?? first?.account
        guard let payer else { return line?.linkedAccount == nil }
        if payer == account { return true }
        // An account that subscribed again in place of another is renewed too.
        return known.payment == nil
            && line?.transactions.contains { asker(of: transaction($0)) == account } ?? false
    }

    /// The account that asked for a transaction's payment.
    private func asker(of known: TransactionState<S>?) -> AccountID<S>? {
        known?.payment.flatMap { payments[$0]?.account }
    }

    /// The account that the line of a restored transaction belongs to, where it is known (G8.6).
    func lineOwner(of known: TransactionState<S>) -> AccountID<S>? {
        known.original.flatMap { account(ofLine: $0) }
    }

    /// The account that a transaction belongs to: that of its line, else the one that its original
    /// names, else the one that it names itself, else the one that asked (G3.4).
    func owner(
        of id: TransactionID<S>, _ known: TransactionState<S>
    ) -> AccountID<S>? {
        let first = known.original.map { transaction($0) } ?? known
        let line = lines[first?.original ?? known.original ?? id]
        return line?.account ?? first?.account ?? known.account ?? asker(of: first)
            ?? asker(of: known) ?? line?.inTests.account.value
    }

    /// The account that a line belongs to, as ``owner(of:_:)`` says of its original.
    func account(ofLine original: TransactionID<S>) -> AccountID<S>? {
        owner(of: original, transaction(original) ?? TransactionState())
    }

    /// Whether a transaction's product may be a consumable: what isn't known may be one.
    func mayBeConsumable(_ known: TransactionState<S>) -> Bool {
        switch kind(of: known) {
        case .consumable: true
        case .nonConsumable, .autoRenewable, .nonRenewing: false
        // No consumable is restored (G8.3), and none expires.
        case nil: !known.phase.isRestored && known.expiresAt == nil
        }
    }

    /// The periods of a line in an environment, by what is known.
    func periods(
        ofLine original: TransactionID<S>, in environment: Environment
    ) -> [GrantedPeriod<S>] {
        guard let line = lines[original] else { return [] }
        // Environments never mix (G9.3).
        var inProduction: [GrantedPeriod<S>] = [], inTests: [GrantedPeriod<S>] = []
        for id in line.transactions {
            guard let known = transaction(id), known.isAttested(in: environment),
                let period = GrantedPeriod(id, known)
            else { continue }
            if known.isAttested(in: .production) {
                inProduction.append(period)
            } else {
                inTests.append(period)
            }
        }
        GrantedPeriod.change(&inProduction, by: line.inProduction)
        GrantedPeriod.change(&inTests, by: line.inTests)
        return inProduction + inTests
    }

    /// Whether a transaction is refunded or revoked from an instant on: until then it entitles.
    private func isRefunded(_ known: TransactionState<S>, by instant: Timestamp) -> Bool {
        known.isRefunded(by: instant)
            || restoredPurchase(of: known)?.isRefunded(by: instant) ?? false
    }

    /// Whether a transaction entitles somebody to its product at an instant, refunds counted.
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
        // The app's own end is one of a subscription that isn't renewed (G1.4).
        let isOfTheApp = kind == .nonRenewing || kind == nil && known.expiresAt == nil
        if let until = known.until, until <= instant, isOfTheApp { return false }
        if kind == .nonConsumable || kind != .autoRenewable && known.expiresAt == nil {
            return true
        }
        let periods = periods(ofLine: known.original ?? id, in: environment)
        // Of what is renewed and has no end it isn't known when it ends, unless it only restores
        // periods that are.
        if known.expiresAt == nil, known.opensPeriod || periods.isEmpty { return true }
        return periods.contains { period in
            guard period.covers(instant), let its = transaction(period.transaction) else {
                return false
            }
            // A restored transaction gives what its line gives of its product: a plan that was
            // upgraded away is over, whatever took its place (G6.5).
            let isIts =
                period.transaction == id || !known.opensPeriod && its.product == known.product
            return isIts && its.validation != .invalid && !its.isRefunded(by: instant)
        }
    }
}

extension TransactionState {
    /// Whether it counts as never bought at an instant: a refund may be dated later.
    fileprivate func isRefunded(by instant: Timestamp) -> Bool {
        isRefunded && cancelledAt.map { $0 <= instant } ?? true
    }
}
