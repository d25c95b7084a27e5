/// The kind of an App Store document (importing.md, 1), recognised by content or given with `--as`.
public enum ImportKind: String, CaseIterable, Hashable, Sendable {
    /// A status update notification of version 1.
    case notificationV1 = "notification-v1"
    /// A response of verifyReceipt.
    case verifyReceipt = "verify-receipt"
    /// An App Store Server Notification of version 2.
    case notificationV2 = "notification-v2"
    /// A signed transaction, or its payload.
    case transaction
    /// A signed renewal info, or its payload.
    case renewalInfo = "renewal-info"
    /// A signed app transaction, or its payload.
    case appTransaction = "app-transaction"
    /// A page of the transaction history or refund history, or the response to an order look-up.
    case history
    /// The response with the statuses of all subscriptions.
    case status
    /// A page of the notification history.
    case notificationHistory = "notification-history"
    /// The response to a look-up of one transaction.
    case transactionInfo = "transaction-info"
    /// A PKCS #7 receipt.
    case receipt
    /// An Xcode StoreKit configuration.
    case storekit

    /// The name of the kind, in the singular and the plural.
    public var words: (one: String, many: String) {
        switch self {
        case .notificationV1: ("notification of version 1", "notifications of version 1")
        case .verifyReceipt: ("verifyReceipt response", "verifyReceipt responses")
        case .notificationV2: ("notification of version 2", "notifications of version 2")
        case .transaction: ("transaction", "transactions")
        case .renewalInfo: ("renewal info", "renewal infos")
        case .appTransaction: ("app transaction", "app transactions")
        case .history: ("history page", "history pages")
        case .status: ("status page", "status pages")
        case .notificationHistory: ("notification history page", "notification history pages")
        case .transactionInfo: ("transaction look-up", "transaction look-ups")
        case .receipt: ("receipt", "receipts")
        case .storekit: ("StoreKit configuration", "StoreKit configurations")
        }
    }
}
