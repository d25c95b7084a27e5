import PurchaseEvents

/// Two adjacent periods of a subscription, by start.
struct Neighbours {
    /// The period that starts first.
    var earlier: Period
    /// The period that starts next.
    var later: Period
}

extension Facts {
    /// The pairs of adjacent periods of a subscription, by start; test and production periods form
    /// no pairs (G9.3).
    func neighbours(of subscription: SubscriptionFacts, besidesUpgraded: Bool = false)
        -> [Neighbours]
    {
        // Most subscriptions of a large log have one period.
        guard subscription.firstTransaction != subscription.lastTransaction else { return [] }
        // A period that ends before it starts is none.
        var periods = periods(of: subscription)
        periods.removeAll {
            $0.start >= $0.end || (besidesUpgraded && self[$0.transaction].isUpgraded)
        }
        let tests = periods.filter { !isAttested($0.transaction, in: .production) }
        if tests.isEmpty || tests.count == periods.count { return Facts.pairs(periods) }
        return Facts.pairs(periods.filter { isAttested($0.transaction, in: .production) })
            + Facts.pairs(tests)
    }

    /// The pairs of periods of a subscription that follow each other among those of one product,
    /// upgraded rows aside; no pair has an upgraded row of another product between its periods.
    ///
    /// Such a row shows that the earlier period ended by a change of plan, and the later one begins
    /// by another.
    func neighboursOfOneProduct(of subscription: SubscriptionFacts) -> [Neighbours] {
        guard subscription.firstTransaction != subscription.lastTransaction else { return [] }
        // Environments never mix (G9.3).
        var (production, tests) = (LatestPeriods(), LatestPeriods())
        var pairs: [Neighbours] = []
        for period in periods(of: subscription) where period.start < period.end {
            let isUpgraded = self[period.transaction].isUpgraded
            let earlier =
                isAttested(period.transaction, in: .production)
                ? production.add(period, isUpgraded) : tests.add(period, isUpgraded)
            if let earlier { pairs.append(Neighbours(earlier: earlier, later: period)) }
        }
        return pairs
    }

    private static func pairs(_ periods: [Period]) -> [Neighbours] {
        zip(periods, periods.dropFirst()).map { Neighbours(earlier: $0, later: $1) }
    }

    /// Why the log may not show what ended the earlier of two periods; `nil` if it would.
    ///
    /// Any missing line may state an upgrade. A refund is stated after the purchase, so only a line
    /// that was not understood can hide it.
    func endMayBeMissing(_ pair: Neighbours) -> String? {
        if pair.earlier.product != pair.later.product, let reason = incompleteReason {
            return "that a plan was upgraded may be missing: \(reason)"
        }
        return incompleteReason(after: 0).map { "that a period was refunded may be missing: \($0)" }
    }

    /// The line at which the log showed both periods: that of the later statement.
    func line(of pair: Neighbours) -> LineNumber {
        max(attestedLine(of: pair.earlier.transaction), attestedLine(of: pair.later.transaction))
    }

    /// Notes on the periods of a pair, except one stated on the given line.
    func notes(on pair: Neighbours, besides line: LineNumber) -> [Finding.Note] {
        [attested(pair.earlier.transaction), attested(pair.later.transaction)]
            .filter { $0.line != line }
    }
}

/// The latest period of each product of a subscription; most have one product.
private struct LatestPeriods {
    private var last: Period?
    /// The latest periods of the products besides that of ``last``.
    private var others: [ProductID<Interned>?: Period] = [:]

    /// Makes a period the latest of its product and returns the one before; an upgraded one only
    /// removes those of other products.
    mutating func add(_ period: Period, _ isUpgraded: Bool) -> Period? {
        if last?.product != period.product || last == nil {
            let before = others.isEmpty ? nil : others.removeValue(forKey: period.product)
            if let last { others[last.product] = last }
            last = before
        }
        if isUpgraded {
            // What is removed was added once, so all removals together cost what the additions did.
            others = [:]
            return nil
        }
        defer { last = period }
        return last
    }
}
