/// The reasons to refuse opening content (G6.1, G6.3).
extension PurchaseState {
    func refusals(ofOpening content: ContentID<S>, _ context: CommandContext<S>) -> Set<Refusal> {
        let published = contents[content]
        var isRefunded = false
        for original in subscriptions.keys
        where account(ofSubscription: original).mayEqual(context.account) {
            for period in periods(ofSubscription: original, in: context.environment)
            where period.start <= context.now {
                guard let known = transaction(period.transaction), known.validation != .invalid,
                    period.opens(published, of: self, known, at: context.now)
                else { continue }
                if !period.isRefunded { return [] }
                isRefunded = true
            }
        }
        if published == nil {
            switch holdings(context) {
            case .standing: return []
            case .refunded: isRefunded = true
            case .none: break
            }
        }
        let missing: Refusal = published == nil ? .notEntitled : .publishedOutsidePeriods
        return isRefunded ? [.refunded, missing] : [missing]
    }

    private enum Holdings { case none, refunded, standing }

    /// Whether the account holds a purchase without an end, or with one that the app set (G1.4).
    private func holdings(_ context: CommandContext<S>) -> Holdings {
        var holdings = Holdings.none
        for (id, known) in transactions where known.isPaid {
            guard known.isAttested(in: context.environment), known.validation != .invalid,
                known.purchasedAt.map({ $0 <= context.now }) ?? false
            else { continue }
            switch kind(of: known) {
            case .consumable, .autoRenewable, nil: continue
            case .nonConsumable, .nonRenewing: break
            }
            guard owner(of: id, known).mayEqual(context.account) else { continue }
            if isRefunded(known) {
                holdings = .refunded
            } else if grants(id, known, at: context.now, in: context.environment) {
                return .standing
            }
        }
        return holdings
    }

    /// Whether a piece of content is for the subscribers of a period, by its product or group.
    fileprivate func reads(
        _ content: ContentState<S>, _ period: GrantedPeriod<S>, _ known: TransactionState<S>
    ) -> Bool {
        if let product = content.product { return product == known.product }
        guard let group = content.group else { return true }
        return group == self.group(of: period, known)
    }

    /// A subscription stays in one group (G6.5), so its other transactions can tell the group too.
    private func group(of period: GrantedPeriod<S>, _ known: TransactionState<S>) -> GroupID<S>? {
        if let group = group(of: known) { return group }
        let subscription = subscriptions[known.original ?? period.transaction]
        return subscription?.transactions.lazy.compactMap { id in
            transaction(id).flatMap { group(of: $0) }
        }.first
    }

    private func group(of known: TransactionState<S>) -> GroupID<S>? {
        known.groupStated.value ?? known.product.flatMap { products[$0]?.group }
    }
}

extension GrantedPeriod {
    /// Whether this period lets the user read a piece of content.
    ///
    /// Content without a known date is readable while the period lasts. Dated content is readable,
    /// even after the period, if it was published during the period or was the newest of its series
    /// at the start.
    fileprivate func opens(
        _ content: ContentState<S>?, of state: PurchaseState<S>,
        _ known: TransactionState<S>, at now: Timestamp
    ) -> Bool {
        guard let content else { return covers(now) }
        guard state.reads(content, self, known) else { return false }
        if covers(content.publishedAt) { return true }
        guard start < end, content.publishedAt <= start else { return false }
        return !state.contents.values.contains { other in
            other.publishedAt > content.publishedAt && other.publishedAt <= start
                && other.product == content.product && other.group == content.group
        }
    }
}
