import PurchaseEvents

/// The words of the App Store and of the format that a redaction leaves in open texts.
enum StoreWords {
    /// Whether a text is a known word under a key, and so names nobody.
    static func hold(_ text: String, under key: Key) -> Bool {
        switch key {
        case .error: KnownError(rawValue: text) != nil
        case .reason: RevocationReason(rawValue: text) != nil || text == otherReason
        case .name: notificationTypes.contains(text)
        case .subtype: subtypes.contains(text)
        case .period: isPeriod(text)
        case _: false
        }
    }

    private static let otherReason = "other"

    /// The notification types of versions 1 and 2, and what an importer writes if there is none.
    private static let notificationTypes: Set<String> = [
        "CANCEL", "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF",
        "DID_CHANGE_RENEWAL_PREFERENCE", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW",
        "DID_RECOVER", "DID_RENEW", "EXPIRED", "EXTERNAL_PURCHASE_TOKEN", "GRACE_PERIOD_EXPIRED",
        "INITIAL_BUY", "INTERACTIVE_RENEWAL", "METADATA_UPDATE", "MIGRATE", "MIGRATION",
        "OFFER_REDEEMED", "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE",
        "PRICE_INCREASE_CONSENT", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED", "RENEWAL",
        "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE", "SUBSCRIBED", "TEST",
        "unknown",
    ]

    private static let subtypes: Set<String> = [
        "ACCEPTED", "ACTIVE_TOKEN_REMINDER", "AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED",
        "BILLING_RECOVERY", "BILLING_RETRY", "CREATED", "DOWNGRADE", "FAILURE", "GRACE_PERIOD",
        "INITIAL_BUY", "PENDING", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", "RESUBSCRIBE",
        "SUMMARY", "UNKNOWN", "UNREPORTED", "UPGRADE", "VOLUNTARY",
    ]

    /// Whether a text is a duration of ISO 8601 with one unit, such as `P1M`; more digits than
    /// three could be a number of something else.
    private static func isPeriod(_ text: String) -> Bool {
        guard text.first == "P", let unit = text.last, "YMWD".contains(unit) else { return false }
        let number = text.utf8.dropFirst().dropLast()
        return (1...3).contains(number.count) && number.allSatisfy(Alphabet.digits.holds)
    }
}
