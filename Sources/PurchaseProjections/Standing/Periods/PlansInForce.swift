import PurchaseEvents

/// One plan at a time: what ends the periods of a subscription before their stated ends
/// (event-log.md, 4).
extension Facts {
    /// An end that a later period or an expiry gives a period, and what ended with it.
    struct CutPeriod {
        var index: Int
        var accessEnd: Timestamp
        var ended: Period.Ended?
        /// The first line at which the log knew of the end.
        var line: LineNumber
    }

    /// Ends each period that another replaced, and those that were upgraded or taken back; returns
    /// what was cut.
    ///
    /// Of the periods that run at an instant the one that began last is in force, of equal starts
    /// the one of the greater version. An upgraded row replaces none, and ends where the first
    /// other row begins that ends, for whatever reason, after the upgraded one starts. With `asOf`,
    /// a later end has no effect yet. Cost: linear in the periods.
    func endReplaced(_ spans: inout [Period], asOf instant: Timestamp?) -> [CutPeriod] {
        guard mayReplace(spans) else { return [] }
        var cuts = endTakenBack(&spans)
        endUpgraded(&spans, asOf: instant)
        var next: Int?
        var last = spans.count
        // Backward, one group of equal starts after the other.
        while last > 0 {
            var first = last - 1
            while first > 0, spans[first - 1].start == spans[first].start { first -= 1 }
            let running = (first..<last).filter { runs(spans[$0]) }
            let latest = running.max { isStated(spans[$0], before: spans[$1]) }
            for index in running {
                let isEqual = latest.map { spans[$0].end == spans[index].end } ?? true
                if let by = isEqual ? next : latest { cut(&spans, index, by, &cuts) }
            }
            next = latest ?? next
            last = first
        }
        return cuts
    }

    /// Whether any two periods overlap, or a row is upgraded; most subscriptions have neither.
    private func mayReplace(_ spans: [Period]) -> Bool {
        for index in spans.indices {
            if spans[index].ended == .upgraded { return true }
            if index > 0, spans[index].start < spans[index - 1].accessEnd { return true }
        }
        return false
    }

    /// Whether a period can be in force: it is no upgraded row, and something of it is left.
    private func runs(_ span: Period) -> Bool {
        span.start < span.accessEnd && !self[span.transaction].isUpgraded
    }

    /// Whether a period's statement has a lesser version than another's.
    private func isStated(_ span: Period, before other: Period) -> Bool {
        versions.precedes(
            self[span.transaction].version(of: .expiresAt),
            self[other.transaction].version(of: .expiresAt))
    }

    private func cut(
        _ spans: inout [Period], _ index: Int, _ next: Int, _ cuts: inout [CutPeriod]
    ) {
        let start = spans[next].start
        guard start < spans[index].accessEnd else { return }
        cuts.append(
            CutPeriod(
                index: index, accessEnd: spans[index].accessEnd, ended: spans[index].ended,
                line: attestedLine(of: spans[next].transaction)))
        spans[index].accessEnd = start
        spans[index].ended = spans[index].product == spans[next].product ? nil : .upgraded
    }

    /// Empties each renewal that was stated ahead and taken back; returns what was cut.
    private func endTakenBack(_ spans: inout [Period]) -> [CutPeriod] {
        var ahead = RenewalsAhead()
        var cuts: [CutPeriod] = []
        for index in spans.indices where runs(spans[index]) {
            let span = spans[index]
            let by = ahead.whatTookBack(from: span.start, statedAt: statedAt(span.transaction))
            guard let by, span.ended == nil else {
                ahead.add(start: span.start, end: span.accessEnd, index: index)
                continue
            }
            cuts.append(
                CutPeriod(
                    index: index, accessEnd: span.accessEnd, ended: nil,
                    line: attestedLine(of: spans[by].transaction)))
            (spans[index].accessEnd, spans[index].ended) = (span.start, .upgraded)
        }
        return cuts
    }

    private func endUpgraded(_ spans: inout [Period], asOf instant: Timestamp?) {
        guard spans.contains(where: { self[$0.transaction].isUpgraded }) else { return }
        let others = spans.filter { $0.ended != .upgraded && $0.start < $0.end }
        var ends = UpgradedEnds(
            others: others.map {
                ($0.start, min($0.end, self[$0.transaction].refund?.cancelledAt ?? $0.end))
            })
        for index in spans.indices where self[spans[index].transaction].isUpgraded {
            let span = spans[index]
            let end = ends.end(from: span.start) ?? self[span.transaction].cancelledAt
            if let end, instant.map({ end <= $0 }) ?? true {
                spans[index].accessEnd = min(span.accessEnd, max(span.start, end))
            } else if instant != nil {
                // The upgrade happened after the instant.
                spans[index].ended = nil
            }
        }
    }

    /// Ends a subscription where a `renewal.expired` says, if every statement about its periods has
    /// a lesser version; returns what was cut.
    ///
    /// An end within or after a grace period leaves the paid period as it is.
    func endExpired(
        _ spans: inout [Period], _ statements: SubscriptionStatements, asOf instant: Timestamp?
    ) -> [CutPeriod] {
        guard let expiration = statements.expiration.value,
            let statedAt = statements.expiration.time(versions)
        else { return [] }
        let end = expiration.expiresAt ?? statedAt
        guard instant.map({ end <= $0 }) ?? true, spans.contains(where: { end < $0.accessEnd }),
            !spans.contains(where: {
                statements.expiration.isStated(
                    before: self[$0.transaction].version(of: .expiresAt), versions)
            })
        else { return [] }
        let line = statements.gracePeriods.line(ofExpiryAt: statedAt, expiration.expiresAt)
        var cuts: [CutPeriod] = []
        for index in spans.indices where end < min(spans[index].end, spans[index].accessEnd) {
            cuts.append(
                CutPeriod(
                    index: index, accessEnd: spans[index].accessEnd, ended: spans[index].ended,
                    line: line))
            spans[index].accessEnd = max(spans[index].start, end)
        }
        return cuts
    }

    /// Takes back ends of which the log learned at some line, and records them with that line.
    func postpone(_ cuts: [CutPeriod], _ spans: inout [Period], _ early: inout EarlyEndsByPeriod?) {
        guard early != nil else { return }
        for cut in cuts.reversed() {
            let transaction = spans[cut.index].transaction
            let end = EarlyEnd(end: spans[cut.index].accessEnd, line: cut.line)
            early?[transaction, default: []].append(end)
            early?[transaction]?.sort { ($0.end, $0.line) < ($1.end, $1.line) }
            spans[cut.index].accessEnd = cut.accessEnd
            spans[cut.index].ended = cut.ended
        }
    }
}
