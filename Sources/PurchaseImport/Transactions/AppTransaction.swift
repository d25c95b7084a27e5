import PurchaseEvents

/// What the App Store signed of a download of the app: nothing of it is an event, so it is held to
/// its signature and its app, and counted.
enum AppTransaction {
    /// Takes an app transaction.
    static func take(_ opened: OpenedRecord, _ context: ReadContext) {
        guard opened.signature != .invalid, context.accepts(opened.record) else { return }
        opened.record.remarks.count(
            unplaced: "the download of the app itself", in: "app transactions")
        opened.record.remarkUnknownKeys(of: "app transaction", known: known)
    }

    private static let known: Set<String> = [
        "receiptType", "appAppleId", "bundleId", "applicationVersion", "versionExternalIdentifier",
        "receiptCreationDate", "originalPurchaseDate", "originalApplicationVersion",
        "deviceVerification", "deviceVerificationNonce", "preorderDate", "appTransactionId",
        "originalPlatform", "signedDate", "environment",
    ]
}
