import PurchaseEvents

/// Who had a line when: `account.linked` moves it from one account to another (G3.4).
struct Tenures: Sendable {
    /// An account had a line for a time: half-open.
    struct Tenure {
        var account: AccountID<Interned>
        var from = Timestamp.earliest
        var until = Timestamp.latest
        /// The line of the `account.linked` that began it, 0 where none did.
        var line: LineNumber = 0

        /// Whether the account had it at an instant.
        func contains(_ instant: Timestamp) -> Bool { from <= instant && instant < until }
    }

    private struct Link {
        var account: AccountID<Interned>
        /// Who had it before by what was known then, where it was.
        var before: AccountID<Interned>?
        var at: Timestamp
        var line: LineNumber
    }

    /// By the index of a line, in the order of the log.
    private var links: [Int: [Link]] = [:]

    /// Takes in an event, where it is a link.
    mutating func observe(_ event: Event<Interned>, on line: LineNumber, _ facts: Facts) {
        guard case .accountLinked(let said) = event.fact, let account = event.account,
            let index = facts.lineIndex(of: said.original),
            // A link of tests moves no line of production (G9.3).
            facts.lines[index].linkedLine == line, links[index]?.last?.account != account
        else { return }
        let before = facts.accountBeforeLinks(of: facts.lines[index]) ?? said.from
        links[index, default: []].append(
            Link(account: account, before: before, at: event.at, line: line))
    }

    /// Whether a line was ever linked.
    func isLinked(_ index: Int) -> Bool { links[index] != nil }

    /// The indices of the lines that were ever linked.
    var linkedLines: [Int] { links.keys.sorted() }

    /// The accounts that a linked line ever belonged to, the first one first.
    func accounts(of index: Int, _ facts: Facts) -> [AccountID<Interned>] {
        let links = links[index] ?? []
        return [first(of: index, links, facts)].compactMap { $0 } + links.map(\.account)
    }

    /// Who has a line that was never linked.
    func whole(of index: Int, _ facts: Facts) -> [Tenure] {
        facts.owner(of: facts.lines[index].original).map { [Tenure(account: $0)] } ?? []
    }

    /// Who had the linked line of a period when.
    ///
    /// A period that the log showed before a link had started before it, whatever the clocks say.
    func tenures(of period: Period, in index: Int, _ facts: Facts) -> [Tenure] {
        let links = links[index] ?? []
        let attested = facts.attestedLine(of: period.transaction)
        var tenures = first(of: index, links, facts).map { [Tenure(account: $0)] } ?? []
        for link in links {
            var from = link.at
            if attested < link.line {
                from = max(from, period.start.advanced(byMilliseconds: 1))
            }
            if let last = tenures.indices.last {
                if tenures[last].account == link.account { continue }
                from = max(from, tenures[last].from)
                tenures[last].until = from
            }
            tenures.append(Tenure(account: link.account, from: from, line: link.line))
        }
        return tenures
    }

    /// Who had a line before its first link, where a fact says.
    private func first(
        of index: Int, _ links: [Link], _ facts: Facts
    ) -> AccountID<Interned>? {
        if let before = links.first?.before { return before }
        // What was said since may name the account that it was moved to.
        let said = facts.accountBeforeLinks(of: facts.lines[index])
        return said == links.first?.account ? nil : said
    }
}

extension Facts {
    /// The account that a line belongs to by what is said of it but links.
    fileprivate func accountBeforeLinks(of line: LineFacts) -> AccountID<Interned>? {
        let original = self[line.original]
        return line.namedAccount ?? original.account
            ?? original.payment.flatMap { self[$0].account }
    }
}
