import PurchaseEvents

/// A kind of App Store document: how to recognise a document and how to read its statements.
///
/// A document is recognised by its content, never by the name of its file. For a document that
/// can't be mapped, `readStatements` returns no statements and adds a remark.
struct AppStoreFormat: Sendable {
    let kind: ImportKind
    /// Whether an object is a document of this kind.
    let recognises: @Sendable (JSONValue) -> Bool
    let readStatements: @Sendable (JSONValue, ImportRemarks, ReadContext) -> [StatedSource]

    /// All formats; the first that recognises a document reads it.
    static let all = [
        statusUpdateNotification, serverNotification, history, status, notificationHistory,
        verifyReceiptResponse, receiptRequest, transactionInfo, decoded(.transaction),
        decoded(.renewalInfo), decoded(.appTransaction), storeKitConfiguration,
    ]
}
