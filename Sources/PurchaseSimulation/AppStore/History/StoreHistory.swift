import PurchaseEvents

/// What the App Store knows and tells: a fold of a timeline into transactions, subscriptions and
/// notifications.
struct StoreHistory {
    /// The notifications by the time of their signature.
    private(set) var notifications: [StoreNotification] = []
    /// The transactions and subscriptions as known at the end, by identifier.
    private(set) var transactions: [String: StoreTransaction] = [:]
    private(set) var subscriptions: [String: StoreSubscription] = [:]
    /// The transactions in the order in which the store came to know them.
    private(set) var order: [String] = []
    /// The time up to which the history goes.
    let end: Timestamp
    /// All that the log ever tells about each transaction.
    private let told: [String: StoreTransaction]
    private var now = Timestamp.earliest

    /// Reads a timeline; equal timelines give equal histories.
    init(_ timeline: StoreTimeline, salt: UInt64) {
        end = timeline.end
        told = timeline.transactions
        for entry in timeline.sorted {
            now = entry.time
            switch entry.content {
            case .event(let event): observe(event)
            case .redemption(let original):
                if let subscription = subscriptions[original] {
                    tell("OFFER_REDEEMED", nil, of: subscription.current)
                }
            }
        }
        date()
        var names = SimulatedNames(salt: salt ^ 0x5704_E000)
        for index in notifications.indices { notifications[index].uuid = names.uuid() }
    }

    private mutating func observe(_ event: Event<Written>) {
        if let told = StoreTransaction(event) {
            if transactions[told.id] == nil { return begin(told.id, event) }
            if case .receiptListed(let row) = event.fact { change(told.id, row) }
            return
        }
        if let id = event.fact.transaction?.name, transactions[id] != nil {
            changeTransaction(id, event.fact)
        } else if let original = event.fact.original?.name, subscriptions[original] != nil {
            changeSubscription(original, event.fact)
        }
    }

    // MARK: Purchases

    private mutating func begin(_ id: String, _ event: Event<Written>) {
        guard var transaction = told[id] else { return }
        if case .receiptListed(let row) = event.fact, row.upgraded == true {
            transaction.upgradedAt = row.cancelledAt ?? now
        }
        order.append(id)
        guard transaction.isPeriod else {
            transactions[id] = transaction
            return tell("ONE_TIME_CHARGE", nil, of: id)
        }
        let before = subscriptions[transaction.original]
        let latest = before.flatMap { transactions[$0.current] }
        if transaction.isRenewal {
            // A statement about a renewal leaves out what stays as it was.
            transaction.ownership = transaction.ownership ?? latest?.ownership
            transaction.quantity = transaction.quantity ?? latest?.quantity
        }
        // A line has one original date (appstore.md, 1.1).
        transaction.originalPurchasedAt =
            told[transaction.original]?.purchasedAt ?? latest?.originalPurchasedAt
            ?? transaction.originalPurchasedAt ?? transaction.purchasedAt
        transactions[id] = transaction
        var subscription = before ?? StoreSubscription(transaction)
        // A period that another already replaced begins nothing.
        if transaction.upgradedAt == nil || before == nil { subscription.begin(transaction) }
        subscriptions[transaction.original] = subscription
        if transaction.isRenewal {
            let subtype = transaction.isRecovery ? "BILLING_RECOVERY" : nil
            return tell("DID_RENEW", subtype, of: id, stating: [transaction.renewed])
        }
        guard let before, let latest, !before.isOver(latest) else {
            let subtype = before == nil ? "INITIAL_BUY" : "RESUBSCRIBE"
            let started = transaction.started(isResubscription: before == nil ? nil : true)
            return tell("SUBSCRIBED", subtype, of: id, stating: [started])
        }
        let isOffer = transaction.offer != nil
        guard before.product != transaction.product else {
            return tell(isOffer ? "OFFER_REDEEMED" : "DID_RENEW", nil, of: id)
        }
        transactions[latest.id]?.upgradedAt = transaction.purchasedAt
        let change = RenewalPlanChanged<Written>(
            original: TransactionID(transaction.original), next: ProductID(transaction.product),
            effect: .now)
        tell(
            isOffer ? "OFFER_REDEEMED" : "DID_CHANGE_RENEWAL_PREF", "UPGRADE", of: id,
            stating: [transaction.started(isResubscription: nil), .renewalPlanChanged(change)])
    }

    // MARK: Changes of a purchase

    /// Takes what a later row of a known transaction says anew: that another plan has replaced it,
    /// or that its period was extended.
    private mutating func change(_ id: String, _ row: ReceiptListed<Written>) {
        if row.upgraded == true {
            transactions[id]?.upgradedAt = row.cancelledAt ?? now
        } else if row.receipt == nil, let end = row.expiresAt,
            let before = transactions[id]?.expiresAt, end > before
        {
            extend(id, to: end)
        }
    }

    private mutating func extend(_ id: String, to end: Timestamp) {
        guard let transaction = transactions[id] else { return }
        transactions[id]?.expiresAt = end
        tell(
            "RENEWAL_EXTENDED", nil, of: id,
            stating: [
                .renewalExtended(
                    .init(
                        original: TransactionID(transaction.original),
                        transaction: TransactionID(id), expiresAt: end))
            ])
    }

    private mutating func changeTransaction(_ id: String, _ fact: Fact<Written>) {
        switch fact {
        case .cancellationRefunded(let refund):
            cancel(
                id, .init(at: refund.cancelledAt, reason: refund.reason, percent: refund.percent))
            tell("REFUND", nil, of: id)
        case .cancellationRevoked(let revoked):
            cancel(id, .init(at: revoked.cancelledAt, revocation: revoked.reason ?? "family"))
            tell("REVOKE", nil, of: id)
        case .cancellationReversed:
            transactions[id]?.cancellation = nil
            tell("REFUND_REVERSED", nil, of: id, stating: [fact])
        case .cancellationRequested: tell("CONSUMPTION_REQUEST", nil, of: id, stating: [fact])
        case .cancellationDeclined: tell("REFUND_DECLINED", nil, of: id, stating: [fact])
        case .renewalExtended(let extended): extend(id, to: extended.expiresAt)
        case _: break
        }
    }

    /// Cancels a purchase; the store doesn't renew a subscription whose present period it paid
    /// back or took away after it began.
    private mutating func cancel(_ id: String, _ cancellation: StoreCancellation) {
        transactions[id]?.cancellation = cancellation
        guard let transaction = transactions[id], transaction.purchasedAt <= cancellation.at,
            subscriptions[transaction.original]?.current == id
        else { return }
        let original = transaction.original
        subscriptions[original]?.renews = false
        if subscriptions[original]?.renewsCommitment != nil {
            subscriptions[original]?.renewsCommitment = false
        }
    }

    // MARK: Changes of a subscription

    private mutating func changeSubscription(_ original: String, _ fact: Fact<Written>) {
        guard let current = subscriptions[original]?.current else { return }
        switch fact {
        case .renewalTurnedOff(_, let commitment): turn(original, false, commitment == true)
        case .renewalTurnedOn(_, let commitment): turn(original, true, commitment == true)
        case .renewalPlanChanged(let change):
            // The new transaction tells a change that takes effect at once.
            guard change.effect == .nextRenewal else { return }
            let isUndone = change.next.name == subscriptions[original]?.product
            subscriptions[original]?.next = isUndone ? nil : change.next.name
            tell(
                "DID_CHANGE_RENEWAL_PREF", isUndone ? nil : "DOWNGRADE", of: current,
                stating: isUndone ? [fact] : [])
        case .renewalPriceIncreased(let increase):
            subscriptions[original]?.consent = increase.consent
            tell(
                "PRICE_INCREASE", increase.consent == .pending ? "PENDING" : "ACCEPTED",
                of: current)
        case .renewalFailed(let failure):
            subscriptions[original]?.state = .retrying
            subscriptions[original]?.graceUntil = failure.graceExpiresAt
            tell(
                "DID_FAIL_TO_RENEW", failure.graceExpiresAt == nil ? nil : "GRACE_PERIOD",
                of: current)
        case .renewalGraceExpired: tell("GRACE_PERIOD_EXPIRED", nil, of: current, stating: [fact])
        case .renewalExpired(let expired):
            subscriptions[original]?.state = .expired(expired.reason)
            subscriptions[original]?.renews = false
            tell("EXPIRED", StoreHistory.subtype(of: expired.reason), of: current)
        case .renewalExtended(let extended): extend(current, to: extended.expiresAt)
        case _: break
        }
    }

    private mutating func turn(_ original: String, _ isOn: Bool, _ ofCommitment: Bool) {
        guard let subscription = subscriptions[original] else { return }
        let current = subscription.current
        // Who buys a subscription anew turns it on: SUBSCRIBED RESUBSCRIBE says so.
        if isOn, let latest = transactions[current], subscription.isOver(latest) { return }
        if ofCommitment {
            subscriptions[original]?.renewsCommitment = isOn
        } else {
            subscriptions[original]?.renews = isOn
        }
        tell(
            "DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED",
            of: current)
    }

    private static func subtype(of reason: ExpirationReason) -> String? {
        switch reason {
        case .cancelled: "VOLUNTARY"
        case .billing: "BILLING_RETRY"
        case .priceIncrease: "PRICE_INCREASE"
        case .unavailable: "PRODUCT_NOT_FOR_SALE"
        case .other: nil
        }
    }

    // MARK: Telling

    /// Adds a notification about a transaction and its subscription, as they are now.
    private mutating func tell(
        _ type: String, _ subtype: String?, of id: String, stating facts: [Fact<Written>] = []
    ) {
        guard let transaction = transactions[id] else { return }
        var notification = StoreNotification(
            type: type, subtype: subtype, signedAt: now, environment: transaction.environment)
        notification.transaction = transaction
        notification.facts = [transaction.listed] + [transaction.cancelled].compactMap(\.self)
        notification.facts += facts
        if let subscription = subscriptions[transaction.original] {
            let current = transactions[subscription.current] ?? transaction
            (notification.subscription, notification.current) = (subscription, current)
            notification.status = subscription.status(current, at: now)
            notification.facts += subscription.facts(current, at: now)
        }
        if type == "CONSUMPTION_REQUEST" {
            let reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE"]
            notification.requestReason = reasons[notifications.count % reasons.count]
        }
        notifications.append(notification)
    }

    /// Gives the notifications of each subscription times of their own, so that the later
    /// statement wins.
    ///
    /// No time is after the end of the history.
    private mutating func date() {
        var latest: [String: Timestamp] = [:]
        for index in notifications.indices {
            let original = notifications[index].original ?? ""
            if let before = latest[original], before >= notifications[index].signedAt {
                notifications[index].signedAt = before.advanced(byMilliseconds: 1)
            }
            latest[original] = notifications[index].signedAt
        }
        var following: [String: Timestamp] = [:]
        for index in notifications.indices.reversed() {
            let original = notifications[index].original ?? ""
            let limit = following[original]?.advanced(byMilliseconds: -1) ?? end
            notifications[index].signedAt = min(notifications[index].signedAt, limit)
            following[original] = notifications[index].signedAt
        }
        notifications.sort { $0.signedAt < $1.signedAt }
    }
}
