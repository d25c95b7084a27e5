import PurchaseEvents

/// Notifications that no history reaches, with invented values: one of each kind.
enum StoreSamples {
    /// The samples, signed at the end of a history.
    static func notifications(signedAt: Timestamp, salt: UInt64) -> [StoreNotification] {
        var names = SimulatedNames(salt: salt ^ 0x5A3B_1E5)
        return all.enumerated().map { index, sample in
            var notification = StoreNotification(
                type: sample.type, subtype: sample.subtype,
                signedAt: signedAt.advanced(byMilliseconds: Int64(index) - Int64(all.count)),
                environment: .production)
            notification.uuid = names.uuid()
            notification.isSample = true
            if let key = sample.key { notification.otherPayload = (key, payload(key, &names)) }
            return notification
        }
    }

    /// The types and subtypes; and the key of the payload in place of `data`, if there is one.
    private static let all: [(type: String, subtype: String?, key: String?)] = [
        ("TEST", nil, nil), ("RENEWAL_EXTENSION", "SUMMARY", "summary"),
        ("RENEWAL_EXTENSION", "FAILURE", nil),
        ("EXTERNAL_PURCHASE_TOKEN", "CREATED", "externalPurchaseToken"),
        ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", "externalPurchaseToken"),
        ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", "externalPurchaseToken"),
        ("RESCIND_CONSENT", nil, "appData"), ("METADATA_UPDATE", nil, nil),
        ("MIGRATION", nil, nil), ("PRICE_CHANGE", nil, nil), ("LOYALTY_AWARDED", "TOMORROW", nil),
    ]

    private static func payload(_ key: String, _ names: inout SimulatedNames) -> String {
        var json = JSONText()
        if key == "externalPurchaseToken" {
            json.add("externalPurchaseId", names.uuid())
            json.add("tokenCreationDate", Int64(1_767_225_600_000))
            json.add("appAppleId", StoreApp.number)
            json.add("bundleId", StoreApp.bundle)
            json.add("tokenType", "SERVICES")
            return json.text
        }
        json.add("environment", StoreApp.word(.production))
        json.add("appAppleId", StoreApp.number)
        json.add("bundleId", StoreApp.bundle)
        if key == "summary" {
            json.add("requestIdentifier", names.uuid())
            json.add("productId", SimulatedProduct.all[SimulatedProduct.subscriptions[0]].id.name)
            json.add("storefrontCountryCodes", list: ["\"USA\"", "\"DEU\""])
            json.add("succeededCount", Int64(941))
            json.add("failedCount", Int64(3))
        }
        return json.text
    }
}
