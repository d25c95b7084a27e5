import PurchaseEvents

/// The deliveries and presentations of one original that a restore may bring back.
struct RestorableRecord: Sendable {
    /// Whether the original's product is back after a restore.
    enum Status: Sendable {
        /// Nothing is owed.
        case none
        /// The product is granted or pending.
        case fine
        /// The product is owed, and neither granted nor pending.
        case wanting
    }

    var original = TransactionHandle(index: 0)
    var product = ProductHandle(index: 0)
    @Packed var account: AccountHandle?
    @Packed var delivered: TransactionHandle?
    @Packed var presented: TransactionHandle?
    var presentedLine: LineNumber = 0
    var environment = Environment.production
    /// Whether an event since the latest restore may have changed the status.
    var isStale = false
    /// The status at the latest restore, and the product that it is about.
    var status = Status.none
    var judged = ProductHandle(index: 0)
}

/// The status of a record at a restore, and what may change it without an event that names the
/// original's purchases.
struct RestorableStatus {
    var status = RestorableRecord.Status.none
    var product: ProductHandle
    /// The instant from which a period starts or ends.
    var until: Timestamp?
    /// An unfinished transaction whose finish may change the status.
    var awaited: TransactionHandle?
    /// The line of a presentation that counts only for restores requested before it.
    var presentedLine: LineNumber?
    /// Whether the subscription holds too many periods to be looked through at each restore.
    var isTooLarge = false
}

extension Facts {
    /// The status of a record at an instant, for a restore that was requested at a line.
    ///
    /// - Parameter others: Earlier deliveries of the original's purchases.
    func status(
        of record: RestorableRecord, at instant: Timestamp, requested: LineNumber,
        others: [TransactionHandle]
    ) -> RestorableStatus {
        var judged = RestorableStatus(product: record.product)
        guard let owed = owedTransaction(record, at: instant, &judged) else { return judged }
        judged.status = .fine
        if let delivered = record.delivered {
            // A delivered plan counts for another until the period's own transaction is finished,
            // because until then the queue may still present it.
            if self[delivered].product != judged.product, !self[owed].isFinished,
                self[delivered].isDelivered
            {
                judged.awaited = owed
                return judged
            }
            if isGranted(record, judged.product, others) { return judged }
        }
        if let open = openEntry(record) {
            judged.awaited = open
            return judged
        }
        if record.presented != nil, record.presentedLine > requested {
            judged.presentedLine = record.presentedLine
            return judged
        }
        judged.status = .wanting
        return judged
    }

    /// Whether a record's product was owed at an instant, by all that the log attests; `nil` if its
    /// subscription holds too many periods to tell.
    ///
    /// A product whose kind has changed since was owed by its kind at that time.
    func wasOwed(
        _ product: ProductHandle, of record: RestorableRecord, at instant: Timestamp
    ) -> Bool? {
        switch self[record.product].kind ?? kind(of: record.original) {
        case .consumable, .nonRenewing, nil: return true
        case .nonConsumable, .autoRenewable:
            var judged = RestorableStatus(product: record.product)
            let owed = owedTransaction(record, at: instant, &judged)
            return judged.isTooLarge ? nil : owed != nil && judged.product == product
        }
    }

    /// The transaction that entitles at an instant; `nil` if nothing is owed.
    private func owedTransaction(
        _ record: RestorableRecord, at instant: Timestamp, _ judged: inout RestorableStatus
    ) -> TransactionHandle? {
        switch self[record.product].kind ?? kind(of: record.original) {
        case .nonConsumable:
            return owedPurchase(record, at: instant, &judged)
        case .autoRenewable:
            guard let subscription = subscription(keyedBy: record.original) else { return nil }
            guard !isLarge(nil, orSubscriptionOf: record.original) else {
                judged.isTooLarge = true
                return nil
            }
            let periods = periods(of: subscription)
            judged.until = periods.lazy.flatMap { [$0.start, $0.accessEnd] }
                .filter { $0 > instant }.min()
            let period = periods.last {
                $0.grants(at: instant) && self[$0.transaction].validation != .invalid
            }
            judged.product = period?.product ?? record.product
            return period?.transaction
        case .consumable, .nonRenewing, nil:
            return nil
        }
    }

    /// The purchase of a non-consumable that entitles at an instant: the original, otherwise what
    /// was bought or restored in its name.
    private func owedPurchase(
        _ record: RestorableRecord, at instant: Timestamp, _ judged: inout RestorableStatus
    ) -> TransactionHandle? {
        let original = record.original
        var until: [Timestamp] = []
        func entitles(_ purchase: TransactionHandle) -> Bool {
            guard self[purchase].statedLine != 0, self[purchase].validation != .invalid,
                let from = heldSince(purchase)
            else { return false }
            until += [from, self[purchase].refund?.cancelledAt].compactMap { $0 }
            return from <= instant && refundEnding(purchase, asOf: instant) == nil
        }
        defer { judged.until = until.filter { $0 > instant }.min() }
        if self[original].original == nil, self[original].statedLine != 0 {
            if entitles(original) { return original }
            guard isHeld(original, by: instant) else { return nil }
        }
        let members = family(of: original)
        judged.isTooLarge = members == nil
        return members?.first { self[$0].product == record.product && entitles($0) }
    }

    /// The purchases and restores that name an original; `nil` if they are too many to be looked
    /// through at each restore.
    private func family(of original: TransactionHandle) -> [TransactionHandle]? {
        var limit = SearchLimit(512)
        var members: [TransactionHandle] = []
        let isLarge = transactionsByOriginal.contains(under: UInt32(original.index)) { value in
            members.append(TransactionID(index: Int(value)))
            return limit.isReached()
        }
        return isLarge ? nil : members
    }

    private func members(of record: RestorableRecord) -> [TransactionHandle] {
        let periods = subscription(keyedBy: record.original).map { transactions(of: $0) } ?? []
        return [record.original] + periods + (family(of: record.original) ?? [])
    }

    /// An entry of an original that the queue has shown and that is not finished.
    private func openEntry(_ record: RestorableRecord) -> TransactionHandle? {
        if let presented = record.presented, presentations.isOpen(presented) { return presented }
        return members(of: record).first { presentations.isOpen($0) }
    }

    /// Whether a product of an original was delivered and not withdrawn since.
    private func isGranted(
        _ record: RestorableRecord, _ product: ProductHandle, _ others: [TransactionHandle]
    ) -> Bool {
        var grant = Grant()
        for member in members(of: record) + [record.delivered].compactMap({ $0 }) + others
        where self[member].product.map({ $0 == product }) ?? true {
            grant.add(self[member], member)
        }
        return grant.stands
    }
}
