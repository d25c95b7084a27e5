import PurchaseEvents
import PurchaseProjections

// What the app gave: taken back when it is over, and given again by a restore.
extension SlowChecker {
    static let grants: [(id: String, marks: Judge)] = [
        (
            "withdrawn-when-over",
            { log in log.apart.flatMap { SlowCoverage($0, whole: log, heedsApp: true).overdue } }
        ),
        ("restore-grants-all", { log in log.apart.flatMap { SlowRestores($0).missed } }),
    ]

    /// Whether statements give a transaction two products or originals, or an original another
    /// original: what that entitles to is open, and other rules find it.
    var isContradictory: Bool {
        var products: [TransactionID<Written>: Set<ProductID<Written>>] = [:]
        for event in events {
            guard let id = event.transaction, let product = event.fact.product else { continue }
            products[id, default: []].insert(product)
        }
        return isChained || products.values.contains { $0.count > 1 }
            || originals.values.contains { $0.count > 1 }
    }

    /// Whether an original names another original: of whose line that is, no sentence tells.
    var isChained: Bool {
        let originals = originals
        return originals.values.contains { named in
            named.contains { original in originals[original].map { $0 != [original] } ?? false }
        }
    }

    /// The originals that the statements of each transaction name.
    private var originals: [TransactionID<Written>: Set<TransactionID<Written>>] {
        var originals: [TransactionID<Written>: Set<TransactionID<Written>>] = [:]
        for event in events {
            guard let id = event.transaction, let original = event.fact.original else { continue }
            originals[id, default: []].insert(original)
        }
        return originals
    }
}

extension SlowCoverage {
    /// The uses of products to which all access is over, and which the app had given and not taken
    /// back; a grace that ended without a refund is another rule's.
    fileprivate var overdue: [SlowChecker.Mark] {
        log.each(.warning) { place in
            guard case .deliveryUnlocked(let product) = log.events[place].fact else {
                return opensLapsed(place)
            }
            let answer = answer(place)
            let ended = endedLast(place)
            guard !answer.isCovered, !answer.isUnclear,
                !answer.refunded.isEmpty || ended.map({ !$0.endsInGrace }) ?? false
            else { return false }
            let (account, now) = (log.events[place].account, log.events[place].at)
            return lines.transactions.values.contains { known in
                known.product == product && known.start.map { $0 <= now } ?? false
                    && log.kind(of: known.id, upTo: log.events.count - 1) != .consumable
                    && isGiven(known.id, before: place) && !isInvalid(known.id, place)
                    && isHeld(known, at: place) { account == nil || $0 == account }
            }
        }
    }

    /// Whether content is opened that only a non-renewing subscription allowed, past the end that
    /// the app had set: the store states no such end.
    private func opensLapsed(_ place: Int) -> Bool {
        guard case .contentOpened(let content) = log.events[place].fact,
            let account = log.events[place].account,
            !lines.publications.contains(where: { $0.content == content })
        else { return false }
        let answer = answer(place)
        guard !answer.isCovered, !answer.isUnclear, answer.refunded.isEmpty,
            endedLast(place)?.endsInGrace != true
        else { return false }
        let now = log.events[place].at
        return accesses(at: place) { $0 == account }.contains { access in
            access.period == nil && access.isCertain && access.end.map { $0 <= now } ?? false
                && access.start <= now && isGiven(access.transaction, before: place)
                && !isInvalid(access.transaction, place)
                && !ends(access.transaction, before: place).isEmpty
        }
    }
}

/// The restores of a log, each with what was known when it completed.
private struct SlowRestores {
    let log: SlowChecker

    init(_ log: SlowChecker) { self.log = log }

    /// The restores that left out a product of their account; a product of an account is found
    /// once.
    var missed: [SlowChecker.Mark] {
        var found: [AccountID<Written>: Set<ProductID<Written>>] = [:]
        return log.each(.warning) { place in
            guard log.events[place].type == .restoreCompleted, let account = account(place) else {
                return false
            }
            let then = SlowChecker(events: Array(log.events[...place]))
            let known = SlowCoverage(then, at: log.events[place].at, whole: log)
            let owed = known.allOwed.filter {
                owner(of: $0, known) == account
                    && [.nonConsumable, .autoRenewable].contains($0.kind)
            }
            let products = Set(owed.compactMap(\.product)).filter { product in
                !isLeftOut(product, place) && !isUnlocked(product, of: account, place, known)
                    && !owed.contains { $0.product == product && isBack($0, place, known) }
            }
            let new = products.subtracting(found[account] ?? [])
            found[account, default: []].formUnion(products)
            // What the log heard of later and is dated earlier excuses the restore.
            let later = SlowCoverage(log, at: log.events[place].at, whole: log).allOwed
            return new.contains { product in
                guard
                    owed.contains(where: { owed in
                        owed.product == product
                            && later.contains {
                                $0.original == owed.original && $0.product == product
                            }
                    })
                else { return false }
                // A use that names nobody may be the account's.
                return !log.events[..<place].contains {
                    $0.account == nil && $0.type == .deliveryUnlocked
                        && $0.fact.product == product
                }
            }
        }
    }

    /// The owner of an original, otherwise of the first transaction in its name that has one.
    private func owner(
        of owed: SlowCoverage.Owed, _ known: SlowCoverage
    ) -> AccountID<Written>? {
        if let owner = known.lines.owner(of: owed.original) { return owner }
        return known.log.events.lazy.compactMap { event in
            event.transaction.flatMap { id in
                known.lines[id].original == owed.original ? known.lines.owner(of: id) : nil
            }
        }.first
    }

    /// The request that a completed restore answers.
    private func request(_ place: Int) -> Int? {
        log.last(before: place) {
            $0.type == .restoreRequested && $0.device == log.events[place].device
        }
    }

    private func account(_ place: Int) -> AccountID<Written>? {
        log.events[place].account ?? request(place).flatMap { log.events[$0].account }
    }

    private func isLeftOut(_ product: ProductID<Written>, _ place: Int) -> Bool {
        let selected = log.events[(request(place) ?? place)..<place].compactMap { event in
            if case .restoreSelected(let product) = event.fact,
                event.device == log.events[place].device
            {
                return product
            }
            return nil
        }
        return !selected.isEmpty && !selected.contains(product)
    }

    private func isUnlocked(
        _ product: ProductID<Written>, of account: AccountID<Written>, _ place: Int,
        _ known: SlowCoverage
    ) -> Bool {
        let last = log.last(before: place) { event in
            switch event.fact {
            case .deliveryUnlocked(let used): return used == product && event.account == account
            case .deliveryWithdrawn(let said):
                return known.lines[said.transaction].product == product
                    && (event.account ?? known.lines.owner(of: said.transaction)) == account
            case _: return false
            }
        }
        return last.map { log.events[$0].type == .deliveryUnlocked } ?? false
    }

    /// Whether what an account owns is granted or pending.
    private func isBack(_ owed: SlowCoverage.Owed, _ place: Int, _ known: SlowCoverage) -> Bool {
        let family = known.lines.transactions.values.filter {
            $0.original == owed.original || $0.id == owed.original
        }
        // An entry of the line that nobody finished, or that came during this restore, is pending.
        if family.contains(where: { !log.shown($0.id, before: place).isEmpty }) { return true }
        let request = request(place) ?? -1
        let last = log.last(before: place) { event in
            [.queuePurchased, .queueRestored].contains(event.type)
                && family.contains { $0.id == event.transaction }
        }
        if let last, last > request { return true }
        let delivered = log.last(before: place) { event in
            event.type == .deliveryDelivered && family.contains { $0.id == event.transaction }
        }
        if let id = delivered.flatMap({ log.events[$0].transaction }),
            known.lines[id].product != owed.product, known.isGiven(id, before: place),
            isExpected(owed, place, known)
        {
            return true
        }
        let own = family.filter { $0.product == nil || $0.product == owed.product }.map(\.id)
        let given = log.last(before: place) { event in
            [.deliveryDelivered, .deliveryWithdrawn].contains(event.type)
                && event.transaction.map { own.contains($0) } ?? false
        }
        return given.map { log.events[$0].type == .deliveryDelivered } ?? false
    }

    /// Whether the queue may still show the transaction of a new plan.
    private func isExpected(
        _ owed: SlowCoverage.Owed, _ place: Int, _ known: SlowCoverage
    ) -> Bool {
        let now = log.events[place].at
        let period = known.lines.periods(of: owed.original).last { $0.grants(at: now) }
        guard let id = period?.transaction else { return false }
        return !log.events[..<place].indices.contains { log.finished($0) == id }
    }
}
