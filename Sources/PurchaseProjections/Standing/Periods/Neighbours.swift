import PurchaseEvents

/// Two adjacent periods of a subscription, by start.
struct Neighbours {
    var earlier: Period
    var later: Period
}

extension Facts {
    /// Calls `body` with the pairs of adjacent periods of the subscription at an index, by start;
    /// test and production periods form no pairs (G9.3).
    func forEachPair(
        ofSubscription index: Int, besidesUpgraded: Bool = false, _ body: (Neighbours) -> Void
    ) {
        let periods = periods(ofSubscription: index)
        // Most subscriptions of a large log have one period.
        guard periods.count > 1 else { return }
        for isOfProduction in [true, false] {
            var earlier: Period?
            // A period that ends before it starts is none.
            for known in periods
            where known.isSome && known.isOfProduction == isOfProduction
                && !(besidesUpgraded && known.isUpgraded)
            {
                if let earlier { body(Neighbours(earlier: earlier, later: known.period)) }
                earlier = known.period
            }
        }
    }

    /// Calls `body` with the pairs of periods of the subscription at an index that follow each
    /// other among those of one product, upgraded rows aside; no pair has an upgraded row of
    /// another product between its periods.
    ///
    /// Such a row shows that the earlier period ended by a change of plan, and the later one begins
    /// by another.
    func forEachPairOfOneProduct(ofSubscription index: Int, _ body: (Neighbours) -> Void) {
        let periods = periods(ofSubscription: index)
        guard periods.count > 1 else { return }
        // Environments never mix (G9.3).
        var (production, tests) = (LatestPeriods(), LatestPeriods())
        for known in periods where known.isSome {
            let earlier = known.isOfProduction ? production.add(known) : tests.add(known)
            if let earlier { body(Neighbours(earlier: earlier, later: known.period)) }
        }
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
    private var others: [ProductHandle?: Period] = [:]

    /// Makes a period the latest of its product and returns the one before; an upgraded one only
    /// removes those of other products.
    mutating func add(_ known: SettledPeriod) -> Period? {
        let period = known.period
        if last?.product != period.product || last == nil {
            let before = others.isEmpty ? nil : others.removeValue(forKey: period.product)
            if let last { others[last.product] = last }
            last = before
        }
        if known.isUpgraded {
            // What is removed was added once, so all removals together cost what the additions did.
            others = [:]
            return nil
        }
        defer { last = period }
        return last
    }
}
