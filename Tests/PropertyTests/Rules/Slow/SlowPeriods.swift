import PurchaseEvents

/// A period of a line, from the statements about the line's transactions.
struct SlowPeriod: Equatable {
    enum Ended: String { case refunded, revoked, upgraded }

    /// The transaction that states it; of several with equal start and end, the first by bytes.
    var transaction: TransactionID<Written>
    var product: ProductID<Written>?
    var start: Timestamp, end: Timestamp
    /// The end of access: earlier than `end` where something ended the period, later in grace.
    var accessEnd: Timestamp
    var ended: Ended?

    /// A period that ends before it starts is none.
    var isOne: Bool { start < end }

    func grants(at instant: Timestamp) -> Bool { start <= instant && instant < accessEnd }
}

// "A subscription is a line of periods" (event-log.md, 4).
extension SlowLines {
    /// The periods of a line by start and end, as all statements tell them, or only what had begun
    /// and been cancelled by an instant.
    func periods(
        of original: TransactionID<Written>, asOf instant: Timestamp? = nil
    ) -> [SlowPeriod] {
        merged(spans(of: original, asOf: instant))
    }

    /// The periods of a line, one for each transaction.
    ///
    /// - Parameter known: The place up to which the log was read that knows of early ends; they are
    ///   a later period, an expiry, and the end of grace before its date.
    func spans(
        of original: TransactionID<Written>, asOf instant: Timestamp? = nil,
        heedingRefunds: Bool = true, knownBy known: Int = .max
    ) -> [SlowPeriod] {
        let begun = members(of: original).compactMap { known -> SlowPeriod? in
            guard let start = known.start, let end = known.end,
                instant.map({ start <= $0 }) ?? true
            else { return nil }
            return SlowPeriod(
                transaction: known.id, product: known.product, start: start, end: end,
                accessEnd: end, ended: nil)
        }
        var periods = extend(begun.sorted(by: SlowLines.isOrdered), original)
        if heedingRefunds { periods = refund(periods, asOf: instant) }
        periods = inForce(periods, asOf: instant, knownBy: known)
        periods = periods.map { [periods] in graced($0, periods, original, knownBy: known) }
        periods = expired(periods, original, asOf: instant, knownBy: known)
        return periods.sorted(by: SlowLines.isOrdered)
    }

    private static func isOrdered(_ one: SlowPeriod, _ other: SlowPeriod) -> Bool {
        if one.start != other.start { return one.start < other.start }
        if one.end != other.end { return one.end < other.end }
        return one.transaction.name < other.transaction.name
    }

    /// An extension that names no transaction lengthens the last period that had started when it
    /// was stated, or the last of all; of several for one period the latest statement counts.
    private func extend(
        _ periods: [SlowPeriod], _ original: TransactionID<Written>
    ) -> [SlowPeriod] {
        guard let last = periods.last else { return [] }
        var extended = periods
        for period in periods {
            let said = latest { event -> Timestamp? in
                guard case .renewalExtended(let said) = event.fact, said.original == original,
                    said.transaction == nil
                else { return nil }
                let begun = periods.last { $0.start <= log.version(event) } ?? last
                return begun.start == period.start && begun.end == period.end
                    ? said.expiresAt : nil
            }
            guard let end = said?.value, end > period.end else { continue }
            for index in extended.indices where periods[index] == period {
                (extended[index].end, extended[index].accessEnd) = (end, end)
            }
        }
        return extended
    }

    /// Any refund ends the grant of its transaction from its cancellation date.
    private func refund(_ periods: [SlowPeriod], asOf instant: Timestamp?) -> [SlowPeriod] {
        periods.map { period in
            let known = self[period.transaction]
            guard let date = known.refundedAt, instant.map({ date <= $0 }) ?? true else {
                return period
            }
            var period = period
            period.accessEnd = min(period.end, max(period.start, date))
            period.ended = known.isRevoked ? .revoked : .refunded
            return period
        }
    }

    /// From the first refund of a transaction until the reversal in force; from its purchase where
    /// no refund is stated.
    func reversedRefund(of id: TransactionID<Written>) -> Range<Timestamp>? {
        let said = places.compactMap { place -> (date: Timestamp?, event: Event<Written>)? in
            let event = log.events[place]
            guard event.transaction == id else { return nil }
            switch event.fact {
            case .receiptListed(let row): return row.cancelledAt.map { ($0, event) }
            case .cancellationRefunded(let said): return (said.cancelledAt, event)
            case .cancellationRevoked(let said): return (said.cancelledAt, event)
            case .cancellationReversed: return (nil, event)
            case _: return nil
            }
        }
        guard let last = said.max(by: { log.precedes($0.event, $1.event) }), last.date == nil
        else { return nil }
        let until = log.version(last.event)
        return min(said.compactMap(\.date).min() ?? self[id].start ?? until, until)..<until
    }

    /// One plan at a time: the period that began last is in force, of equal starts the one of the
    /// greater version, and ends the others at its start.
    private func inForce(
        _ periods: [SlowPeriod], asOf instant: Timestamp?, knownBy known: Int
    ) -> [SlowPeriod] {
        let takenBack = takenBack(periods)
        let others = periods.filter {
            !self[$0.transaction].isUpgraded && takenBack[$0.transaction] == nil
        }
        return periods.map { period in
            if self[period.transaction].isUpgraded {
                return upgraded(period, others, asOf: instant)
            }
            if let plan = takenBack[period.transaction] {
                guard self[plan.transaction].attestedPlace ?? 0 <= known else { return period }
                var period = period
                (period.accessEnd, period.ended) = (period.start, .upgraded)
                return period
            }
            guard period.start < period.accessEnd else { return period }
            let later = others.filter { other in
                guard other.start < other.accessEnd, other.start < period.accessEnd else {
                    return false
                }
                if other.start != period.start { return other.start > period.start }
                return other.end != period.end && isStated(period, before: other)
            }
            // Of equal starts the one in force is asked for its product.
            guard
                let next = later.min(by: {
                    $0.start != $1.start ? $0.start < $1.start : isStated($1, before: $0)
                })
            else { return period }
            guard self[next.transaction].attestedPlace ?? 0 <= known else { return period }
            var period = period
            period.accessEnd = next.start
            period.ended = period.product == next.product ? nil : .upgraded
            return period
        }
    }

    /// The renewals that were stated ahead, each with the plan that took it back: the last that
    /// began after the statement and before the renewal, and runs on when the renewal begins.
    private func takenBack(_ periods: [SlowPeriod]) -> [TransactionID<Written>: SlowPeriod] {
        var takenBack: [TransactionID<Written>: SlowPeriod] = [:]
        for period in periods where period.ended == nil {
            guard !self[period.transaction].isUpgraded,
                let place = self[period.transaction].endPlace
            else { continue }
            let plans = periods.filter { plan in
                !self[plan.transaction].isUpgraded && takenBack[plan.transaction] == nil
                    && log.version(log.events[place]) < plan.start && plan.start < period.start
                    && period.start < plan.accessEnd && period.isOne
            }
            let last = plans.map(\.start).max()
            takenBack[period.transaction] = plans.last { $0.start == last }
        }
        return takenBack
    }

    /// An upgraded row never ends another. It ends at the start of the first row that is not
    /// upgraded and ends, also by a refund or by the next row, after the upgraded row starts.
    private func upgraded(
        _ period: SlowPeriod, _ others: [SlowPeriod], asOf instant: Timestamp?
    ) -> SlowPeriod {
        var period = period
        let rows = others.filter(\.isOne)
        let first = rows.filter { row in
            let next = rows.filter { $0.start > row.start }.map(\.start).min()
            let refund = self[row.transaction].refundedAt
            return [row.end, refund, next].compactMap { $0 }.allSatisfy { $0 > period.start }
        }.min { $0.start < $1.start }
        let end = first?.start ?? self[period.transaction].cancelledAt
        if let end, instant.map({ end <= $0 }) ?? true {
            period.accessEnd = min(period.end, max(period.start, end))
            period.ended = .upgraded
        } else {
            period.ended = instant == nil ? .upgraded : nil
        }
        return period
    }

    /// Whether a period's end has a lesser version than another's.
    private func isStated(_ period: SlowPeriod, before other: SlowPeriod) -> Bool {
        guard let first = self[period.transaction].endPlace,
            let second = self[other.transaction].endPlace
        else { return false }
        return log.precedes(log.events[first], log.events[second])
    }

    /// A `renewal.expired` with a greater version than every statement about the line's periods
    /// ends the line at its `expiresAt`, otherwise at its version.
    private func expired(
        _ periods: [SlowPeriod], _ original: TransactionID<Written>, asOf instant: Timestamp?,
        knownBy known: Int
    ) -> [SlowPeriod] {
        let said = latest { event -> Timestamp? in
            guard case .renewalExpired(let said) = event.fact, said.original == original else {
                return nil
            }
            return said.expiresAt ?? log.version(event)
        }
        guard let (end, place) = said, instant.map({ end <= $0 }) ?? true else { return periods }
        let isLast = periods.allSatisfy { period in
            self[period.transaction].endPlace.map {
                log.precedes(log.events[$0], log.events[place])
            } ?? true
        }
        guard isLast, place <= known else { return periods }
        return periods.map { period in
            var period = period
            // An end within or after the grace leaves the paid period as it is.
            if end < min(period.end, period.accessEnd) {
                period.accessEnd = max(period.start, end)
            }
            return period
        }
    }

    /// Periods with equal start and end are one, of which all their transactions name; it gives
    /// access if one of them does.
    private func merged(_ periods: [SlowPeriod]) -> [SlowPeriod] {
        var merged: [SlowPeriod] = []
        for period in periods {
            guard let last = merged.last, last.start == period.start, last.end == period.end else {
                merged.append(period)
                continue
            }
            let isBetter =
                period.accessEnd != last.accessEnd
                ? period.accessEnd > last.accessEnd : last.ended != nil && period.ended == nil
            if isBetter {
                merged[merged.count - 1] = period
                merged[merged.count - 1].transaction = last.transaction
            }
        }
        return merged
    }
}

// Grace counts as period for access (event-log.md, 4).
extension SlowLines {
    /// A period with the grace that follows it.
    private func graced(
        _ period: SlowPeriod, _ periods: [SlowPeriod], _ original: TransactionID<Written>,
        knownBy known: Int
    ) -> SlowPeriod {
        // A period that was cut short did not fail to renew.
        let uncut = periods.filter { $0.isOne && $0.end <= $0.accessEnd }
        guard uncut.contains(period) else { return period }
        let said = latest { event -> Timestamp? in
            guard case .renewalFailed(let said) = event.fact, said.original == original,
                let grace = said.graceExpiresAt
            else { return nil }
            return failed(uncut, by: grace, statedAt: log.version(event)) == period.end
                ? grace : nil
        }
        guard let (grace, place) = said else { return period }
        var period = period
        let next = periods.filter {
            $0.isOne && $0.start >= period.end && $0.start > period.start
                && !self[$0.transaction].isUpgraded && attestedLine($0) - 1 <= known
        }.map(\.start).min()
        let cancelled = period.ended == nil ? nil : self[period.transaction].cancelledAt
        let end = [grace, next, cancelled].compactMap { $0 }.min() ?? grace
        let endings = endings(original, after: place, of: period, knownBy: known)
        period.accessEnd = ([end] + endings).min() ?? end
        return period
    }

    /// The end of the period that a grace follows: the one that ends last by the end of the grace,
    /// of those that end by a day after the grace was stated, or of all; and of these, of those
    /// that had started when it was stated, or of all.
    private func failed(
        _ periods: [SlowPeriod], by grace: Timestamp, statedAt: Timestamp
    ) -> Timestamp? {
        let ended = periods.filter { $0.end <= grace }
        let tried = ended.filter { statedAt.distance(to: $0.end) <= Timestamp.day }
        let rest = tried.isEmpty ? ended : tried
        return rest.filter { $0.start <= statedAt }.map(\.end).max() ?? rest.map(\.end).max()
    }

    /// Where `renewal.graceExpired` and `renewal.expired` end a grace that was stated at a place.
    private func endings(
        _ original: TransactionID<Written>, after place: Int, of period: SlowPeriod,
        knownBy known: Int
    ) -> [Timestamp] {
        log.events.prefix(known == .max ? known : known + 1).compactMap { event in
            guard event.fact.original == original, log.precedes(log.events[place], event) else {
                return nil
            }
            let statedAt = log.version(event)
            switch event.fact {
            case .renewalGraceExpired: return statedAt >= period.end ? statedAt : nil
            case .renewalExpired(let said):
                guard statedAt >= period.end else { return nil }
                // A date by the end of the failed period says when the period ended.
                if let end = said.expiresAt, end > period.end { return end }
                return statedAt
            case _: return nil
            }
        }
    }
}
