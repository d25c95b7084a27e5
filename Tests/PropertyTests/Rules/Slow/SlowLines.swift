import PurchaseEvents

/// What the whole log states of one transaction; an absent key says nothing, and of each key the
/// statement of the greatest version counts.
struct SlowTransaction {
    var id: TransactionID<Written>
    var original: TransactionID<Written>
    var product: ProductID<Written>?
    var start: Timestamp?, end: Timestamp?
    /// The place of the statement that gives the end.
    var endPlace: Int?
    var isUpgraded = false
    /// The cancellation date, if the latest statement about it is no reversal.
    var cancelledAt: Timestamp?
    var isRevoked = false
    var ownership: Ownership?
    var group: GroupID<Written>?
    var terms = BillingTerms()
    var price: Int64?, currency: Currency?
    /// The share of a refund in thousandths of a percent; `nil` means all.
    var percent: Int64?
    /// Whether a statement other than a restore attests the transaction.
    var attestsPeriod = false
    var isRestored = false
    /// The first place at which such a statement attests it.
    var attestedPlace: Int?
    /// The account that its statements name first, and the place of that statement.
    var account: AccountID<Written>?, accountPlace: Int?
    /// The place of the refund, revocation or reversal that names an account first.
    var cancellationAccountPlace: Int?

    /// The place of the statement that names whose line it is. Restoring a purchase doesn't make an
    /// account its owner (G8.6).
    var ownerPlace: Int? { isOnlyRestored ? cancellationAccountPlace : accountPlace }
    var isOnlyRestored: Bool { isRestored && !attestsPeriod }
    /// The refund or revocation; a cancelled row that is upgraded is neither.
    var refundedAt: Timestamp? { isUpgraded ? nil : cancelledAt }

    /// The units that a refund of a part leaves; `nil` if there is none.
    func unitsKept(of quantity: Int64) -> Int64? {
        guard refundedAt != nil, !isRevoked, let percent, percent < 100_000 else { return nil }
        return max(1, quantity - (2 * quantity * percent + 99_999) / 200_000)
    }
}

/// The transactions and subscription lines of a whole log, each found by looking at every event.
struct SlowLines {
    let log: SlowChecker
    private(set) var transactions: [TransactionID<Written>: SlowTransaction] = [:]
    /// The originals of the lines, by first mention.
    private(set) var originals: [TransactionID<Written>] = []
    /// By transaction and line that it left, the last place at which it was of it.
    private var left: [TransactionID<Written>: [TransactionID<Written>: Int]] = [:]

    /// The types that state something about a line as a whole.
    static let lineTypes: [EventType] = [
        .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
        .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
    ]
    private static let cancellations: [EventType] = [
        .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
    ]

    init(_ log: SlowChecker) {
        self.log = log
        let ids = Set(log.events.flatMap { [$0.transaction, $0.fact.original].compactMap { $0 } })
        for id in ids { transactions[id] = SlowLines.transaction(id, log) }
        let named = log.events.compactMap { event -> TransactionID<Written>? in
            SlowLines.lineTypes.contains(event.type) || event.type == .accountLinked
                || event.type == .renewalStarted || event.type == .renewalRenewed
                ? event.fact.original : nil
        }
        let periods = transactions.values.filter { $0.attestsPeriod && $0.end != nil }
        for id in ids { left[id] = SlowLines.linesLeft(by: id, log) }
        originals = Set(named + periods.map(\.original) + left.values.flatMap(\.keys))
            .sorted { $0.name < $1.name }
    }

    /// The lines that a transaction was a period of before a later statement named another
    /// original, and the last place at which it was: they stay lines, and what it said of them
    /// still counts (the statement of line-has-one-owner).
    private static func linesLeft(
        by id: TransactionID<Written>, _ log: SlowChecker
    ) -> [TransactionID<Written>: Int] {
        let last = log.original(of: id, upTo: log.events.count - 1)
        var left: [TransactionID<Written>: Int] = [:]
        for place in log.events.indices where log.events[place].transaction == id {
            let original = log.original(of: id, upTo: place)
            guard original != last else { continue }
            let then = transaction(id, SlowChecker(events: Array(log.events[...place])))
            if then.attestsPeriod, then.end != nil { left[original] = place }
        }
        return left
    }

    /// Only some transactions of a log, without its lines.
    init(_ log: SlowChecker, of ids: [TransactionID<Written>]) {
        self.log = log
        for id in ids { transactions[id] = SlowLines.transaction(id, log) }
    }

    subscript(id: TransactionID<Written>) -> SlowTransaction {
        transactions[id] ?? SlowTransaction(id: id, original: id)
    }

    var places: Range<Int> { log.events.indices }

    /// The value of the statement with the greatest version, and its place.
    func latest<Value>(
        _ value: (Event<Written>) -> Value?
    ) -> (value: Value, place: Int)? {
        SlowLines.latest(log, log.events.indices, value)
    }

    private static func latest<Value>(
        _ log: SlowChecker, _ places: some Sequence<Int>, _ value: (Event<Written>) -> Value?
    ) -> (value: Value, place: Int)? {
        var best: (value: Value, place: Int)?
        for place in places {
            guard let stated = value(log.events[place]) else { continue }
            if let old = best?.place, log.precedes(log.events[place], log.events[old]) { continue }
            best = (stated, place)
        }
        return best
    }

    /// The value of the statement with the least version, and its place.
    private static func earliest<Value>(
        _ log: SlowChecker, _ places: some Sequence<Int>, _ value: (Event<Written>) -> Value?
    ) -> (value: Value, place: Int)? {
        var best: (value: Value, place: Int)?
        for place in places {
            guard let stated = value(log.events[place]) else { continue }
            if let old = best?.place, !log.precedes(log.events[place], log.events[old]) { continue }
            best = (stated, place)
        }
        return best
    }

    private static func transaction(
        _ id: TransactionID<Written>, _ log: SlowChecker
    ) -> SlowTransaction {
        let end = log.events.count - 1
        var known = SlowTransaction(id: id, original: log.original(of: id, upTo: end))
        let places = log.events.indices.filter { log.events[$0].transaction == id }
        let own = places.filter { SlowChecker.statements.contains(log.events[$0].type) }
        let attesting = own.filter { log.events[$0].type != .queueRestored }
        known.product = log.product(of: id, upTo: end)
        known.attestsPeriod = !attesting.isEmpty
        known.isRestored = attesting.count < own.count
        known.attestedPlace = attesting.first
        // A restore states a date of its own (G8.8).
        known.start =
            latest(log, places) { event -> Timestamp? in
                let isDated = event.type != .queueRestored || attesting.isEmpty
                return isDated ? purchasedAt(event.fact) : nil
            }?.value
        let ending = SlowChecker.statements + [.renewalExtended]
        let last = latest(log, places) { event -> Timestamp? in
            ending.contains(event.type) ? log.end(event.fact) : nil
        }
        (known.end, known.endPlace) = (last?.value, last?.place)
        fillRefund(&known, log, places)
        fillRest(&known, log, places)
        return known
    }

    private static func fillRefund(
        _ known: inout SlowTransaction, _ log: SlowChecker, _ places: [Int]
    ) {
        known.isUpgraded =
            latest(log, places) { event -> Bool? in
                guard case .receiptListed(let row) = event.fact else { return nil }
                return row.upgraded
            }?.value ?? false
        let cancelled = latest(log, places) { event -> Timestamp?? in
            switch event.fact {
            case .receiptListed(let row): return row.cancelledAt.map { .some($0) }
            case .cancellationRefunded(let said): return .some(said.cancelledAt)
            case .cancellationRevoked(let said): return .some(said.cancelledAt)
            case .cancellationReversed: return .some(nil)
            case _: return nil
            }
        }
        known.cancelledAt = cancelled?.value
        known.ownership =
            latest(log, places) { event -> Ownership? in
                switch event.fact {
                case .queuePurchased(let said): return said.ownership
                case .queueRestored(let said): return said.ownership
                case .receiptListed(let said): return said.ownership
                case _: return nil
                }
            }?.value
        let kind = latest(log, places) { event -> Bool? in
            if event.type == .cancellationRevoked { return true }
            return event.type == .cancellationRefunded ? false : nil
        }
        known.isRevoked = kind?.value ?? ((known.ownership ?? .purchased) != .purchased)
        known.percent =
            latest(log, places) { event -> Int64? in
                if case .cancellationRefunded(let said) = event.fact { return said.percent }
                return event.type == .cancellationReversed ? 100_000 : nil
            }?.value
    }

    private static func fillRest(
        _ known: inout SlowTransaction, _ log: SlowChecker, _ places: [Int]
    ) {
        known.group = latest(log, places) { group($0.fact) }?.value
        let terms = { (event: Event<Written>) -> BillingTerms? in
            switch event.fact {
            case .queuePurchased(let said): return said.terms
            case .receiptListed(let said): return said.terms
            case .renewalStarted(let said): return said.terms
            case .renewalRenewed(let said): return said.terms
            case _: return nil
            }
        }
        known.terms.plan =
            latest(log, places) { event -> BillingPlan? in terms(event)?.plan }?.value
        known.terms.number = latest(log, places) { event -> Int64? in terms(event)?.number }?.value
        known.terms.of = latest(log, places) { event -> Int64? in terms(event)?.of }?.value
        known.terms.until =
            latest(log, places) { event -> Timestamp? in terms(event)?.until }?.value
        known.terms.price = latest(log, places) { event -> Int64? in terms(event)?.price }?.value
        let price = latest(log, places) { event -> (Int64, Currency?)? in
            switch event.fact {
            case .queuePurchased(let said): return said.price.map { ($0, said.currency) }
            case .receiptListed(let said): return said.price.map { ($0, said.currency) }
            case .renewalStarted(let said): return said.price.map { ($0, said.currency) }
            case .renewalRenewed(let said): return said.price.map { ($0, said.currency) }
            case _: return nil
            }
        }
        (known.price, known.currency) = (price?.value.0, price?.value.1)
        let naming = SlowChecker.statements + cancellations
        let account = earliest(log, places) { event -> AccountID<Written>? in
            naming.contains(event.type) ? event.account : nil
        }
        (known.account, known.accountPlace) = (account?.value, account?.place)
        known.cancellationAccountPlace =
            earliest(log, places) { event -> AccountID<Written>? in
                cancellations.contains(event.type) ? event.account : nil
            }?.place
    }

    static func purchasedAt(_ fact: Fact<Written>) -> Timestamp? {
        switch fact {
        case .queuePurchased(let said): said.purchasedAt
        case .queueRestored(let said): said.purchasedAt
        case .receiptListed(let said): said.purchasedAt
        case .renewalStarted(let said): said.purchasedAt
        case .renewalRenewed(let said): said.purchasedAt
        case _: nil
        }
    }

    private static func group(_ fact: Fact<Written>) -> GroupID<Written>? {
        switch fact {
        case .receiptListed(let said): said.group
        case .renewalStarted(let said): said.group
        case .renewalRenewed(let said): said.group
        case _: nil
        }
    }
}

// Who owns a line, and which group it is of.
extension SlowLines {
    /// The transactions of a line that have a period.
    func members(of original: TransactionID<Written>) -> [SlowTransaction] {
        transactions.values.filter {
            $0.original == original && $0.attestsPeriod && $0.end != nil && $0.start != nil
        }.sorted { $0.id.name < $1.id.name }
    }

    /// The account of the line's last link, otherwise the one that its facts name first.
    func account(ofLine original: TransactionID<Written>) -> AccountID<Written>? {
        guard originals.contains(original) else { return nil }
        let linked = log.events.last { event in
            guard case .accountLinked(let said) = event.fact else { return false }
            return said.original == original && event.account != nil
        }
        return linked?.account ?? named(ofLine: original)
    }

    /// The account that the line's facts name first, whatever arrived first.
    func named(ofLine original: TransactionID<Written>) -> AccountID<Written>? {
        var places = transactions.values.filter { $0.original == original }
            .compactMap(\.ownerPlace)
        places += transactions.keys.flatMap { leftBehind(by: $0, in: original) }
        places += self.places.filter { place in
            let event = log.events[place]
            return SlowLines.lineTypes.contains(event.type) && event.account != nil
                && event.fact.original == original
        }
        return places.min { log.precedes(log.events[$0], log.events[$1]) }
            .flatMap { log.events[$0].account }
    }

    /// The places of the accounts that a transaction named while it was of a line that it later
    /// left: they count (the statement of line-has-one-owner).
    private func leftBehind(
        by id: TransactionID<Written>, in original: TransactionID<Written>
    ) -> [Int] {
        let named = log.events.contains { $0.transaction == id && $0.fact.original == original }
        guard self[id].original != original, named || id == original else { return [] }
        return places.compactMap { place in
            guard log.original(of: id, upTo: place) == original else { return nil }
            let then = SlowLines(SlowChecker(events: Array(log.events[...place])))
            return then.originals.contains(original) ? then[id].ownerPlace : nil
        }
    }

    /// The account that a transaction belongs to: that of its line, otherwise the one that the
    /// statements name or whose payment it was.
    func owner(of id: TransactionID<Written>) -> AccountID<Written>? {
        let original = self[id].original
        if let account = account(ofLine: self[original].original) { return account }
        return self[original].account ?? self[id].account ?? payer(of: original) ?? payer(of: id)
    }

    private func payer(of id: TransactionID<Written>) -> AccountID<Written>? {
        let end = log.events.count - 1
        guard let payment = log.payment(of: id, upTo: end) else { return nil }
        return log.accountOfPayment(payment)
    }

    /// The group of a period: what its own statements say, otherwise its product's, otherwise the
    /// one that any statement of its line names.
    func group(of period: SlowPeriod) -> GroupID<Written>? {
        if let own = self[period.transaction].group { return own }
        if let product = period.product, let group = group(of: product) { return group }
        let original = self[period.transaction].original
        let ids = members(of: original).map(\.id)
        let named = places.filter { place in
            let event = log.events[place]
            guard let id = event.transaction, SlowLines.group(event.fact) != nil else {
                return false
            }
            return ids.contains(id) || place <= left[id]?[original] ?? -1
        }
        return named.max { log.precedes(log.events[$0], log.events[$1]) }
            .flatMap { SlowLines.group(log.events[$0].fact) }
    }

    private func group(of product: ProductID<Written>) -> GroupID<Written>? {
        let listed = log.events.last { event in
            guard case .catalogListed(let said) = event.fact else { return false }
            return said.product == product && said.group != nil
        }
        if case .catalogListed(let said) = listed?.fact { return said.group }
        // What any line of the log says, of whatever environment (event-log.md, 4).
        let whole = SlowChecker(events: log.whole ?? log.events)
        return SlowLines.earliest(whole, whole.events.indices) {
            event -> GroupID<Written>? in
            event.fact.product == product ? SlowLines.group(event.fact) : nil
        }?.value
    }
}

extension SlowChecker {
    /// The first account that an event of a payment names.
    func accountOfPayment(_ payment: PaymentID<Written>) -> AccountID<Written>? {
        events.first { $0.payment == payment && $0.account != nil }?.account
    }
}
