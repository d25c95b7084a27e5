import PurchaseProjections
import PurchaseSimulation
import TestSigning

@testable import PurchaseEvents
@testable import PurchaseImport

// The documents that a server and an app hold of a generated history.
extension StatedHistory {
    /// Notifications as they are sent, pages of the transaction history and of the subscription
    /// statuses, and the app's receipt.
    ///
    /// - Parameter isSigned: Whether keys of the tests sign each of them; otherwise nobody does.
    func documents(isSigned: Bool = false) throws -> [String] {
        let jws: (Payload) -> String =
            isSigned ? { TestChain.payload.jws($0.json) } : { unsignedJWS($0) }
        var documents = notifications.map {
            (["signedPayload": jws($0.with(jws: jws))] as Payload).json
        }
        let signed = order.compactMap { self.signed($0) }
        let half = signed.count / 2
        for page in [signed.prefix(half), signed.dropFirst(half)] where !page.isEmpty {
            let texts: [any Sendable] = page.map(jws)
            let payload: Payload = [
                "revision": "r", "hasMore": false, "bundleId": "com.example.reader",
                "signedTransactions": texts,
            ]
            documents.append(payload.json)
        }
        for environment in environments {
            let transactions = signed.filter { $0["environment"] == environment }
            documents.append(receipt(of: transactions, environment, isSigned: isSigned))
        }
        return documents + (try statusPages(jws))
    }

    private var environments: [String] {
        Set(order.compactMap { transactions[$0]?["environment"] as String? }).sorted()
    }

    // MARK: The receipt

    /// The app's receipt in base64 when the history ends: a consumable leaves it when it is
    /// finished.
    private func receipt(
        of transactions: [Payload], _ environment: String, isSigned: Bool
    ) -> String {
        let kept = transactions.filter { $0["type"] != "Consumable" }
        let word = environment == "Sandbox" ? "ProductionSandbox" : environment
        var receipt = TestReceipt(
            attributes: [
                (0, ReceiptSample.text(word)), (2, ReceiptSample.text("com.example.reader")),
                (12, ReceiptSample.date(end.text)),
            ] + kept.map { (17, StatedHistory.attributes(of: $0)) })
        receipt.isSigned = isSigned
        return ReceiptSample.base64(receipt.bytes)
    }

    private static func attributes(of transaction: Payload) -> [UInt8] {
        let kinds: [String: Int64] = [
            "Non-Consumable": 0, "Consumable": 1, "Non-Renewing Subscription": 2,
            "Auto-Renewable Subscription": 3,
        ]
        func text(_ key: String) -> [UInt8] { ReceiptSample.text(transaction[key] ?? "") }
        func date(_ key: String) -> [UInt8] {
            ReceiptSample.date((transaction[key] as Timestamp?)?.text ?? "")
        }
        let kind = (transaction["type"] as String?).flatMap { kinds[$0] } ?? -1
        return TestReceipt.set([
            (1701, DERWriter.integer(1)), (1702, text("productId")), (1703, text("transactionId")),
            (1704, date("purchaseDate")), (1705, text("originalTransactionId")),
            (1706, date("originalPurchaseDate")), (1707, DERWriter.integer(kind)),
            (1708, date("expiresDate")), (1712, date("revocationDate")),
        ])
    }

    // MARK: Subscription statuses

    /// What the App Store answers to the question for all subscription statuses, a page for each
    /// environment: where each line stands when the history ends.
    private func statusPages(_ jws: (Payload) -> String) throws -> [String] {
        let lines = try Checking.show(log, asOf: end).rows(of: Subscriptions.self)
        return environments.compactMap { environment in
            let items = lines.compactMap { line -> (group: String, item: Payload)? in
                guard let last = line.periods.last,
                    let transaction = signed(TransactionID(last.transaction)),
                    transaction["environment"] == environment
                else { return nil }
                let renewal = renewalInfo(of: line).with(("environment", environment))
                let item: Payload = [
                    "status": StatedHistory.numbers[line.status] ?? 0,
                    "originalTransactionId": line.original,
                    "signedTransactionInfo": jws(transaction),
                    "signedRenewalInfo": jws(renewal),
                ]
                return (line.group ?? "g", item)
            }
            guard !items.isEmpty else { return nil }
            let groups = Dictionary(grouping: items) { $0.group }
            let data: [any Sendable] = groups.sorted { $0.key < $1.key }.map { group, items in
                let list: [any Sendable] = items.map(\.item)
                return ["subscriptionGroupIdentifier": group, "lastTransactions": list] as Payload
            }
            let page: Payload = [
                "environment": environment, "bundleId": "com.example.reader", "data": data,
            ]
            return page.json
        }
    }

    private static let numbers: [Subscriptions.Status: Int] = [
        .active: 1, .expired: 2, .retry: 3, .grace: 4, .refunded: 5, .revoked: 5,
    ]

    /// What the App Store says of the next renewal of a line when the history ends.
    private func renewalInfo(of line: SubscriptionRow) -> Payload {
        var (grace, reason) = (Timestamp?.none, ExpirationReason?.none)
        for event in events where event.fact.original?.name == line.original {
            switch event.fact {
            case .renewalFailed(let said): grace = said.graceExpiresAt
            case .renewalExpired(let said): reason = said.reason
            case .renewalStarted, .renewalRenewed, .queuePurchased: (grace, reason) = (nil, nil)
            case _: break
            }
        }
        let reasons: [ExpirationReason: Int] = [
            .cancelled: 1, .billing: 2, .priceIncrease: 3, .unavailable: 4, .other: 5,
        ]
        let isRetrying = line.status == .grace || line.status == .retry
        let payload: Payload = [
            "originalTransactionId": line.original, "signedDate": end,
            "isInBillingRetryPeriod": isRetrying,
        ]
        return payload.with(
            ("productId", line.product), ("autoRenewProductId", line.next ?? line.product),
            ("autoRenewStatus", line.autoRenew.map { $0 ? 1 : 0 }),
            ("appAccountToken", line.account),
            ("gracePeriodExpiresDate", line.status == .grace ? grace : nil),
            ("expirationIntent", line.status == .expired ? reason.flatMap { reasons[$0] } : nil))
    }
}

extension Payload {
    /// A notification whose inner payloads are signed records.
    fileprivate func with(jws: (Payload) -> String) -> Payload {
        guard let data: Payload = self["data"] else { return self }
        let transaction: Payload? = data["signedTransactionInfo"]
        let renewal: Payload? = data["signedRenewalInfo"]
        return with(
            (
                "data",
                data.with(
                    ("signedTransactionInfo", transaction.map(jws)),
                    ("signedRenewalInfo", renewal.map(jws)))
            ))
    }
}
