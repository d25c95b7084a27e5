import PurchaseEvents

/// The rows of `show accounts`.
extension SlowLines {
    /// The rows at the end of the log, as text.
    var accountRows: [String] {
        let requests = log.events.indices.filter { log.events[$0].type == .paymentRequested }
        let payments = requests.map { (account: log.accountOfRequest($0), place: $0) }
        let instant = log.events.map(\.at).max() ?? .earliest
        let bought = transactions.values.filter { known in
            known.attestsPeriod && heldSince(known).map { $0 <= instant } ?? false
        }.map { (account: owner(of: $0.id), known: $0) }
        let accounts = Set(payments.map(\.account)).union(bought.map(\.account))
        return accounts.sorted { ($0?.name ?? "") < ($1?.name ?? "") }.map { account in
            let own = bought.filter { $0.account == account }.map(\.known)
            let places = payments.filter { $0.account == account }.map(\.place)
            return accountRow(account, own, places, instant)
        }
    }

    /// When a purchase was made; one that the queue only restored dates from its original (G8.8).
    func heldSince(_ known: SlowTransaction) -> Timestamp? {
        let isPurchased = log.events.contains {
            $0.type == .queuePurchased && $0.transaction == known.id
        }
        guard known.isRestored, !isPurchased else { return known.start }
        return originalDate(known.id) ?? known.start
    }

    /// The stated purchase date of a transaction's original.
    func originalDate(_ id: TransactionID<Written>) -> Timestamp? {
        latest { event -> Timestamp? in
            guard event.transaction == id else { return nil }
            switch event.fact {
            case .queuePurchased(let said): return said.originalPurchasedAt
            case .queueRestored(let said): return said.originalPurchasedAt
            case .receiptListed(let said): return said.originalPurchasedAt
            case _: return nil
            }
        }?.value
    }

    private func accountRow(
        _ account: AccountID<Written>?, _ bought: [SlowTransaction], _ requests: [Int],
        _ instant: Timestamp
    ) -> String {
        var (spent, refunded): ([String: Int64], [String: Int64]) = ([:], [:])
        for known in bought {
            guard let price = known.price, let currency = known.currency?.code,
                known.ownership ?? .purchased == .purchased
            else { continue }
            spent[currency, default: 0] += price
            guard let date = known.refundedAt, date <= instant, !known.isRevoked else { continue }
            let share = price * (known.percent ?? 100_000)
            refunded[currency, default: 0] += (share + 50_000 * share.signum()) / 100_000
        }
        let paid = requests.compactMap { place -> (payer: String, at: Timestamp)? in
            guard case .paymentRequested(let said) = log.events[place].fact, let payer = said.payer
            else { return nil }
            return (payer.name, log.events[place].at)
        }
        var row = SlowRow()
        row.add("account", account?.name)
        let payers = Set(paid.map(\.payer)).sorted().map { "\"\($0)\"" }
        if !payers.isEmpty { row.add("payers", raw: "[\(payers.joined(separator: ","))]") }
        row.add("transactions", raw: "\(bought.count)")
        if !spent.isEmpty { row.add("spent", raw: SlowLines.text(spent)) }
        if !refunded.isEmpty { row.add("refunded", raw: SlowLines.text(refunded)) }
        // An unnamed account is no one account.
        row.add("irregular", raw: "\(account != nil && SlowLines.isIrregular(paid))")
        return row.text
    }

    private static func text(_ amounts: [String: Int64]) -> String {
        let all = amounts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(all.joined(separator: ","))}"
    }

    /// Whether more than two App Store accounts paid within some stretch of 30 days (G3.5).
    private static func isIrregular(_ paid: [(payer: String, at: Timestamp)]) -> Bool {
        paid.contains { first in
            let end = first.at.advanced(byMilliseconds: 30 * Timestamp.day)
            let near = paid.filter { first.at <= $0.at && $0.at <= end }
            return Set(near.map(\.payer)).count > 2
        }
    }
}
