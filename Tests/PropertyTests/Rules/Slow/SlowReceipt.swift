import PurchaseEvents
import PurchaseProjections

// Receipts and restores.
extension SlowChecker {
    static let receipt: [(id: String, marks: Judge)] = [
        ("restored-has-original", { log in log.each(.error) { log.isWrongRestore($0) } }),
        ("persisted-where-it-fits", { log in log.each(.warning) { log.isMisplaced($0) } }),
        ("refresh-changes-nothing", { log in log.changedRefreshes }),
    ]

    private var end: Int { events.count - 1 }

    /// What only devices record, with or without a name.
    private static let ofDevices = [
        "app.", "restore.", "queue.observed", "queue.unobserved", "payment.restricted",
        "payment.allowed",
    ]

    /// The kind of a transaction's product that the lines up to a place say, otherwise the whole
    /// log.
    private func kind(
        of product: ProductID<Written>, _ transaction: TransactionID<Written>, at place: Int
    ) -> ProductKind? {
        [place, end].lazy.compactMap { last in
            kind(of: product, upTo: last) ?? kind(of: transaction, upTo: last)
        }.first
    }

    private func isWrongRestore(_ place: Int) -> Bool {
        guard case .queueRestored(let said) = events[place].fact,
            isFirst(
                place, { events[$0].type == .queueRestored ? events[$0].transaction : nil })
        else { return false }
        if said.original == said.transaction { return true }
        if kind(of: said.product, said.transaction, at: place) == .consumable { return true }
        guard
            let bought = product(of: said.original, upTo: place)
                ?? product(of: said.original, upTo: end), bought != said.product,
            let kind = kind(of: bought, said.original, at: place)
        else { return false }
        return kind != .autoRenewable
    }

    private func isMisplaced(_ place: Int) -> Bool {
        guard case .deliveryPersisted(let said) = events[place].fact else { return false }
        let kind =
            kind(of: said.transaction, upTo: place) ?? kind(of: said.transaction, upTo: end)
        switch (kind, said.store) {
        case (nil, _), (_, .server): return false
        case (.consumable, let store): return store != .appState
        case (.nonRenewing, let store): return store != .iCloud
        case (_, let store): return store == .appState
        }
    }

    private struct Row: Equatable {
        var id: TransactionID<Written>
        var place: Int
        var date: Timestamp
    }

    private func isRefresh(_ place: Int, of owner: Int) -> Bool {
        events[place].type == .receiptRefreshed && events[place].account != nil
            && events[place].account == events[owner].account
            && events[place].device == events[owner].device
    }

    private func receipt(_ refresh: Int) -> ReceiptID<Written>? {
        guard case .receiptRefreshed(let receipt) = events[refresh].fact else { return nil }
        return receipt
    }

    /// The rows of the snapshot that a refresh opens, up to a place or until its receipt is opened
    /// again.
    private func rows(_ refresh: Int, upTo end: Int) -> [Row] {
        let again = events[(refresh + 1)...].indices.first { receipt($0) == receipt(refresh) }
        return (refresh..<min(end, again ?? end)).compactMap { place in
            guard case .receiptListed(let row) = events[place].fact,
                row.receipt == receipt(refresh)
            else { return nil }
            let date = max(row.purchasedAt, row.cancelledAt ?? row.purchasedAt)
            return Row(id: row.transaction, place: place, date: date)
        }
    }

    /// Whether the log ends within the snapshot that a refresh opens: its recorder, which is the
    /// device, or without one the account, says nothing else after it.
    private func endsWithin(_ refresh: Int) -> Bool {
        let opening = events[refresh]
        return !events[(refresh + 1)...].contains { event in
            if case .receiptListed(let row) = event.fact, row.receipt != nil { return false }
            if event.type == .receiptValidated || event.device != opening.device { return false }
            return event.device != nil || event.account == opening.account
                || SlowChecker.ofDevices.contains { event.type.wireName.hasPrefix($0) }
        }
    }

    /// Whether a transaction is of a subscription of which there are others.
    private func isRenewal(
        _ id: TransactionID<Written>, of others: [TransactionID<Written>], upTo place: Int
    ) -> Bool {
        let original = original(of: id, upTo: place)
        return kind(of: id, upTo: place) == .autoRenewable
            && others.contains { self.original(of: $0, upTo: place) == original }
    }

    private var changedRefreshes: [Mark] {
        var marks: [Mark] = []
        let refreshes = events.indices.filter { events[$0].type == .receiptRefreshed }
        for (first, second) in zip(refreshes, refreshes.dropFirst()) {
            let noted = events[first..<second].count { $0.type == .logNoted }
            guard isRefresh(second, of: first),
                rows(first, upTo: second).count == second - first - 1 - noted
            else { continue }
            // The rows end at the owner's next refresh, or where the second receipt opens again.
            let end = events[(second + 1)...].indices.first {
                isRefresh($0, of: first) || receipt($0) == receipt(second)
            }
            let instant = events[first].signedAt ?? events[first].at
            let (old, new) = (
                rows(first, upTo: end ?? events.count), rows(second, upTo: end ?? events.count)
            )
            let early = instant.advanced(byMilliseconds: -5 * Timestamp.minute)
            for row in new where row.date <= early && !old.contains(where: { $0.id == row.id }) {
                let isFirst = new.first { $0.id == row.id && $0.date <= early } == row
                let place = (end ?? events.count) - 1
                let isRenewal = isRenewal(row.id, of: old.map(\.id), upTo: place)
                if isFirst, !isRenewal { marks.append(Mark(line: row.place + 1, level: .error)) }
            }
            if end == nil, endsWithin(second) { continue }
            let missing = Set(old.filter { $0.date <= instant }.map(\.id))
                .subtracting(new.map(\.id))
            marks += missing.map { row in
                let kind = kind(of: row, upTo: (end ?? events.count) - 1)
                let mayTruncate = !isProduction && kind == .autoRenewable
                return Mark(line: second + 1, level: mayTruncate ? .note : .error)
            }
        }
        return marks
    }
}
