import PurchaseEvents
import PurchaseProjections

// Whose a line is, and how many an account has; judged by the whole log.
extension SlowChecker {
    static let owners: [(id: String, marks: Judge)] = [
        ("line-has-one-owner", { log in SlowLines(log).otherOwners + SlowLines(log).otherLines }),
        ("one-plan-per-group", { log in log.apart.flatMap { SlowLines($0).secondPlans } }),
    ]
}

extension SlowLines {
    /// The types whose accounts say whose a line is; restoring makes nobody its owner (G8.6).
    private static let naming: [EventType] =
        [
            .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed,
            .cancellationRefunded, .cancellationRevoked, .cancellationReversed, .accountLinked,
        ] + lineTypes

    /// The statements that give a line to another account than the first or a linked one.
    fileprivate var otherOwners: [Mark] {
        originals.flatMap { original -> [Mark] in
            let namings = places.filter { place in
                let event = log.events[place]
                guard event.account != nil, SlowLines.naming.contains(event.type) else {
                    return false
                }
                let named = event.fact.original ?? event.transaction.map { self[$0].original }
                return named == original
            }
            let firstLink = namings.first { log.events[$0].type == .accountLinked }
            // Before a link the line belongs to the account of the statement signed first; if that
            // comes after the link, to the one that the log named first.
            let (before, after) = (
                namings.filter { $0 < firstLink ?? .max },
                namings.filter {
                    $0 >= firstLink ?? .max && log.events[$0].type != .accountLinked
                }
            )
            var first = named(ofLine: original)
            let isNamed = { (place: Int) in log.events[place].account == first }
            if first == nil || !before.contains(where: isNamed) && after.contains(where: isNamed) {
                first = before.first.flatMap { log.events[$0].account }
            }
            var owners = [first].compactMap { $0 }
            var marks: [Mark] = []
            for place in namings {
                guard let account = log.events[place].account else { continue }
                if case .accountLinked(let said) = log.events[place].fact {
                    owners += [account, said.from ?? account]
                } else if !owners.isEmpty, !owners.contains(account) {
                    marks.append(Mark(line: place + 1, level: .warning))
                }
            }
            return marks
        }
    }

    /// The statements that put a transaction into another line than the first one did.
    fileprivate var otherLines: [Mark] {
        places.compactMap { place in
            let event = log.events[place]
            guard SlowLines.naming.contains(event.type), let id = event.transaction,
                let line = event.fact.original, originals.contains(self[id].original)
            else { return nil }
            let first = log.events.first {
                SlowLines.naming.contains($0.type) && $0.transaction == id
                    && $0.fact.original != nil
            }
            return first?.fact.original == line ? nil : Mark(line: place + 1, level: .warning)
        }
    }
}

// One plan in a group (G6.5).
extension SlowLines {
    /// The time in which an account owned a line, and the line of the log that linked it; 0 if
    /// there is none.
    private struct Span {
        var account: AccountID<Written>
        var from: Timestamp, until: Timestamp
        var link: Int
    }

    /// A period of one plan, while one account owned it.
    private struct Plan {
        var original: TransactionID<Written>
        var period: SlowPeriod
        var group: GroupID<Written>
        var isStart: Bool
        var span: Span
    }

    private func spans(of original: TransactionID<Written>) -> [Span] {
        let links = places.filter { place in
            guard case .accountLinked(let said) = log.events[place].fact else { return false }
            return said.original == original && log.events[place].account != nil
        }
        var first = named(ofLine: original)
        if links.isEmpty { first = first ?? owner(of: original) }
        if first == nil, let link = links.first {
            first = self[original].account
            if case .accountLinked(let said) = log.events[link].fact { first = first ?? said.from }
        }
        var spans =
            first.map {
                [Span(account: $0, from: .earliest, until: .latest, link: 0)]
            } ?? []
        for link in links {
            guard let account = log.events[link].account, account != spans.last?.account else {
                continue
            }
            var from = log.events[link].at
            if let last = spans.indices.last {
                from = max(from, spans[last].from)
                spans[last].until = from
            }
            spans.append(Span(account: account, from: from, until: .latest, link: link + 1))
        }
        return spans
    }

    private var plans: [Plan] {
        originals.flatMap { original -> [Plan] in
            let periods = periods(of: original)
            var plans: [Plan] = []
            var ownership = Ownership.purchased
            for (index, period) in periods.enumerated() {
                let isStart = periods[..<index].allSatisfy { $0.accessEnd < period.start }
                ownership = self[period.transaction].ownership ?? ownership
                guard period.isOne, period.start < period.accessEnd, ownership == .purchased,
                    let group = group(of: period)
                else { continue }
                for span in spans(of: original, during: period) {
                    let holds = span.from <= period.start && period.start < span.until
                    plans.append(
                        Plan(
                            original: original, period: period, group: group,
                            isStart: isStart && holds, span: span))
                }
            }
            return plans
        }
    }

    /// The owners of a line during a period. A period that the log showed before a link started
    /// before the link, whatever the clocks say.
    private func spans(
        of original: TransactionID<Written>, during period: SlowPeriod
    ) -> [Span] {
        var all = spans(of: original)
        let after = period.start.advanced(byMilliseconds: 1)
        for index in all.indices
        where all[index].link > attestedLine(period) && all[index].from <= period.start {
            all[index].from = after
            if index > 0 { all[index - 1].until = max(after, all[index - 1].from) }
        }
        return all
    }

    /// The starts of plans while their account has another of the same group.
    fileprivate var secondPlans: [Mark] {
        let plans = plans
        return plans.filter(\.isStart).flatMap { plan -> [Mark] in
            // Between a refund and its reversal nothing is held.
            func until(_ other: Plan) -> Timestamp {
                let until = min(other.period.accessEnd, other.span.until)
                guard let refunded = reversedRefund(of: other.period.transaction),
                    plan.period.start < refunded.upperBound
                else { return until }
                return min(until, refunded.lowerBound)
            }
            let others = plans.filter { other in
                let from = max(other.period.start, other.span.from)
                return other.original != plan.original && other.group == plan.group
                    && other.span.account == plan.span.account
                    && from <= plan.period.start && plan.period.start < until(other)
            }
            // The one that lasts longest is named.
            let longest = others.max { until($0) < until($1) }
            guard let longest else { return [] }
            let lines = [
                attestedLine(plan.period), attestedLine(longest.period), plan.span.link,
                longest.span.link,
            ]
            return [Mark(line: lines.max() ?? 0, level: .warning)]
        }
    }
}
