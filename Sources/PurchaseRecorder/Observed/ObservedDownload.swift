import PurchaseEvents

/// A download of hosted content: an `SKDownload`, or a test's own (G4.16).
public protocol ObservedDownload: AnyObject {
    /// The identifier of the content.
    var observedContent: String { get }
    /// The state; `nil` for a state that this version doesn't know.
    var observedDownloadState: DownloadState? { get }
    /// The bytes downloaded so far; `nil` if unknown.
    var observedBytes: Int64? { get }
    /// The size of the download in bytes; `nil` if unknown.
    var observedTotal: Int64? { get }
    /// The reason why the download failed; `nil` in other states (G4.17).
    var observedDownloadFailure: StoreFailure? { get }
    /// The transaction that the download belongs to.
    var observedTransaction: any ObservedTransaction { get }
}

/// The user's control of a download (G4.16).
public enum DownloadControl: String, CaseIterable, Hashable, Sendable {
    /// Starts the download, or restarts a failed one.
    case start
    /// Pauses the download.
    case pause
    /// Resumes a paused download.
    case resume
    /// Cancels the download for good.
    case cancel
}
