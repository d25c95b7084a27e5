import PurchaseEvents
import PurchaseProjections

/// The rows of `show receipt`: of each account, the latest snapshot and what the queue has since
/// added or removed (G4.13).
extension SlowLines {
    private struct Listed {
        var transaction: TransactionID<Written>
        /// The place of the statement that the row repeats.
        var place: Int
    }

    /// The rows at the end of the log, as text.
    var receiptRows: [String] {
        var receipts: [AccountID<Written>?: [Listed]] = [:]
        /// The account that opened each receipt last, and each account's latest receipt.
        var openers: [ReceiptID<Written>: AccountID<Written>?] = [:]
        var latest: [AccountID<Written>?: ReceiptID<Written>] = [:]
        for place in places {
            let event = log.events[place]
            switch event.fact {
            case .receiptRefreshed(let receipt):
                receipts.updateValue([], forKey: event.account)
                openers.updateValue(event.account, forKey: receipt)
                latest.updateValue(receipt, forKey: event.account)
            case .receiptListed(let row):
                guard let receipt = row.receipt, let opener = openers[receipt] else { continue }
                let account = latest[event.account] == receipt ? event.account : opener
                guard latest[account] == receipt else { continue }
                receipts[account]?.removeAll { $0.transaction == row.transaction }
                receipts[account]?.append(Listed(transaction: row.transaction, place: place))
            case .queuePurchased(let said):
                guard log.isNewPurchase(place) else { continue }
                let known = SlowLines(SlowChecker(events: Array(log.events[...place])))
                let account = event.account ?? known.owner(of: said.transaction)
                let rows = receipts[account] ?? []
                if rows.contains(where: { $0.transaction == said.transaction }) { continue }
                let left = rows.filter { !hasLeft($0.transaction, before: place) }
                let new = Listed(transaction: said.transaction, place: place)
                receipts.updateValue(left + [new], forKey: account)
            case _: continue
            }
        }
        return receipts.flatMap { account, rows in rows.map { (account, $0) } }
            .map { (account: $0.0, row: $0.1, date: date($0.1)) }
            .sorted {
                ($0.account?.name ?? "", $0.date, $0.row.transaction.name)
                    < ($1.account?.name ?? "", $1.date, $1.row.transaction.name)
            }.map { receiptRow($0.account, $0.row) }
    }

    /// Whether a finished transaction leaves the receipt when it changes.
    private func hasLeft(_ id: TransactionID<Written>, before place: Int) -> Bool {
        // The kind is what any line of the log says, also a later one.
        let kind = log.kind(of: id, upTo: log.events.count - 1)
        guard kind == .consumable || kind == .nonRenewing else { return false }
        return log.events[..<place].indices.contains { log.finished($0) == id }
    }

    private func date(_ row: Listed) -> Timestamp {
        SlowLines.purchasedAt(log.events[row.place].fact) ?? .earliest
    }

    private func receiptRow(_ account: AccountID<Written>?, _ row: Listed) -> String {
        let fact = log.events[row.place].fact
        var kind: ProductKind?
        var cancelledAt: Timestamp?
        if case .receiptListed(let said) = fact {
            (kind, cancelledAt) = (said.kind, said.cancelledAt)
        }
        let known = kind ?? log.kind(of: row.transaction, upTo: log.events.count - 1)
        var text = SlowRow()
        text.add("account", account?.name)
        text.add("transaction", row.transaction.name)
        text.add("original", (fact.original ?? row.transaction).name)
        text.add("product", fact.product?.name)
        text.add("kind", known?.rawValue)
        text.add("purchasedAt", SlowLines.purchasedAt(fact)?.text)
        text.add("expiresAt", log.end(fact)?.text)
        text.add("cancelledAt", cancelledAt?.text)
        return text.text
    }
}
