import PurchaseEvents

/// A kind of document that the App Store sends: how it is recognised, and what it states.
///
/// Recognising is by content, never by the file's name. `states` gives `nil` where the document
/// can't be mapped at all, with a remark.
struct AppStoreFormat: Sendable {
    /// Whether an object is a document of this kind.
    let recognises: @Sendable (JSONValue) -> Bool
    /// What the document states.
    let states: @Sendable (JSONValue, ImportRemarks, ImportOptions) -> StatedSource?

    /// The formats, the first that recognises a document reads it: a new one is one file and one
    /// element here.
    static let all = [statusUpdateNotification, verifyReceiptResponse]
}
