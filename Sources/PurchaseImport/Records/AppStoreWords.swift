import PurchaseEvents

/// The words and numbers that several kinds of App Store data share, in lower case.
enum AppStoreWords {
    static let kinds: [String: ProductKind] = [
        "auto-renewable subscription": .autoRenewable, "non-consumable": .nonConsumable,
        "consumable": .consumable, "non-renewing subscription": .nonRenewing,
    ]

    static let ownerships: [String: Ownership] = [
        "purchased": .purchased, "family_shared": .familyShared, "assigned": .assigned,
    ]

    static let offers: [String: Offer] = [
        "1": .introductory, "2": .promotional, "3": .code, "4": .winBack, "5": .retention,
    ]

    static let plans: [String: BillingPlan] = ["billed_upfront": .upfront, "monthly": .monthly]

    static let expirations: [String: ExpirationReason] = [
        "1": .cancelled, "2": .billing, "3": .priceIncrease, "4": .unavailable, "5": .other,
    ]
}

extension RecordReader {
    func ownership(_ key: String) -> Ownership? {
        word(key, AppStoreWords.ownerships, "PURCHASED, FAMILY_SHARED or ASSIGNED")
    }

    func refundReason(_ key: String, orRemark level: Level = .warning) -> RefundReason? {
        number(key, ["0": .other, "1": .issue], "0 or 1", orRemark: level)
    }

    /// The reason for an expiry; an unlisted one counts as `other`, with a remark.
    func expiration(_ key: String) -> ExpirationReason? {
        let reason = number(key, AppStoreWords.expirations, "1 to 5 (recorded as `other`)")
        return reason ?? (value(key)?.isPlain == true ? .other : nil)
    }
}
