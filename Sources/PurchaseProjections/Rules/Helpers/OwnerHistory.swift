import PurchaseEvents

/// The owners of subscriptions over time: `account.linked` moves a subscription to another account
/// (G3.4).
struct OwnerHistory: Sendable, Snapshotted {
    /// The time span in which an account owned a subscription; `until` is exclusive.
    struct OwnerSpan {
        var account: AccountHandle
        var from = Timestamp.earliest
        var until = Timestamp.latest
        /// The line of the `account.linked` that began the span; 0 if none did.
        var line: LineNumber = 0

        func contains(_ instant: Timestamp) -> Bool { from <= instant && instant < until }
    }

    private struct Link {
        var account: AccountHandle
        /// The owner before the link, as the link itself says.
        var from: AccountHandle?
        var at: Timestamp
        var line: LineNumber
    }

    /// The links of each subscription index, in log order.
    private var links: [Int: [Link]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&links) }

    /// Records a link; ignores other events.
    mutating func observe(_ event: LogEvent, on line: LineNumber, _ facts: Facts) {
        guard case .accountLinked(let payload) = event.fact, let account = event.account,
            let index = facts.subscriptionIndex(of: payload.original),
            // A link made in a test environment moves no production subscription (G9.3).
            facts.subscriptions[index].linkedLine == line, links[index]?.last?.account != account
        else { return }
        links[index, default: []].append(
            Link(account: account, from: payload.from, at: event.at, line: line))
    }

    func isLinked(_ index: Int) -> Bool { links[index] != nil }

    var linkedSubscriptions: [Int] { links.keys.sorted() }

    /// All owners of a linked subscription, the first one first.
    func accounts(of index: Int, _ facts: Facts) -> [AccountHandle] {
        let links = links[index] ?? []
        return [firstOwner(of: index, links, facts)].compactMap { $0 } + links.map(\.account)
    }

    /// The owners of a linked subscription over time.
    func owners(of index: Int, _ facts: Facts) -> Owners {
        let links = links[index] ?? []
        var spans = firstOwner(of: index, links, facts).map { [OwnerSpan(account: $0)] } ?? []
        for link in links {
            var from = link.at
            if let last = spans.indices.last {
                if spans[last].account == link.account { continue }
                from = max(from, spans[last].from)
                spans[last].until = from
            }
            spans.append(OwnerSpan(account: link.account, from: from, line: link.line))
        }
        return Owners(spans: spans)
    }

    /// The owner spans of a subscription, each of which begins where the one before it ends.
    struct Owners {
        var spans: [OwnerSpan]

        /// The spans within a period that a line of the log attests.
        ///
        /// A period that the log showed before a link started before the link, whatever the clocks
        /// say.
        func spans(within period: Period, attested: LineNumber) -> [OwnerSpan] {
            spans(from: period.start, until: period.accessEnd, attested: attested)
        }

        /// The spans between two instants, of which a line of the log attests the first.
        func spans(
            from start: Timestamp, until end: Timestamp, attested: LineNumber
        ) -> [OwnerSpan] {
            let begun = spans.lowerBound { $0.from > start }
            let end = spans.lowerBound { $0.from >= end }
            let linked = spans.lowerBound { $0.line > attested }
            guard begun > 0 else { return Array(spans[..<end]) }
            var within = Array(spans[(begun - 1)..<max(begun, end)])
            guard linked < begun else { return within }
            // Links that the clocks date before the period follow its first instant.
            let after = start.advanced(byMilliseconds: 1)
            within[0].from = after
            within[0].until = max(after, within[0].until)
            guard linked > 0 else { return within }
            var owner = spans[linked - 1]
            owner.until = after
            return [owner] + within
        }
    }

    /// The owner of a subscription before its first link, if stated; also by later statements.
    private func firstOwner(of index: Int, _ links: [Link], _ facts: Facts) -> AccountHandle? {
        facts.accountBeforeLinks(of: facts.subscriptions[index]) ?? links.first?.from
    }
}

extension Facts {
    /// The owner of a subscription from statements other than links.
    fileprivate func accountBeforeLinks(of subscription: SubscriptionFacts) -> AccountHandle? {
        let original = self[subscription.original]
        return subscription.namedAccount ?? original.account
            ?? original.payment.flatMap { self[$0].account }
    }
}
