import PurchaseEvents

/// Signs a payload: gives the compact JWS of it.
typealias StoreSigner = @Sendable (String) -> String

extension StoreNotification {
    func body(_ sign: StoreSigner) -> String { "{\"signedPayload\":\"\(signedPayload(sign))\"}" }

    func signedPayload(_ sign: StoreSigner) -> String { sign(payload(sign)) }

    /// The payload of the notification (appstore.md, 2.2).
    private func payload(_ sign: StoreSigner) -> String {
        var json = JSONText()
        json.add("notificationType", type)
        json.add("subtype", subtype)
        json.add("notificationUUID", uuid)
        if let otherPayload {
            json.add(otherPayload.key, raw: otherPayload.json)
        } else {
            json.add("data", raw: data(sign))
        }
        json.add("version", "2.0")
        json.add("signedDate", signedAt)
        return json.text
    }

    private func data(_ sign: StoreSigner) -> String {
        var json = JSONText()
        if environment == .production { json.add("appAppleId", StoreApp.number) }
        json.add("bundleId", StoreApp.bundle)
        json.add("bundleVersion", StoreApp.version)
        json.add("environment", StoreApp.word(environment))
        json.add("signedTransactionInfo", transaction.map { sign($0.payload(signedAt: signedAt)) })
        if let subscription, let current {
            json.add("signedRenewalInfo", sign(subscription.payload(current, signedAt: signedAt)))
        }
        json.add("status", status)
        json.add("consumptionRequestReason", requestReason)
        return json.text
    }
}
