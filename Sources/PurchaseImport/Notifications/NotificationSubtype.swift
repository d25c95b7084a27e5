/// The subtypes of version 2 notifications (appstore.md, 2.2).
enum NotificationSubtype: String {
    case initialBuy = "INITIAL_BUY"
    case resubscribe = "RESUBSCRIBE"
    case billingRecovery = "BILLING_RECOVERY"
    case upgrade = "UPGRADE"
    case downgrade = "DOWNGRADE"
    case renewalEnabled = "AUTO_RENEW_ENABLED"
    case renewalDisabled = "AUTO_RENEW_DISABLED"
    case voluntary = "VOLUNTARY"
    case billingRetry = "BILLING_RETRY"
    case priceIncrease = "PRICE_INCREASE"
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    case gracePeriod = "GRACE_PERIOD"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case summary = "SUMMARY"
    case failure = "FAILURE"
    case unreported = "UNREPORTED"
    case created = "CREATED"
    case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
}

extension ServerNotification.Kind {
    var subtypes: [NotificationSubtype] {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .renewed: [.billingRecovery]
        case .planChanged, .offerRedeemed: [.upgrade, .downgrade]
        case .renewalStatusChanged: [.renewalEnabled, .renewalDisabled]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
        case .failedToRenew: [.gracePeriod]
        case .priceIncrease: [.pending, .accepted]
        case .renewalExtension: [.summary, .failure]
        case .externalPurchaseToken: [.unreported, .created, .activeTokenReminder]
        case .graceExpired, .refund, .refundReversed, .refundDeclined, .consumptionRequest,
            .revoked, .oneTimeCharge, .renewalExtended, .metadataUpdate, .migration, .priceChange,
            .consentRescinded, .test:
            []
        }
    }

    func subtype(named name: String) -> NotificationSubtype? {
        subtypes.first { $0.rawValue == name }
    }
}
