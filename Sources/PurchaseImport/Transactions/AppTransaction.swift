import PurchaseEvents

/// The App Store's signed record of a download of the app.
///
/// An app transaction gives no event; the import only checks and counts it.
enum AppTransaction {
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
