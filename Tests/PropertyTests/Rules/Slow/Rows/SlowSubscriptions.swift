import PurchaseEvents
import PurchaseProjections

extension SlowLines {
    typealias Rows = @Sendable (SlowLines) -> [String]

    /// The known projections, with their rows at the end of the log as text.
    static let projections: [(projection: any Projection.Type, rows: Rows)] = [
        (Subscriptions.self, { $0.subscriptionRows }),
        (Accounts.self, { $0.accountRows }),
        (Receipt.self, { $0.receiptRows }),
        (Restores.self, { SlowCoverage($0.log).restoreRows }),
    ]
}

/// The rows of `show subscriptions`, from the periods of ``SlowLines``.
extension SlowLines {
    /// The rows at the end of the log, as text.
    var subscriptionRows: [String] {
        let instant = log.events.map(\.at).max() ?? .earliest
        let owned = originals.map { (account: account(ofLine: $0) ?? owner(of: $0), id: $0) }
        return owned.sorted {
            ($0.account?.name ?? "", $0.id.name) < ($1.account?.name ?? "", $1.id.name)
        }.compactMap { subscriptionRow($0.id, $0.account, instant) }
    }

    private func subscriptionRow(
        _ original: TransactionID<Written>, _ account: AccountID<Written>?, _ instant: Timestamp
    ) -> String? {
        let periods = periods(of: original, asOf: instant)
        // A paid period counts over the grace of another.
        let inForce =
            periods.last { $0.grants(at: instant) && instant < $0.end }
            ?? periods.last { $0.grants(at: instant) }
        let held = periods.last { $0.ended != .upgraded || $0.start < $0.accessEnd }
        guard let current = inForce ?? held ?? periods.last else { return nil }
        let terms = self[current.transaction].terms
        let group =
            group(of: current) ?? periods.reversed().lazy.compactMap { self.group(of: $0) }.first
        var row = SlowRow()
        row.add("account", account?.name)
        row.add("original", original.name)
        row.add("group", group?.name)
        row.add("product", current.product?.name)
        row.add("status", status(original, current, instant))
        row.add("autoRenew", raw: isRenewing(original).map { "\($0)" })
        row.add("next", next(original, current, periods)?.name)
        row.add("plan", terms.plan?.rawValue)
        row.add("commitment", raw: commitment(terms, original))
        row.add("periods", raw: "[\(periods.map(SlowLines.text).joined(separator: ","))]")
        let lapses = SlowLines.lapses(periods).map {
            #"{"from":"\#($0.from.text)","until":"\#($0.until.text)"}"#
        }
        if !lapses.isEmpty { row.add("lapses", raw: "[\(lapses.joined(separator: ","))]") }
        let content = readable(periods, instant).map { "\"\($0)\"" }
        if !content.isEmpty { row.add("content", raw: "[\(content.joined(separator: ","))]") }
        return row.text
    }

    private static func text(_ period: SlowPeriod) -> String {
        var row = SlowRow()
        row.add("product", period.product?.name)
        row.add("transaction", period.transaction.name)
        row.add("from", period.start.text)
        row.add("until", min(period.end, period.accessEnd).text)
        row.add("ended", period.ended?.rawValue)
        return row.text
    }

    private func status(
        _ original: TransactionID<Written>, _ current: SlowPeriod, _ instant: Timestamp
    ) -> String {
        if current.grants(at: instant) { return instant < current.end ? "active" : "grace" }
        if current.ended == .refunded { return "refunded" }
        if current.ended == .revoked { return "revoked" }
        // The latest word on the retry; one from before the period began is of an earlier period.
        let said = latest { event -> Bool? in
            guard event.fact.original ?? event.transaction == original else { return nil }
            switch event.fact {
            case .renewalFailed(let said): return said.retrying ?? true
            case .renewalGraceExpired: return true
            case .renewalStarted, .renewalRenewed, .renewalExpired: return false
            case _: return nil
            }
        }
        guard let said, log.version(log.events[said.place]) >= current.start else {
            return "expired"
        }
        return said.value ? "retry" : "expired"
    }

    /// Whether renewal was last turned on, or bought a period after it was turned off.
    func isRenewing(_ original: TransactionID<Written>) -> Bool? {
        let said = latest { event -> Bool? in
            switch event.fact {
            case .renewalTurnedOff(let line, let commitment):
                return line == original && commitment != true ? false : nil
            case .renewalTurnedOn(let line, let commitment):
                return line == original && commitment != true ? true : nil
            case _: return nil
            }
        }
        guard let said else { return nil }
        let statedAt = log.version(log.events[said.place])
        return said.value
            || log.events.contains { event in
                guard [.renewalStarted, .renewalRenewed].contains(event.type),
                    event.fact.original == original
                else { return false }
                let start = SlowLines.purchasedAt(event.fact) ?? statedAt
                return min(start, event.signedAt ?? start) > statedAt
            }
    }

    private func next(
        _ original: TransactionID<Written>, _ current: SlowPeriod, _ periods: [SlowPeriod]
    ) -> ProductID<Written>? {
        let said = latest { event -> RenewalPlanChanged<Written>? in
            guard case .renewalPlanChanged(let said) = event.fact, said.original == original
            else { return nil }
            return said
        }
        guard let said, said.value.next != current.product else { return nil }
        // The store may renew a day ahead: a change in that day waits for the next renewal.
        let gap = log.version(log.events[said.place]).distance(to: current.start)
        let isLast = periods.filter { $0.start < current.start }.last?.end ?? current.start
        let isTooLate =
            said.value.effect == .nextRenewal && isLast == current.start && gap <= Timestamp.day
        return gap <= 0 || isTooLate ? said.value.next : nil
    }

    private func commitment(_ terms: BillingTerms, _ original: TransactionID<Written>) -> String? {
        guard terms.number != nil || terms.of != nil || terms.until != nil || terms.price != nil
        else { return nil }
        let renews = latest { event -> Bool? in
            switch event.fact {
            case .renewalTurnedOff(let line, let commitment):
                return line == original && commitment == true ? false : nil
            case .renewalTurnedOn(let line, let commitment):
                return line == original && commitment == true ? true : nil
            case _: return nil
            }
        }
        var row = SlowRow()
        row.add("number", raw: terms.number.map { "\($0)" })
        row.add("of", raw: terms.of.map { "\($0)" })
        row.add("until", terms.until?.text)
        row.add("price", raw: terms.price.map { "\($0)" })
        row.add("renews", raw: renews.map { "\($0.value)" })
        return row.text
    }

    /// The gaps in access between periods.
    private static func lapses(_ periods: [SlowPeriod]) -> [(from: Timestamp, until: Timestamp)] {
        let open = periods.filter { $0.start < $0.accessEnd }
        return open.indices.dropFirst().compactMap { index in
            let covered = open[..<index].map(\.accessEnd).max() ?? open[index].start
            return covered < open[index].start ? (covered, open[index].start) : nil
        }
    }
}

// Content (G6.3).
extension SlowLines {
    /// Published content: the first statement of each.
    var publications: [ContentPublished<Written>] {
        var all: [ContentPublished<Written>] = []
        for event in log.events {
            guard case .contentPublished(let said) = event.fact,
                !all.contains(where: { $0.content == said.content })
            else { continue }
            all.append(said)
        }
        return all
    }

    /// The content that periods open: published during one, or the newest of its series at the
    /// start of one; a refunded or revoked one opens nothing.
    private func readable(_ periods: [SlowPeriod], _ instant: Timestamp) -> [String] {
        let published = publications.filter { $0.publishedAt <= instant }
        let all = published.filter { content in
            periods.contains { period in
                guard period.isOne, period.ended == nil || period.ended == .upgraded else {
                    return false
                }
                if let product = content.product {
                    if product != period.product { return false }
                } else if let group = content.group, group != self.group(of: period) {
                    return false
                }
                if period.start <= content.publishedAt, content.publishedAt < period.accessEnd {
                    return true
                }
                let newest = published.filter {
                    $0.product == content.product && $0.group == content.group
                        && $0.publishedAt <= period.start
                }.map(\.publishedAt).max()
                return newest == content.publishedAt
            }
        }
        return all.map(\.content.name).sorted()
    }
}

/// A row as one line of JSON; names of the tests need no escapes.
struct SlowRow {
    private var members: [String] = []

    mutating func add(_ key: String, _ value: String?) {
        add(key, raw: value.map { "\"\($0)\"" })
    }

    mutating func add(_ key: String, raw value: String?) {
        if let value { members.append("\"\(key)\":\(value)") }
    }

    var text: String { "{\(members.joined(separator: ","))}" }
}
