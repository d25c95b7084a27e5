import PurchaseEvents
import PurchaseProjections

/// The subscriptions of each account, with their periods, grace periods and lapses.
struct DrawnPeriods {
    private let facts: Facts
    private let instant: Timestamp?
    private var subscriptions: [AccountHandle?: [SubscriptionFacts]] = [:]

    init(_ facts: Facts, asOf instant: Timestamp?) {
        (self.facts, self.instant) = (facts, instant)
        for subscription in facts.subscriptions {
            subscriptions[facts.owner(of: subscription.original), default: []].append(subscription)
        }
    }

    /// The subscriptions of an account that have a period, in the order in which they became known.
    func subscriptions(
        of account: AccountHandle?
    ) -> [(original: TransactionHandle, drawn: DrawnSubscription)] {
        (subscriptions[account] ?? []).compactMap { subscription in
            let periods = facts.periods(of: subscription, asOf: instant)
            guard let last = periods.last else { return nil }
            let spans = spans(periods)
            let shown = Array(spans.suffix(ReportLimits.spans))
            return (
                subscription.original,
                DrawnSubscription(
                    original: facts.names.text(of: subscription.original),
                    product: last.product.map { facts.names.text(of: $0) }, spans: shown,
                    leftOut: spans.count - shown.count)
            )
        }
    }

    private func spans(_ periods: [Period]) -> [DrawnSpan] {
        var spans: [DrawnSpan] = []
        var covered: Timestamp?
        for period in periods {
            if let covered, period.start > covered, period.accessEnd > period.start {
                spans.append(DrawnSpan(kind: .lapse, from: covered, until: period.start))
            }
            let end = min(period.end, period.accessEnd)
            spans.append(
                DrawnSpan(
                    kind: .period(ended: period.ended?.rawValue), from: period.start,
                    until: max(period.start, end),
                    product: period.product.map { facts.names.text(of: $0) },
                    transaction: facts.names.text(of: period.transaction)))
            if period.accessEnd > period.end {
                spans.append(DrawnSpan(kind: .grace, from: period.end, until: period.accessEnd))
            }
            if period.accessEnd > period.start {
                covered = max(covered ?? period.accessEnd, period.accessEnd)
            }
        }
        return spans
    }
}
