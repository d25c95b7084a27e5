import PurchaseEvents

/// The owners of subscription lines over time: `account.linked` moves a line to another account
/// (G3.4).
struct OwnerHistory: Sendable {
    /// The time span in which an account owned a line; `until` is exclusive.
    struct OwnerSpan {
        var account: AccountID<Interned>
        var from = Timestamp.earliest
        var until = Timestamp.latest
        /// The line of the `account.linked` that began the span; 0 if none did.
        var line: LineNumber = 0

        /// Whether the account owned the line at an instant.
        func contains(_ instant: Timestamp) -> Bool { from <= instant && instant < until }
    }

    private struct Link {
        var account: AccountID<Interned>
        /// The owner before the link as known then, if any.
        var before: AccountID<Interned>?
        var at: Timestamp
        var line: LineNumber
    }

    /// The links of each line index, in log order.
    private var links: [Int: [Link]] = [:]

    /// Records a link; ignores other events.
    mutating func observe(_ event: Event<Interned>, on line: LineNumber, _ facts: Facts) {
        guard case .accountLinked(let payload) = event.fact, let account = event.account,
            let index = facts.lineIndex(of: payload.original),
            // A link made in a test environment moves no production line (G9.3).
            facts.lines[index].linkedLine == line, links[index]?.last?.account != account
        else { return }
        let before = facts.accountBeforeLinks(of: facts.lines[index]) ?? payload.from
        links[index, default: []].append(
            Link(account: account, before: before, at: event.at, line: line))
    }

    /// Whether a line was ever linked.
    func isLinked(_ index: Int) -> Bool { links[index] != nil }

    /// The indices of the lines that were ever linked.
    var linkedLines: [Int] { links.keys.sorted() }

    /// All owners of a linked line, the first one first.
    func accounts(of index: Int, _ facts: Facts) -> [AccountID<Interned>] {
        let links = links[index] ?? []
        return [firstOwner(of: index, links, facts)].compactMap { $0 } + links.map(\.account)
    }

    /// The single owner span of a line that was never linked.
    func soleOwner(of index: Int, _ facts: Facts) -> [OwnerSpan] {
        facts.owner(of: facts.lines[index].original).map { [OwnerSpan(account: $0)] } ?? []
    }

    /// The owner spans of a linked line, for one of its periods.
    ///
    /// A period that the log showed before a link started before the link, whatever the clocks say.
    func spans(of period: Period, in index: Int, _ facts: Facts) -> [OwnerSpan] {
        let links = links[index] ?? []
        let attested = facts.attestedLine(of: period.transaction)
        var spans = firstOwner(of: index, links, facts).map { [OwnerSpan(account: $0)] } ?? []
        for link in links {
            var from = link.at
            if attested < link.line {
                from = max(from, period.start.advanced(byMilliseconds: 1))
            }
            if let last = spans.indices.last {
                if spans[last].account == link.account { continue }
                from = max(from, spans[last].from)
                spans[last].until = from
            }
            spans.append(OwnerSpan(account: link.account, from: from, line: link.line))
        }
        return spans
    }

    /// The owner of a line before its first link, if stated.
    private func firstOwner(
        of index: Int, _ links: [Link], _ facts: Facts
    ) -> AccountID<Interned>? {
        if let before = links.first?.before { return before }
        // Later statements may name the account that the line was moved to.
        let owner = facts.accountBeforeLinks(of: facts.lines[index])
        return owner == links.first?.account ? nil : owner
    }
}

extension Facts {
    /// The owner of a line from statements other than links.
    fileprivate func accountBeforeLinks(of line: LineFacts) -> AccountID<Interned>? {
        let original = self[line.original]
        return line.namedAccount ?? original.account
            ?? original.payment.flatMap { self[$0].account }
    }
}
