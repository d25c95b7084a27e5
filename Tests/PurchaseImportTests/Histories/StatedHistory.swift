import PurchaseSimulation
import TestSigning

@testable import PurchaseEvents
@testable import PurchaseImport

/// A generated history as the App Store would state it: a notification for each event of a
/// subscription or purchase, a page of all transactions, and a receipt.
struct StatedHistory {
    /// The generated log.
    let log: [UInt8]
    let events: [Event<Written>]
    /// The end of the history, when everything is known.
    let end: Timestamp
    /// The payloads of the notifications, with those of the signed records in them.
    private(set) var notifications: [Payload] = []
    private(set) var transactions: [TransactionID<Written>: Payload] = [:]
    private(set) var order: [TransactionID<Written>] = []
    private(set) var kinds: [ProductID<Written>: ProductKind] = [:]
    private(set) var groups: [ProductID<Written>: String] = [:]

    /// Creates the history of one customer from a seed.
    init(seed: UInt64, events count: Int = 120) throws {
        var options = SimulationOptions(events: count, accounts: 1, days: 365)
        options.salt = seed
        options.mix = .adverse
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var log: [UInt8] = []
        while try simulation.appendLine(to: &log) {}
        self.log = log
        let decoder = LineDecoder()
        events = log.split(separator: UInt8(ascii: "\n")).compactMap { decoder.event(on: $0) }
        end = (events.map(\.at).max() ?? .earliest).advanced(byMilliseconds: Timestamp.day)
        for event in events { learn(event) }
        for event in events { state(event) }
    }

    // MARK: Known transactions

    private mutating func learn(_ event: Event<Written>) {
        switch event.fact {
        case .catalogListed(let said):
            kinds[said.product] = said.kind
            groups[said.product] = said.group?.name
        case .queuePurchased(let said):
            let payload: Payload = [
                "transactionId": said.transaction.name,
                "originalTransactionId": (said.original ?? said.transaction).name,
                "productId": said.product.name, "purchaseDate": said.purchasedAt,
                "quantity": said.quantity ?? 1,
            ]
            add(
                said.transaction, event,
                payload.with(
                    ("expiresDate", said.expiresAt),
                    ("originalPurchaseDate", said.originalPurchasedAt)))
        case .renewalStarted(let said):
            addPeriod(
                said.transaction, said.original, said.product, said.purchasedAt, said.expiresAt,
                event)
        case .renewalRenewed(let said):
            addPeriod(
                said.transaction, said.original, said.product, said.purchasedAt, said.expiresAt,
                event)
        case .renewalExtended(let said):
            if let transaction = said.transaction {
                transactions[transaction] = transactions[transaction]?.with(
                    ("expiresDate", said.expiresAt))
            }
        case .cancellationRefunded(let said):
            cancel(said.transaction, ("revocationDate", said.cancelledAt))
            let reason: Int? = said.reason.map { $0 == .issue ? 1 : 0 }
            cancel(said.transaction, ("revocationReason", reason))
            cancel(said.transaction, ("revocationPercentage", said.percent))
        case .cancellationRevoked(let said):
            cancel(said.transaction, ("revocationDate", said.cancelledAt))
            cancel(said.transaction, ("revocationType", "FAMILY_REVOKE"))
        case .cancellationReversed(let transaction):
            for key in ["revocationDate", "revocationReason", "revocationPercentage"] {
                cancel(transaction, (key, nil))
            }
        case .receiptListed(let said):
            if let kind = said.kind { kinds[said.product] = kind }
            if said.upgraded == true {
                cancel(said.transaction, ("isUpgraded", true))
                cancel(said.transaction, ("revocationDate", said.cancelledAt))
            }
        case _: break
        }
    }

    private mutating func cancel(
        _ transaction: TransactionID<Written>, _ change: (key: String, value: (any Sendable)?)
    ) {
        transactions[transaction] = transactions[transaction]?.with(change)
    }

    private mutating func addPeriod(
        _ transaction: TransactionID<Written>, _ original: TransactionID<Written>,
        _ product: ProductID<Written>, _ from: Timestamp, _ to: Timestamp, _ event: Event<Written>
    ) {
        let payload: Payload = [
            "transactionId": transaction.name, "originalTransactionId": original.name,
            "productId": product.name, "purchaseDate": from, "expiresDate": to, "quantity": 1,
        ]
        add(transaction, event, payload)
    }

    private mutating func add(
        _ transaction: TransactionID<Written>, _ event: Event<Written>, _ payload: Payload
    ) {
        guard transactions[transaction] == nil else { return }
        order.append(transaction)
        transactions[transaction] = payload.with(
            ("bundleId", "com.example.reader"), ("appAccountToken", event.account?.name),
            ("environment", StatedHistory.environment(event)))
    }

    static func environment(_ event: Event<Written>) -> String {
        switch event.environment {
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .production, nil: "Production"
        }
    }

    /// What is known of a transaction when the history ends, as the App Store signs it then.
    func signed(_ id: TransactionID<Written>) -> Payload? {
        guard let payload = transactions[id] else { return nil }
        let product = payload["productId"].map { ProductID<Written>($0) }
        let words: [ProductKind: String] = [
            .consumable: "Consumable", .nonConsumable: "Non-Consumable",
            .autoRenewable: "Auto-Renewable Subscription",
            .nonRenewing: "Non-Renewing Subscription",
        ]
        return payload.with(
            ("signedDate", end), ("type", product.flatMap { kinds[$0] }.flatMap { words[$0] }),
            ("subscriptionGroupIdentifier", product.flatMap { groups[$0] }))
    }

    /// The purchase that a change of plan with effect at once is: the first of the new plan in the
    /// line since then.
    private func upgrade(
        _ said: RenewalPlanChanged<Written>, since time: Timestamp
    ) -> TransactionID<Written>? {
        order.first { id in
            guard let payload = transactions[id],
                let bought: Timestamp = payload["purchaseDate"]
            else { return false }
            return payload["productId"] == said.next.name
                && payload["originalTransactionId"] == said.original.name
                && bought.advanced(byMilliseconds: Timestamp.second) > time
        }
    }

    // MARK: Statements

    private mutating func state(_ event: Event<Written>) {
        guard let (name, subtype) = StatedHistory.words(event.fact) else { return }
        // The same age as the statement in the generated log.
        let signedAt = event.signedAt ?? StatedHistory.ownDate(event.fact) ?? event.at
        let environment = StatedHistory.environment(event)
        var inner = StatedHistory.payloads(event.fact)
        if case .renewalPlanChanged(let said) = event.fact, said.effect == .now {
            guard let bought = upgrade(said, since: event.at) else { return }
            (inner.transaction, inner.renewal) = (bought, nil)
        }
        let transaction = (inner.transaction ?? event.fact.transaction).flatMap { id in
            transactions[id]?.with(
                ("expiresDate", inner.expiresAt ?? expiry(of: id)),
                ("revocationDate", inner.cancelledAt), ("signedDate", signedAt),
                ("isUpgraded", nil))
        }
        let renewal = inner.renewal?.with(
            ("originalTransactionId", event.fact.original?.name),
            ("appAccountToken", event.account?.name), ("signedDate", signedAt),
            ("environment", environment))
        let payload = serverNotification(
            name, subtype, uuid: "n\(notifications.count)", environment: environment)
        let data: Payload = ["environment": environment, "bundleId": "com.example.reader"]
        notifications.append(
            payload.with(
                ("signedDate", signedAt),
                (
                    "data",
                    data.with(
                        ("signedTransactionInfo", transaction), ("signedRenewalInfo", renewal))
                )))
    }

    private func expiry(of transaction: TransactionID<Written>) -> Timestamp? {
        transactions[transaction]?["expiresDate"]
    }

    /// The type and subtype of the notification for a fact.
    private static func words(_ fact: Fact<Written>) -> (String, String?)? {
        switch fact {
        case .renewalStarted(let said):
            ("SUBSCRIBED", said.resubscribed == true ? "RESUBSCRIBE" : "INITIAL_BUY")
        case .renewalRenewed(let said):
            ("DID_RENEW", said.recovered == true ? "BILLING_RECOVERY" : nil)
        case .renewalFailed(let said):
            ("DID_FAIL_TO_RENEW", said.graceExpiresAt == nil ? nil : "GRACE_PERIOD")
        case .renewalGraceExpired: ("GRACE_PERIOD_EXPIRED", nil)
        case .renewalExpired(let said):
            (
                "EXPIRED",
                [
                    .cancelled: "VOLUNTARY", .billing: "BILLING_RETRY",
                    .priceIncrease: "PRICE_INCREASE", .unavailable: "PRODUCT_NOT_FOR_SALE",
                ][said.reason]
            )
        case .renewalTurnedOff: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
        case .renewalTurnedOn: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
        case .renewalPlanChanged(let said):
            ("DID_CHANGE_RENEWAL_PREF", said.effect == .now ? "UPGRADE" : "DOWNGRADE")
        case .renewalPriceIncreased(let said):
            ("PRICE_INCREASE", said.consent == .pending ? "PENDING" : "ACCEPTED")
        case .renewalExtended: ("RENEWAL_EXTENDED", nil)
        case .cancellationRefunded: ("REFUND", nil)
        case .cancellationRevoked: ("REVOKE", nil)
        case .cancellationReversed: ("REFUND_REVERSED", nil)
        case .cancellationDeclined: ("REFUND_DECLINED", nil)
        case .cancellationRequested: ("CONSUMPTION_REQUEST", nil)
        case _: nil
        }
    }

    /// The date in a fact that says when it happened, as its version uses it.
    private static func ownDate(_ fact: Fact<Written>) -> Timestamp? {
        switch fact {
        case .renewalStarted(let said): said.purchasedAt
        case .renewalRenewed(let said): said.purchasedAt
        case .cancellationRefunded(let said): said.cancelledAt
        case .cancellationRevoked(let said): said.cancelledAt
        case _: nil
        }
    }

    /// The values in the signed records of a notification, besides those of the transaction.
    private static func payloads(
        _ fact: Fact<Written>
    ) -> (
        transaction: TransactionID<Written>?, expiresAt: Timestamp?, cancelledAt: Timestamp?,
        renewal: Payload?
    ) {
        switch fact {
        case .renewalStarted(let said): (nil, said.expiresAt, nil, nil)
        case .renewalRenewed(let said): (nil, said.expiresAt, nil, nil)
        case .renewalExtended(let said): (nil, said.expiresAt, nil, nil)
        case .cancellationRefunded(let said): (nil, nil, said.cancelledAt, nil)
        case .cancellationRevoked(let said): (nil, nil, said.cancelledAt, nil)
        case .renewalFailed(let said):
            (
                nil, nil, nil,
                (["x": 0] as Payload).with(
                    ("x", nil), ("productId", said.product?.name),
                    ("isInBillingRetryPeriod", said.retrying),
                    ("gracePeriodExpiresDate", said.graceExpiresAt))
            )
        case .renewalExpired(let said):
            (nil, nil, nil, ([:] as Payload).with(("productId", said.product?.name)))
        case .renewalPlanChanged(let said):
            (
                nil, nil, nil,
                ([:] as Payload).with(
                    ("productId", said.product?.name), ("autoRenewProductId", said.next.name))
            )
        case .renewalTurnedOff: (nil, nil, nil, ["autoRenewStatus": 0])
        case .renewalTurnedOn: (nil, nil, nil, ["autoRenewStatus": 1])
        case .renewalGraceExpired, .renewalPriceIncreased: (nil, nil, nil, [:])
        case _: (nil, nil, nil, nil)
        }
    }
}
