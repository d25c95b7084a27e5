import PurchaseEvents

/// A kind of document that the App Store sends: how it is recognised, and what it states.
///
/// Recognising is by content, never by the file's name. `states` gives nothing where the document
/// can't be mapped at all, with a remark.
struct AppStoreFormat: Sendable {
    /// The kind of the documents.
    let kind: ImportKind
    /// Whether an object is a document of this kind.
    let recognises: @Sendable (JSONValue) -> Bool
    /// The statements of a document.
    let states: @Sendable (JSONValue, ImportRemarks, ReadContext) -> [StatedSource]

    /// The formats, the first that recognises a document reads it: a new one is one file and one
    /// element here.
    static let all = [
        statusUpdateNotification, serverNotification, history, status, notificationHistory,
        verifyReceiptResponse, receiptRequest, transactionInfo, decoded(.transaction),
        decoded(.renewalInfo), decoded(.appTransaction), storeKitConfiguration,
    ]
}
