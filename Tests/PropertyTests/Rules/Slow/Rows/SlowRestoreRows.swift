import PurchaseEvents

/// The rows of `show restores`: what is owed and not a consumable, and whether the latest restore
/// granted it.
extension SlowCoverage {
    /// What an account owns of a product under one original.
    struct Owed {
        var account: AccountID<Written>?
        var product: ProductID<Written>?
        var kind: ProductKind?
        var original: TransactionID<Written>
        /// When the unbroken entitlement began.
        var since: Timestamp
    }

    private func kind(_ id: TransactionID<Written>) -> ProductKind? {
        log.kind(of: id, upTo: end) ?? whole.kind(of: id, upTo: whole.events.count - 1)
    }

    private func isGenuine(_ id: TransactionID<Written>) -> Bool {
        log.answer(id, before: log.events.count) != .invalid
    }

    /// The rows at the end of the log, as text.
    var restoreRows: [String] {
        let rows = allOwed.map { owed in
            let key = [owed.account?.name ?? "", owed.product?.name ?? "", owed.original.name]
            return (key: key, text: row(owed))
        }
        return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.text)
    }

    /// What is owed at the instant and not a consumable.
    var allOwed: [Owed] { Set(stated.map(\.original)).flatMap { owed(under: $0) } }

    private var stated: [SlowTransaction] {
        lines.transactions.values.filter { $0.attestsPeriod || $0.isRestored }
    }

    private func row(_ owed: Owed) -> String {
        var row = SlowRow()
        row.add("account", owed.account?.name)
        row.add("product", owed.product?.name)
        row.add("kind", owed.kind?.rawValue)
        row.add("original", owed.original.name)
        row.add("by", owed.kind == .nonRenewing ? "app" : "system")
        row.add("state", state(owed))
        return row.text
    }

    private func owed(under original: TransactionID<Written>) -> [Owed] {
        let family = stated.filter { $0.original == original }
        let periods = lines.periods(of: original, asOf: instant).filter {
            let kind = kind($0.transaction)
            return kind == nil || kind == .autoRenewable
        }
        let ofLine = Set(periods.map(\.product))
        let others = family.filter { isPurchase($0) && !ofLine.contains($0.product) }
        var all = ofLine.compactMap { owed(original, periods, of: $0) }
        for product in Set(others.map(\.product)) {
            let own = others.filter { $0.product == product }
            if let owed = owed(original, bought: own) { all.append(owed) }
        }
        return all
    }

    /// Whether a transaction entitles without a period, and is no consumable.
    private func isPurchase(_ known: SlowTransaction) -> Bool {
        switch kind(known.id) {
        case .nonConsumable, .nonRenewing: true
        case .consumable, .autoRenewable: false
        case nil: known.end == nil
        }
    }

    /// The subscription to a product of a line, if it gives access at the instant.
    private func owed(
        _ original: TransactionID<Written>, _ periods: [SlowPeriod],
        of product: ProductID<Written>?
    ) -> Owed? {
        let own = periods.filter { $0.product == product }
        let granting = own.filter { isGenuine($0.transaction) && $0.grants(at: instant) }
        guard let period = granting.last(where: { instant < $0.end }) ?? granting.last else {
            return nil
        }
        // The first of the periods that led to this one without a lapse.
        var since = period.start
        let before = own.filter { $0.start < $0.accessEnd && $0.start <= period.start }
        for (index, other) in before.enumerated() {
            if before[..<index].allSatisfy({ $0.accessEnd < other.start }) { since = other.start }
        }
        let account = lines.account(ofLine: original) ?? lines.owner(of: original)
        return Owed(
            account: account, product: product, kind: .autoRenewable, original: original,
            since: since)
    }

    /// What was bought under an original and not refunded; a restored transaction grants in the
    /// name of its original where the log states that.
    private func owed(
        _ original: TransactionID<Written>, bought purchases: [SlowTransaction]
    ) -> Owed? {
        let known = purchases.filter { lines.heldSince($0).map { $0 <= instant } ?? false }
        let isStated = purchases.contains { $0.id == original }
        let isHeld = known.contains { $0.id == original }
        let kept = known.filter { !isRefunded($0.id) }
        let genuine = kept.filter { isGenuine($0.id) }
        let first = genuine.min { one, other in
            if (one.id == original) != (other.id == original) { return one.id == original }
            let (left, right) = (lines.heldSince(one), lines.heldSince(other))
            if let left, let right, left != right { return left < right }
            return one.id.name < other.id.name
        }
        guard isHeld || !isStated, let first else { return nil }
        let anchor = isHeld && first.isOnlyRestored ? lines[original] : first
        guard let from = lines.heldSince(anchor) else { return nil }
        if kind(anchor.id) == .nonRenewing {
            let ends = kept.compactMap { self.ends($0.id, before: end + 1).last }
            if let end = ends.max(), end <= instant { return nil }
        }
        return Owed(
            account: lines.owner(of: anchor.id), product: anchor.product, kind: kind(anchor.id),
            original: original, since: from)
    }

    private func isRefunded(_ id: TransactionID<Written>) -> Bool {
        [id, restored(by: id)].compactMap { $0 }.contains { id in
            lines[id].refundedAt.map { $0 <= instant } ?? false
        }
    }

    private func state(_ owed: Owed) -> String {
        let events = log.events
        let request = events.lastIndex { event in
            // A request without an account may be any account's.
            event.type == .restoreRequested
                && (event.account == nil || owed.account == nil || event.account == owed.account)
        }
        guard let request else { return "held" }
        let family = lines.transactions.values.filter {
            $0.original == owed.original && $0.product == owed.product
                && ($0.attestsPeriod || $0.isRestored)
        }
        let last = { (type: EventType, ids: [TransactionID<Written>]) in
            events.lastIndex { event in
                event.type == type && event.transaction.map { ids.contains($0) } ?? false
            } ?? -1
        }
        let ids = family.map(\.id)
        let withdrawn = last(.deliveryWithdrawn, ids)
        let restored = last(.deliveryDelivered, family.filter(\.isRestored).map(\.id))
        if restored > max(request, withdrawn) { return "restored" }
        let unlocked = events.lastIndex { event in
            event.type == .deliveryUnlocked && event.product == owed.product
                && (event.account == nil || event.account == owed.account)
        }
        let isGranted = max(last(.deliveryDelivered, ids), unlocked ?? -1) > withdrawn
        return isGranted || owed.since > events[request].at ? "held" : "notRestored"
    }
}
