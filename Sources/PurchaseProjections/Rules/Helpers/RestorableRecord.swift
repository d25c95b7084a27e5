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

    var original = TransactionID<Interned>(index: 0)
    var product = ProductID<Interned>(index: 0)
    @Packed var account: AccountID<Interned>?
    @Packed var delivered: TransactionID<Interned>?
    @Packed var presented: TransactionID<Interned>?
    var presentedLine: LineNumber = 0
    var environment = Environment.production
    /// Whether an event since the latest restore may have changed the status.
    var isStale = false
    /// The status at the latest restore, and the product that it is about.
    var status = Status.none
    var judged = ProductID<Interned>(index: 0)
}

/// The status of a record at a restore, and what may change it without an event that names the
/// original's purchases.
struct RestorableStatus {
    var status = RestorableRecord.Status.none
    var product: ProductID<Interned>
    /// The instant from which a period starts or ends.
    var until: Timestamp?
    /// An unfinished transaction whose finish may change the status.
    var awaited: TransactionID<Interned>?
    /// The line of a presentation that counts only for restores requested before it.
    var presentedLine: LineNumber?
    var isOfUnknownKind = false
    /// Whether the subscription holds too many periods to be looked through at each restore.
    var isTooLarge = false
}

extension Facts {
    /// The status of a record at an instant, for a restore that was requested at a line.
    ///
    /// - Parameter others: Earlier deliveries of the original's purchases.
    func status(
        of record: RestorableRecord, at instant: Timestamp, requested: LineNumber,
        others: [TransactionID<Interned>]
    ) -> RestorableStatus {
        var judged = RestorableStatus(product: record.product)
        guard let period = owedTransaction(record, at: instant, &judged) else { return judged }
        judged.status = .fine
        if let delivered = record.delivered {
            // A delivered transaction of another plan counts only until the period's own
            // transaction is finished, because until then the queue may still present it.
            if !self[period].isFinished, self[delivered].isDelivered {
                judged.awaited = period
                return judged
            }
            if isGranted(record, judged.product, others) { return judged }
        }
        if let presented = record.presented {
            if !self[presented].isFinished {
                judged.awaited = presented
                return judged
            }
            if record.presentedLine > requested {
                judged.presentedLine = record.presentedLine
                return judged
            }
        }
        judged.status = .wanting
        return judged
    }

    /// The transaction that entitles at an instant; `nil` if nothing is owed.
    private func owedTransaction(
        _ record: RestorableRecord, at instant: Timestamp, _ judged: inout RestorableStatus
    ) -> TransactionID<Interned>? {
        switch self[record.product].kind ?? kind(of: record.original) {
        case .nonConsumable:
            let known = self[record.original]
            guard known.refund == nil, known.validation != .invalid else { return nil }
            return record.original
        case .autoRenewable:
            guard let subscription = subscription(keyedBy: record.original) else { return nil }
            guard !isLarge(nil, orSubscriptionOf: record.original) else {
                judged.isTooLarge = true
                return nil
            }
            let periods = periods(of: subscription)
            judged.until = periods.lazy.flatMap { [$0.start, $0.accessEnd] }
                .filter { $0 > instant }.min()
            let period = periods.last { $0.grants(at: instant) }
            judged.product = period?.product ?? record.product
            return period?.transaction
        case .consumable, .nonRenewing:
            return nil
        case nil:
            judged.isOfUnknownKind = true
            return nil
        }
    }

    /// Whether a transaction of the product is delivered.
    private func isGranted(
        _ record: RestorableRecord, _ product: ProductID<Interned>,
        _ others: [TransactionID<Interned>]
    ) -> Bool {
        let grants = { (transaction: TransactionID<Interned>) in
            self[transaction].isDelivered
                && (self[transaction].product.map { $0 == product } ?? true)
        }
        if record.delivered.map(grants) ?? false || others.contains(where: grants) { return true }
        return subscription(keyedBy: record.original).map {
            transactions(of: $0).contains(where: grants)
        }
            ?? false
    }
}
