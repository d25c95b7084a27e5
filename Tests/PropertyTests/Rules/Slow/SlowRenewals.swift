import PurchaseEvents
import PurchaseProjections

// Periods that follow each other, their prices and retries; judged by the whole log.
extension SlowChecker {
    static let renewals: [(id: String, marks: Judge)] = [
        ("periods-do-not-overlap", { log in log.apart.flatMap { SlowLines($0).overlaps } }),
        ("renewal-before-lapse", { log in log.apart.flatMap { SlowLines($0).earlyRenewals } }),
        ("price-consented", { log in log.apart.flatMap { SlowLines($0).unconsented } }),
        ("plan-change-in-time", { log in log.apart.flatMap { SlowLines($0).lateChanges } }),
    ]
}

extension SlowLines {
    typealias Mark = SlowChecker.Mark

    /// The line of the log that first attests a transaction.
    func attestedLine(_ period: SlowPeriod) -> Int {
        (self[period.transaction].attestedPlace ?? -1) + 1
    }

    /// The line of the log at which two periods were known.
    private func line(_ pair: (SlowPeriod, SlowPeriod)) -> Int {
        max(attestedLine(pair.0), attestedLine(pair.1))
    }

    /// The level of an overlap: what sandbox and xcode do early is a note.
    private func level(_ period: SlowPeriod) -> Level {
        let attested = self[period.transaction].attestedPlace.map { log.events[$0] }
        return (attested?.environment ?? log.ofLog) == .production ? .warning : .note
    }

    fileprivate var overlaps: [Mark] {
        originals.flatMap { original -> [Mark] in
            let periods = periods(of: original).filter(\.isOne)
            return pairsOfOneProduct(periods).filter { earlier, later in
                let end = earlier.ended == nil ? earlier.end : min(earlier.end, earlier.accessEnd)
                return later.start < end
                    && reversedRefund(of: earlier.transaction)?.contains(later.start) != true
            }.map { Mark(line: line($0), level: level($0.1)) }
        }
    }

    /// The pairs of one product without another of it between them; an upgraded row of another
    /// product between them shows that the product changed twice.
    private func pairsOfOneProduct(_ periods: [SlowPeriod]) -> [(SlowPeriod, SlowPeriod)] {
        let isUpgraded = { (place: Int) in self[periods[place].transaction].isUpgraded }
        return periods.indices.filter { !isUpgraded($0) }.compactMap { later in
            let product = periods[later].product
            let earlier = periods[..<later].indices.last {
                !isUpgraded($0) && periods[$0].product == product
            }
            guard let earlier else { return nil }
            let isChanged = periods[earlier..<later].indices.contains {
                isUpgraded($0) && periods[$0].product != product
            }
            return isChanged ? nil : (periods[earlier], periods[later])
        }
    }

    fileprivate var earlyRenewals: [Mark] {
        originals.flatMap { original -> [Mark] in
            let periods = periods(of: original).filter {
                $0.isOne && !self[$0.transaction].isUpgraded
            }
            return zip(periods, periods.dropFirst()).filter { earlier, later in
                later.start <= earlier.end && earlier.product == later.product
                    && earlier.ended == nil
                    && later.start < earlier.end.advanced(byMilliseconds: -Timestamp.day)
            }.map { Mark(line: line($0), level: .note) }
        }
    }
}

// Price increases (G6.6).
extension SlowLines {
    fileprivate var unconsented: [Mark] {
        originals.flatMap { original -> [Mark] in
            let periods = periods(of: original).filter(\.isOne)
            var marks: [Mark] = []
            // The latest period with an agreed price, while its successors' prices are not.
            var agreed: SlowPeriod?
            for (before, later) in zip(periods, periods.dropFirst()) {
                let earlier = agreed ?? before
                agreed = nil
                guard isWaiting(original, at: later.start), before.product == later.product,
                    isRenewal(later, of: before), !isOffered(later), !isOffered(before),
                    let old = self[earlier.transaction].price,
                    let new = self[later.transaction].price,
                    self[earlier.transaction].currency == self[later.transaction].currency,
                    new > old
                else { continue }
                marks.append(Mark(line: attestedLine(later), level: .warning))
                agreed = earlier
            }
            return marks
        }
    }

    /// Whether the latest word by an instant is that consent is pending; an expiry ends the wait.
    private func isWaiting(_ original: TransactionID<Written>, at instant: Timestamp) -> Bool {
        latest { event -> Bool? in
            let statedAt = event.signedAt ?? event.at
            guard event.fact.original == original, statedAt <= instant else { return nil }
            if case .renewalPriceIncreased(let said) = event.fact {
                return said.consent == .pending
            }
            return event.type == .renewalExpired ? false : nil
        }?.value ?? false
    }

    /// Whether a period was neither started anew nor asked for by a payment; after a lapse, it must
    /// be said to have renewed.
    private func isRenewal(_ period: SlowPeriod, of before: SlowPeriod) -> Bool {
        let id = period.transaction
        func isStated(_ type: EventType) -> Bool {
            log.events.contains { $0.type == type && $0.transaction == id }
        }
        return !isStated(.renewalStarted) && log.payment(of: id, upTo: log.events.count - 1) == nil
            && (period.start <= before.end || isStated(.renewalRenewed))
    }

    private func isOffered(_ period: SlowPeriod) -> Bool {
        log.events.contains { event in
            guard event.transaction == period.transaction else { return false }
            switch event.fact {
            case .queuePurchased(let said): return said.offer != nil
            case .receiptListed(let said): return said.offer != nil
            case .renewalStarted(let said): return said.offer != nil
            case .renewalRenewed(let said): return said.offer != nil
            case _: return false
            }
        }
    }
}

// Changes of plan (G6.5).
extension SlowLines {
    private struct Change {
        var said: RenewalPlanChanged<Written>
        var at: Timestamp
        var line: Int
    }

    fileprivate var lateChanges: [Mark] {
        originals.flatMap { original -> [Mark] in
            let changes = places.compactMap { place -> Change? in
                let event = log.events[place]
                guard case .renewalPlanChanged(let said) = event.fact, said.original == original
                else { return nil }
                return Change(said: said, at: event.signedAt ?? event.at, line: place + 1)
            }.sorted { ($0.at, $0.line) < ($1.at, $1.line) }
            let periods = periods(of: original).filter(\.isOne)
            return changes.indices.compactMap { index in
                let next = changes[(index + 1)...].first
                if changes[index].said.effect == .nextRenewal {
                    return lateAtRenewal(changes[index], next, periods)
                }
                return lateAtOnce(changes[index], next, periods).map {
                    Mark(line: $0, level: .warning)
                }
            }
        }
    }

    /// The line at which a change that acts at once is late: a period of the product runs within a
    /// day, unless the plan is changed again by then.
    private func lateAtOnce(
        _ change: Change, _ next: Change?, _ periods: [SlowPeriod]
    ) -> Int? {
        let latest = change.at.advanced(byMilliseconds: Timestamp.day)
        let isInEffect = periods.contains {
            $0.product == change.said.next && $0.start <= latest && $0.end > change.at
        }
        if isInEffect { return nil }
        if let next, next.at <= latest { return nil }
        if let other = periods.first(where: { $0.start > change.at }) {
            return attestedLine(other)
        }
        return log.events.contains { $0.at > latest } ? change.line : nil
    }

    private func lateAtRenewal(
        _ change: Change, _ next: Change?, _ periods: [SlowPeriod]
    ) -> Mark? {
        let current = periods.last { $0.start <= change.at }
        // What keeps the plan in force promises nothing.
        if change.said.next == change.said.product ?? current?.product { return nil }
        if let from = change.said.product ?? current?.product, let old = level(of: from),
            let new = level(of: change.said.next), new < old
        {
            return Mark(line: change.line, level: .warning)
        }
        let day = Timestamp.day
        guard let renewal = periods.first(where: { $0.start > change.at }),
            renewal.product != change.said.next,
            change.at < renewal.start.advanced(byMilliseconds: -day),
            !isStart(renewal, after: change, periods),
            log.payment(of: renewal.transaction, upTo: log.events.count - 1) == nil
        else { return nil }
        if let next {
            if next.at <= renewal.start { return nil }
            if next.said.effect == .now, next.said.next == renewal.product,
                next.at <= renewal.start.advanced(byMilliseconds: day)
            {
                return nil
            }
        }
        // The change may have been taken back unheard.
        let isHeard = log.events.contains {
            $0.type == .renewalRenewed && $0.transaction == renewal.transaction
        }
        let isKept = next.map { $0.said.next == renewal.product } ?? false
        return Mark(line: attestedLine(renewal), level: isHeard && !isKept ? .warning : .note)
    }

    /// The level that the catalogue states last for a product.
    private func level(of product: ProductID<Written>) -> Int64? {
        log.events.compactMap { event -> Int64? in
            guard case .catalogListed(let said) = event.fact, said.product == product else {
                return nil
            }
            return said.level
        }.last
    }

    /// Whether a period is no renewal: a start, the first one after an expiry, or one that replaces
    /// another product's more than a day before its end.
    private func isStart(
        _ period: SlowPeriod, after change: Change, _ periods: [SlowPeriod]
    ) -> Bool {
        let own = log.events.filter { $0.transaction == period.transaction }
        if own.contains(where: { $0.type == .renewalStarted }) { return true }
        if own.contains(where: { $0.type == .renewalRenewed }) { return false }
        let hasExpired = log.events.contains { event in
            let statedAt = event.signedAt ?? event.at
            return event.type == .renewalExpired && event.fact.original == change.said.original
                && change.at < statedAt && statedAt < period.start
        }
        if hasExpired { return true }
        guard let before = periods.last(where: { $0.start < period.start }) else { return false }
        return before.product != period.product
            && before.end > period.start.advanced(byMilliseconds: Timestamp.day)
    }
}
