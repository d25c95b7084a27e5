import PurchaseEvents

extension [Period] {
    /// The last period, unless an upgrade left nothing of it, and something of another.
    var lastHeld: Period? { last { $0.ended != .upgraded || $0.start < $0.accessEnd } ?? last }
}

/// The periods of a subscription (event-log.md, 4).
extension Facts {
    /// The transactions that attest periods of a subscription, in the order in which they became
    /// known.
    public func transactions(of subscription: SubscriptionFacts) -> [TransactionHandle] {
        var all: [TransactionHandle] = []
        var next = subscription.lastTransaction
        while let transaction = next {
            all.append(transaction)
            next = self[transaction].previousInSubscription
        }
        return all.reversed()
    }

    /// The periods of a subscription as currently known, by start and then end.
    ///
    /// Periods with equal start and end are merged, unless only one of them was attested in
    /// production. With `asOf`, only events up to that instant count: periods that had started,
    /// refunds given and upgrades made by then. Cost: sorts the subscription's transactions; at the
    /// end of a log, copies their periods.
    public func periods(of subscription: SubscriptionFacts, asOf instant: Timestamp? = nil)
        -> [Period]
    {
        if instant == nil, let settled = record.pointee.settledPeriods,
            let index = subscriptionIndex(of: subscription.original)
        {
            return settled[index].map(\.period)
        }
        return findPeriods(of: subscription, asOf: instant)
    }

    /// The same periods, computed even where they are at hand.
    func findPeriods(of subscription: SubscriptionFacts, asOf instant: Timestamp? = nil) -> [Period]
    {
        let spans = spans(of: subscription, asOf: instant)
        guard needMerging(spans) else { return spans }
        // Environments never mix (G9.3).
        let tests = spans.filter { !self[$0.transaction].isStated(in: .production) }
        if tests.isEmpty || tests.count == spans.count { return merged(spans) }
        let others = spans.filter { self[$0.transaction].isStated(in: .production) }
        return (merged(others) + merged(tests)).sorted(by: precedes)
    }

    /// The periods of the subscription at an index in its own environment: of a subscription of
    /// production, those attested in production (G9.3).
    ///
    /// A period that ends before it starts is none.
    func ownPeriods(ofSubscription index: Int) -> [Period] {
        let isOfProduction = subscriptions[index].isOfProduction
        return periods(ofSubscription: index).lazy.filter {
            $0.isSome && $0.isOfProduction == isOfProduction
        }.map(\.period)
    }

    /// The unmerged periods of a subscription, one for each transaction, by start, end and
    /// transaction.
    ///
    /// - Parameters:
    ///   - environment: Only transactions attested in this environment; `nil` means all.
    ///   - heedingRefunds: Whether a refund or revocation ends a period; an upgrade always does.
    ///   - early: Receives the early ends of grace periods after each transaction's period. With
    ///     `nil`, the periods heed them all; otherwise they heed none.
    func spans(
        of subscription: SubscriptionFacts, in environment: Environment? = nil,
        asOf instant: Timestamp? = nil,
        heedingRefunds: Bool = true
    ) -> [Period] {
        var early: EarlyEndsByPeriod?
        return spans(
            of: subscription, in: environment, asOf: instant, heedingRefunds: heedingRefunds, &early
        )
    }

    /// The early ends of the grace periods that follow the periods of transactions.
    typealias EarlyEndsByPeriod = [TransactionHandle: [EarlyEnd]]

    func spans(
        of subscription: SubscriptionFacts, in environment: Environment?,
        asOf instant: Timestamp? = nil,
        heedingRefunds: Bool, _ early: inout EarlyEndsByPeriod?
    ) -> [Period] {
        var spans: [Period] = []
        spans.reserveCapacity(Int(subscription.transactionCount))
        var next = subscription.lastTransaction
        while let transaction = next {
            next = self[transaction].previousInSubscription
            guard environment.map({ self[transaction].isStated(in: $0) }) ?? true,
                var span = span(of: transaction), instant.map({ span.start <= $0 }) ?? true
            else { continue }
            // Reads field by field: the record is long.
            if self[transaction].isUpgraded {
                span.ended = .upgraded
            } else if heedingRefunds, let refund = self[transaction].refund,
                instant.map({ refund.cancelledAt <= $0 }) ?? true
            {
                span.accessEnd = min(span.end, max(span.start, refund.cancelledAt))
                span.ended = refund.kind == .refunded ? .refunded : .revoked
            }
            spans.append(span)
        }
        // The log mostly tells of them in order.
        spans.reverse()
        spans.sort { precedes($0, $1) }
        // Environments never mix (G9.3).
        var tests = spans.filter { !self[$0.transaction].isStated(in: .production) }
        if !tests.isEmpty { spans.removeAll { !self[$0.transaction].isStated(in: .production) } }
        change(&spans, subscription.inProduction, asOf: instant, &early)
        guard !tests.isEmpty else { return spans }
        change(&tests, subscription.inTests, asOf: instant, &early)
        return spans.isEmpty ? tests : (spans + tests).sorted(by: precedes)
    }

    /// Applies what is stated for a subscription, and what its periods mean for each other.
    private func change(
        _ spans: inout [Period], _ statements: SubscriptionStatements, asOf instant: Timestamp?,
        _ early: inout EarlyEndsByPeriod?
    ) {
        extend(&spans, statements.extensions)
        let replaced = endReplaced(&spans, asOf: instant)
        addGrace(&spans, statements.gracePeriods, &early)
        let expired = endExpired(&spans, statements, asOf: instant)
        postpone(replaced + expired, &spans, &early)
    }

    /// The period that a transaction's statements attest, as if nothing had ended it; `nil` if they
    /// attest none.
    func span(of transaction: TransactionHandle) -> Period? {
        guard self[transaction].attestsPeriod, let start = self[transaction].purchasedAt,
            let end = self[transaction].expiresAt
        else { return nil }
        return Period(
            start: start, end: end, accessEnd: end, ended: nil, transaction: transaction,
            product: self[transaction].product)
    }

    /// The group of a period: that of its own statements or its product, otherwise the one that any
    /// statement of its subscription names; `nil` if none does.
    func group(of period: Period) -> GroupHandle? {
        self[period.transaction].group ?? period.product.flatMap { self[$0].group }
            ?? subscriptionGroup(of: period.transaction)
    }

    private func subscriptionGroup(of transaction: TransactionHandle) -> GroupHandle? {
        let member = Int(self[transaction].periodOfSubscription) - 1
        guard member >= 0 else { return nil }
        let environment: Environment =
            self[transaction].isStated(in: .production) ? .production : .sandbox
        return subscriptions[member][environment].group.value
    }

    /// The first line that attests a transaction's period; 0 if none does.
    func attestedLine(of transaction: TransactionHandle) -> LineNumber {
        // No line is 0, so 0 becomes the largest number.
        Swift.min(
            self[transaction].purchasedLine &- 1, self[transaction].listedLine &- 1,
            self[transaction].renewalLine &- 1) &+ 1
    }

    private func precedes(_ left: Period, _ right: Period) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.end != right.end { return left.end < right.end }
        return names.precedes(left.transaction, right.transaction)
    }

    /// Whether neighbouring periods have equal start and end, or an extension put periods out of
    /// order.
    private func needMerging(_ spans: [Period]) -> Bool {
        spans.indices.dropFirst().contains { index in
            let (last, next) = (spans[index - 1], spans[index])
            return next.start < last.start || (next.start == last.start && next.end <= last.end)
        }
    }

    /// Merges periods with equal start and end; the result gives access if any of them does.
    private func merged(_ spans: [Period]) -> [Period] {
        var merged: [Period] = []
        // An extension may have made a period equal to one that is not its neighbour.
        for span in spans.sorted(by: precedes) {
            guard let last = merged.last, last.start == span.start, last.end == span.end else {
                merged.append(span)
                continue
            }
            if span.accessEnd > last.accessEnd || (last.ended != nil && span.ended == nil) {
                merged[merged.count - 1].accessEnd = max(span.accessEnd, last.accessEnd)
                merged[merged.count - 1].ended = span.ended
                merged[merged.count - 1].product = span.product
            }
        }
        return merged
    }

    /// Applies the extensions that name no transaction.
    ///
    /// Each lengthens the last period that had started when the extension was stated, or the last
    /// period of all if none had started. Of several for one period, the latest statement wins.
    private func extend(_ spans: inout [Period], _ extensions: RenewalExtensions) {
        guard !extensions.isEmpty, let last = spans.indices.last else { return }
        var ends: [Int: Timestamp] = [:]
        for (statedAt, end) in extensions.inOrder {
            let begun = spans.lowerBound { $0.start > statedAt }
            ends[begun == 0 ? last : begun - 1] = end
        }
        // Each period is the last with its start, so no extension affects another.
        for (index, end) in ends where spans[index].end < end { lengthen(&spans, index, to: end) }
    }

    /// Lengthens a period and the equal periods before it.
    private func lengthen(_ spans: inout [Period], _ last: Int, to end: Timestamp) {
        let (start, before) = (spans[last].start, spans[last].end)
        for index in (0...last).reversed() {
            guard spans[index].start == start, spans[index].end == before else { return }
            spans[index].end = end
            switch spans[index].ended {
            case nil, .upgraded:
                if spans[index].accessEnd == before { spans[index].accessEnd = end }
            case .refunded, .revoked:
                let cancelled = self[spans[index].transaction].cancelledAt ?? end
                spans[index].accessEnd = min(end, max(start, cancelled))
            }
        }
    }

    /// Applies the grace periods; of several after one period, the one stated last counts.
    ///
    /// Each follows the period that ends last by the end of the grace, among those that the store
    /// could try to renew when the grace was stated, or among all if there are none. Cost: sorts
    /// the periods and the grace periods.
    private func addGrace(
        _ spans: inout [Period], _ gracePeriods: GracePeriods, _ early: inout EarlyEndsByPeriod?
    ) {
        guard !gracePeriods.isEmpty else { return }
        // A period that was cut short did not fail to renew.
        let uncut = spans.indices.filter {
            spans[$0].end <= spans[$0].accessEnd && spans[$0].start < spans[$0].end
        }
        var failed = FailedPeriods(uncut.map { (spans[$0].start, spans[$0].end) })
        var graces: [(end: Timestamp, grace: GracePeriods.Stated)] = []
        for grace in gracePeriods.inOrder().reversed() {
            guard let end = failed.end(beforeGraceTo: grace.end, statedAt: grace.statedAt)
            else { continue }
            graces.append((end, grace))
        }
        // Of several after one end, the one stated last comes first.
        graces.sort {
            ($0.end, $1.grace.statedAt, $1.grace.end) < ($1.end, $0.grace.statedAt, $0.grace.end)
        }
        let earlyEnds = EarlyEnds(gracePeriods)
        for index in uncut {
            let place = graces.lowerBound { $0.end >= spans[index].end }
            guard place < graces.count, graces[place].end == spans[index].end else { continue }
            let grace = graces[place].grace
            let (limit, next) = accessEnd(of: spans[index], inGraceTo: grace.end, spans)
            var ends = earlyEnds.ends(of: grace, from: spans[index].end, before: next?.end ?? limit)
            if let next { ends.append(next) }
            if early != nil { early?[spans[index].transaction] = ends }
            spans[index].accessEnd = early == nil ? ends.first?.end ?? limit : limit
        }
    }

    /// When access in the grace period of a failed period ends: at the end of grace, or earlier at
    /// a refund; and where the next period ends it before, known from the line that attests it.
    ///
    /// A refund of the next period does not change the end.
    private func accessEnd(
        of failed: Period, inGraceTo end: Timestamp, _ spans: [Period]
    ) -> (end: Timestamp, next: EarlyEnd?) {
        let cancelled = failed.ended == nil ? nil : self[failed.transaction].cancelledAt
        let limit = min(end, cancelled ?? end)
        let after = spans.lowerBound { $0.start >= failed.end && $0.start > failed.start }
        guard after < spans.count, spans[after].start < limit else { return (limit, nil) }
        let line = attestedLine(of: spans[after].transaction)
        return (limit, EarlyEnd(end: spans[after].start, line: line))
    }
}
