import PurchaseEvents

/// A download of hosted content: `SKDownload`, or that of a test (G4.16).
public protocol ObservedDownload: AnyObject {
    /// The identifier of the content.
    var observedContent: String { get }
    /// The state; `nil` for one that this version doesn't know.
    var observedDownloadState: DownloadState? { get }
    /// The bytes so far, and of the whole; `nil` if unknown.
    var observedBytes: Int64? { get }
    /// The bytes of the whole; `nil` if unknown.
    var observedTotal: Int64? { get }
    /// Why it failed; `nil` in the other states (G4.17).
    var observedDownloadFailure: StoreFailure? { get }
    /// The transaction that the download belongs to.
    var observedTransaction: any ObservedTransaction { get }
}

/// What the user may do with a download (G4.16).
public enum DownloadControl: String, CaseIterable, Hashable, Sendable {
    /// Starts it, or starts a failed one again.
    case start
    /// Pauses it.
    case pause
    /// Goes on with a paused one.
    case resume
    /// Cancels it for good.
    case cancel
}
