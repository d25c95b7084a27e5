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
    /// The payloads of the notifications, of the transactions, and of the next renewals.
    private(set) var notifications: [Payload] = []
    private var transactions: [TransactionID<Written>: Payload] = [:]
    private var order: [TransactionID<Written>] = []
    private var kinds: [ProductID<Written>: ProductKind] = [:]
    private var groups: [ProductID<Written>: String] = [:]
    private var upgrades: [TransactionID<Written>: ProductID<Written>] = [:]

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
        events = log.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
            if case .event(let event) = decoded { return event } else { return nil }
        }
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

    private static func environment(_ event: Event<Written>) -> String {
        switch event.environment {
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .production, nil: "Production"
        }
    }

    /// The App Store's words for the types of products.
    private func type(of payload: Payload) -> String? {
        let product = payload.members.first { $0.key == "productId" }?.value as? String
        switch product.flatMap({ kinds[ProductID<Written>($0)] }) {
        case .consumable: return "Consumable"
        case .nonConsumable: return "Non-Consumable"
        case .autoRenewable: return "Auto-Renewable Subscription"
        case .nonRenewing: return "Non-Renewing Subscription"
        case nil: return nil
        }
    }

    // MARK: Statements

    private mutating func state(_ event: Event<Written>) {
        guard let (name, subtype) = StatedHistory.words(event.fact) else { return }
        // The same age as the statement in the generated log.
        let signedAt = event.signedAt ?? StatedHistory.ownDate(event.fact) ?? event.at
        let environment = StatedHistory.environment(event)
        let inner = StatedHistory.payloads(event.fact)
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
            name, subtype, uuid: "n\(notifications.count)", transaction: transaction,
            renewal: renewal, environment: environment)
        notifications.append(
            payload.with(
                ("signedDate", signedAt),
                (
                    "data",
                    ([
                        "environment": environment, "bundleId": "com.example.reader",
                    ] as Payload).with(
                        ("signedTransactionInfo", transaction.map(unsignedJWS)),
                        ("signedRenewalInfo", renewal.map(unsignedJWS)))
                )))
    }

    private func expiry(of transaction: TransactionID<Written>) -> (any Sendable)? {
        transactions[transaction]?.members.first { $0.key == "expiresDate" }?.value
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
            said.effect == .nextRenewal ? ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE") : nil
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

    // MARK: Documents

    /// The documents: notifications as they are sent, a history page, and a receipt.
    func documents(jws: (Payload) -> String = unsignedJWS) -> [String] {
        var documents = notifications.map { (["signedPayload": jws($0)] as Payload).json }
        let signed = order.compactMap { id -> Payload? in
            guard let payload = transactions[id] else { return nil }
            return payload.with(("signedDate", end), ("type", type(of: payload)))
        }
        let half = signed.count / 2
        for page in [signed.prefix(half), signed.dropFirst(half)] where !page.isEmpty {
            let texts: [any Sendable] = page.map(jws)
            let payload: Payload = [
                "revision": "r", "hasMore": false, "bundleId": "com.example.reader",
                "signedTransactions": texts,
            ]
            documents.append(payload.json)
        }
        return documents
    }
}
