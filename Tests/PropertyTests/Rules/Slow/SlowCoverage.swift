import PurchaseEvents
import PurchaseProjections

// What an account may use; periods count whenever they are attested, refunds from their line on.
extension SlowChecker {
    static let coverage: [(id: String, marks: Judge)] = [
        ("granted-implies-owed", { log in log.apart.flatMap { SlowCoverage($0).unowed } }),
        ("refund-grants-nothing", { log in log.apart.flatMap { SlowCoverage($0).afterRefunds } }),
    ]
}

/// The periods and purchases that allow uses.
struct SlowCoverage {
    /// A stretch of time in which a transaction allows a use; `end` is `nil` where it is for ever.
    struct Access {
        var transaction: TransactionID<Written>
        var product: ProductID<Written>?
        /// The period, or `nil` for a purchase.
        var period: SlowPeriod?
        var start: Timestamp, end: Timestamp?
        /// Whether the log says what the purchase gives.
        var isCertain = true

        var endsInGrace: Bool {
            period.map { $0.ended == nil && $0.accessEnd > $0.end } ?? false
        }
    }

    /// How a use was allowed: by access, only by refunded access, or unclear.
    struct Answer {
        var isCovered = false
        var refunded: [TransactionID<Written>] = []
        var isUnclear = false
    }

    let log: SlowChecker
    let lines: SlowLines
    /// The log that says of what kind the products are.
    let whole: SlowChecker
    /// The instant at which something is owed; by default the greatest `at`.
    let instant: Timestamp
    /// Whether what the app said counts: the end that it had set by a use, and to whom it gave what
    /// nobody is known to own.
    let heedsApp: Bool

    init(
        _ log: SlowChecker, at instant: Timestamp? = nil, whole: SlowChecker? = nil,
        heedsApp: Bool = false
    ) {
        self.log = log
        self.heedsApp = heedsApp
        lines = SlowLines(log)
        self.whole = whole ?? log
        self.instant = instant ?? log.events.map(\.at).max() ?? .earliest
    }

    var end: Int { log.events.count - 1 }

    /// Content without a known publication date is opened only with access.
    fileprivate var unowed: [SlowChecker.Mark] {
        log.each(.error) { place in
            guard case .contentOpened(let content) = log.events[place].fact,
                !lines.publications.contains(where: { $0.content == content })
            else { return false }
            let answer = answer(place)
            return !answer.isCovered && answer.refunded.isEmpty && !answer.isUnclear
        }
    }

    /// What the accesses of the account at a place say about its use.
    func answer(_ place: Int) -> Answer {
        let account = log.events[place].account
        var answer = answer(place, accesses(at: place) { account == nil || $0 == account })
        if account != nil, !answer.isCovered, place < end {
            // Nobody is blamed for what arrived late.
            let then = SlowCoverage(
                SlowChecker(events: Array(log.events[...place])), heedsApp: heedsApp)
            answer.isCovered =
                then.answer(place, then.accesses(at: place) { $0 == account })
                .isCovered
        }
        guard account != nil, !answer.isCovered, !answer.isUnclear else { return answer }
        // A purchase of unknown owner may be the account's.
        let unowned = self.answer(place, accesses(at: place, ofUnknown: true) { $0 == nil })
        answer.isUnclear = unowned.isCovered || !unowned.refunded.isEmpty || unowned.isUnclear
        return answer
    }

    private func answer(_ place: Int, _ accesses: [Access]) -> Answer {
        var answer = Answer()
        for access in accesses {
            let allowed = allows(access, place)
            guard allowed != false, !isInvalid(access.transaction, place) else { continue }
            if refund(of: access.transaction, at: place) != nil {
                if allowed == true, access.isCertain { answer.refunded.append(access.transaction) }
            } else if allowed == true, access.isCertain {
                answer.isCovered = true
            } else {
                answer.isUnclear = true
            }
        }
        return answer
    }

    /// The access of the account that ended last before a use, of the used product or of any.
    func endedLast(_ place: Int) -> Access? {
        let (account, now) = (log.events[place].account, log.events[place].at)
        let used = log.events[place].product
        let ended = accesses(at: place) { account == nil || $0 == account }.filter { access in
            guard let end = access.end, end <= now, access.isCertain else { return false }
            return !isInvalid(access.transaction, place) && (used == nil || access.product == used)
        }
        return ended.max { ($0.end ?? now) < ($1.end ?? now) }
    }

    /// Whether the server had found a transaction invalid.
    func isInvalid(_ id: TransactionID<Written>, _ place: Int) -> Bool {
        log.answer(id, before: place + 1) == .invalid
            && log.answer(id, before: end + 1) == .invalid
    }
}

// Whose accesses.
extension SlowCoverage {
    func accesses(
        at place: Int, ofUnknown: Bool = false, _ isHolder: (AccountID<Written>?) -> Bool
    ) -> [Access] {
        // What ends a period early counts from its line on, for the periods of one account.
        let isOwned = log.events[place].account != nil && !ofUnknown
        let held = lines.originals.filter { holders(of: $0, at: place).contains(where: isHolder) }
        let periods = held.flatMap { original in
            lines.spans(of: original, heedingRefunds: false, knownBy: isOwned ? place : -1)
        }
        var all = periods.filter(\.isOne).map {
            Access(
                transaction: $0.transaction, product: $0.product, period: $0, start: $0.start,
                end: $0.accessEnd)
        }
        for known in lines.transactions.values {
            guard !isMember(known), let access = purchase(known, at: place) else { continue }
            if purchaseHolders(known, at: place).contains(where: isHolder) { all.append(access) }
        }
        return all
    }

    private func isMember(_ known: SlowTransaction) -> Bool {
        lines.members(of: known.original).contains { $0.id == known.id }
    }

    /// Whether an account holds a transaction at a place.
    func isHeld(
        _ known: SlowTransaction, at place: Int, _ isHolder: (AccountID<Written>?) -> Bool
    ) -> Bool {
        let all =
            isMember(known)
            ? holders(of: known.original, at: place) : purchaseHolders(known, at: place)
        return all.contains(where: isHolder)
    }

    /// The accounts to which the app first gave the transactions of a line that nobody is known to
    /// own.
    private func receivers(_ ids: [TransactionID<Written>]) -> [AccountID<Written>?] {
        guard heedsApp else { return [] }
        return ids.compactMap { id in
            log.events.first { $0.type == .deliveryDelivered && $0.transaction == id }?.account
        }
    }

    /// The owner of a line at the end, and the one that it was later linked away from.
    private func holders(
        of original: TransactionID<Written>, at place: Int
    ) -> [AccountID<Written>?] {
        let owner = lines.account(ofLine: original) ?? lines.owner(of: original)
        let links = log.events.indices.filter { place in
            guard case .accountLinked(let said) = log.events[place].fact else { return false }
            return said.original == original && log.events[place].account != nil
        }
        let given = owner == nil ? receivers(lines.members(of: original).map(\.id)) : []
        let now = log.events[place].at
        guard let last = links.last, last > place || log.events[last].at > now else {
            return [owner] + given
        }
        let before = links.last { $0 <= place }
        let then = before.flatMap { log.events[$0].account } ?? lines.named(ofLine: original)
        return [owner] + given + [then].compactMap { $0 }.map { .some($0) }
    }

    private func purchaseHolders(
        _ known: SlowTransaction, at place: Int
    ) -> [AccountID<Written>?] {
        let line = lines[known.original].original
        let owner = lines.owner(of: known.id)
        let given = owner == nil ? receivers([known.id]) : []
        guard lines.originals.contains(line) else { return [owner] + given }
        let isMoved = log.events.indices.contains { later in
            guard later > place, case .accountLinked(let said) = log.events[later].fact else {
                return false
            }
            return said.original == line && log.events[later].account != nil
        }
        let before = isMoved ? lines[known.original].account ?? known.account : nil
        return [owner] + given + [before].compactMap { $0 }.map { .some($0) }
            + holders(of: line, at: place).dropFirst()
    }

    /// The ends that the app had given a purchase before a place.
    func ends(_ id: TransactionID<Written>, before place: Int) -> [Timestamp] {
        log.events[..<place].compactMap { event in
            guard case .deliveryDelivered(let said) = event.fact, said.transaction == id else {
                return nil
            }
            return said.until
        }
    }

    /// Whether a transaction was delivered before a place and not withdrawn since, whatever
    /// environment the app names.
    func isGiven(_ id: TransactionID<Written>, before place: Int) -> Bool {
        let last = whole.last(before: place) {
            [.deliveryDelivered, .deliveryWithdrawn].contains($0.type) && $0.transaction == id
        }
        return last.map { whole.events[$0].type == .deliveryDelivered } ?? false
    }

    /// What a purchase outside the periods of a line gives.
    private func purchase(_ known: SlowTransaction, at place: Int) -> Access? {
        let isStated = known.attestsPeriod || known.isRestored
        guard isStated, let start = known.start else { return nil }
        var access = Access(
            transaction: known.id, product: known.product, period: nil,
            start: known.isRestored ? lines.originalDate(known.id) ?? start : start, end: nil)
        switch log.kind(of: known.id, upTo: end) {
        case .consumable: return nil
        case .nonConsumable: break
        case .nonRenewing:
            let ends = ends(known.id, before: end + 1)
            access.end = ends.max()
            if heedsApp, isGiven(known.id, before: place),
                let end = self.ends(known.id, before: place).last
            {
                access.end = end
            }
        case .autoRenewable:
            // A restored transaction adds nothing to a line with attested periods.
            if !known.attestsPeriod, !lines.members(of: known.original).isEmpty { return nil }
            access.isCertain = false
        case nil: access.isCertain = false
        }
        return access
    }
}

// Refunds and content.
extension SlowCoverage {
    /// The date of the refund of a transaction, or of the purchase that it restores, as the log
    /// knew it at a place, if it had come by the use.
    private func refund(of id: TransactionID<Written>, at place: Int) -> Timestamp? {
        let ids = [id] + [restored(by: id)].compactMap { $0 }
        let known = SlowLines(SlowChecker(events: Array(log.events[...place])), of: ids)
        let dates = ids.compactMap { id in
            // That a row is upgraded holds for the whole log.
            lines[id].isUpgraded ? nil : known[id].cancelledAt
        }
        return dates.filter { $0 <= log.events[place].at }.min()
    }

    /// The purchase that a transaction only restores, outside a subscription.
    func restored(by id: TransactionID<Written>) -> TransactionID<Written>? {
        let known = lines[id]
        guard known.isOnlyRestored, known.original != id, !lines[known.original].isRestored else {
            return nil
        }
        let kind = log.kind(of: id, upTo: end) ?? log.kind(of: known.original, upTo: end)
        return kind == .autoRenewable ? nil : known.original
    }

    /// Whether an access allows a use; `nil` if its group is unknown and the content needs one.
    private func allows(_ access: Access, _ place: Int) -> Bool? {
        let now = log.events[place].at
        guard access.start <= log.begunBy(place) else { return false }
        let isRunning = access.end.map { now < $0 } ?? true
        if case .deliveryUnlocked(let product) = log.events[place].fact {
            return access.product == product && isRunning
        }
        guard case .contentOpened(let id) = log.events[place].fact,
            let content = lines.publications.first(where: { $0.content == id })
        else { return isRunning }
        if let product = content.product, product != access.product { return false }
        guard let period = access.period else { return content.group == nil }
        guard opens(content, start: period.start, end: access.end ?? period.end) else {
            return false
        }
        guard let group = content.group else { return true }
        return lines.group(of: period).map { $0 == group }
    }

    private func opens(
        _ content: ContentPublished<Written>, start: Timestamp, end: Timestamp
    ) -> Bool {
        guard start < end else { return false }
        if content.publishedAt > start { return content.publishedAt < end }
        return !lines.publications.contains {
            $0.product == content.product && $0.group == content.group
                && content.publishedAt < $0.publishedAt && $0.publishedAt <= start
        }
    }

    /// Deliveries of what was known to be refunded, and content that only such purchases opened.
    fileprivate var afterRefunds: [SlowChecker.Mark] {
        var given: [TransactionID<Written>: Int] = [:]
        var marks: [SlowChecker.Mark] = []
        for place in log.events.indices {
            let event = log.events[place]
            if event.type == .deliveryWithdrawn, let id = event.transaction {
                given[id] = nil
            } else if event.type == .deliveryDelivered, let id = event.transaction {
                let ids = [id] + [restored(by: id, at: place)].compactMap { $0 }
                let known = SlowLines(SlowChecker(events: Array(log.events[...place])), of: ids)
                guard ids.contains(where: { known[$0].refundedAt != nil }),
                    !isOfPart(known[id], at: place)
                else { continue }
                given[id] = place
                marks.append(SlowChecker.Mark(line: place + 1, level: .error))
            } else if event.type == .contentOpened {
                let answer = answer(place)
                guard !answer.isCovered, !answer.refunded.isEmpty, !answer.isUnclear,
                    !answer.refunded.contains(where: { given[$0] != nil })
                else { continue }
                marks.append(SlowChecker.Mark(line: place + 1, level: .error))
            }
        }
        return marks
    }

    /// Whether a delivery gives no more of a consumable than a refund of a part left; one without a
    /// quantity gives what is left.
    private func isOfPart(_ known: SlowTransaction, at place: Int) -> Bool {
        let kind = [place, end].lazy.compactMap { log.kind(of: known.id, upTo: $0) }.first
        guard kind == nil || kind == .consumable,
            let kept = known.unitsKept(of: log.quantity(of: known.id, upTo: place)),
            case .deliveryDelivered(let said) = log.events[place].fact
        else { return false }
        return standing(known.id, after: place) <= kept
            || said.quantity == nil && standing(known.id, after: place - 1) < kept
    }

    /// The units delivered of a transaction and not withdrawn after a line.
    private func standing(_ id: TransactionID<Written>, after place: Int) -> Int64 {
        var units: Int64 = 0
        // All that was left was delivered, whatever the quantity is said to be later.
        var rest: Int64?
        func all(_ line: Int) -> Int64 {
            guard let rest else { return units }
            return max(units + 1, log.quantity(of: id, upTo: line)) + rest
        }
        for line in log.events.indices.prefix(place + 1) {
            switch log.events[line].fact {
            case .deliveryDelivered(let said) where said.transaction == id:
                if let old = rest {
                    rest = old + (said.quantity ?? 1)
                } else if let part = said.quantity {
                    units += part
                } else {
                    rest = 0
                }
            case .deliveryWithdrawn(let said) where said.transaction == id:
                let had = all(line)
                units = had - min(said.quantity ?? had, had)
                rest = nil
            case _: break
            }
        }
        return all(place)
    }

    /// The purchase that a transaction only restores, as the log knew it at a place; whether both
    /// are a subscription may be said later.
    private func restored(
        by id: TransactionID<Written>, at place: Int
    ) -> TransactionID<Written>? {
        let original = log.original(of: id, upTo: place)
        let types = log.statements(of: id, upTo: place).map { log.events[$0].type }
        let isRestored = log.statements(of: original, upTo: place)
            .contains { log.events[$0].type == .queueRestored }
        guard !types.isEmpty, types.allSatisfy({ $0 == .queueRestored }), original != id,
            !isRestored
        else { return nil }
        let kind = [place, end].lazy.compactMap { last in
            log.kind(of: id, upTo: last) ?? log.kind(of: original, upTo: last)
        }.first
        return kind == .autoRenewable ? nil : original
    }
}
