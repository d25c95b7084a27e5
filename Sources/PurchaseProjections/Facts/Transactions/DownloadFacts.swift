import PurchaseEvents

/// The facts that a log states about one download (G4.16).
public struct DownloadFacts: BitwiseCopyable, Hashable, Sendable {
    /// The latest state.
    public var state: DownloadState
    /// The state before the latest; `nil` if there is none.
    public var stateBefore: DownloadState?
    /// The line of the state before the latest; 0 if there is none.
    public var lineBefore: LineNumber
    /// The line of the download's first event.
    public var firstLine: LineNumber
    /// The line of the download's latest event.
    public var line: LineNumber
    /// The line at which the download first finished or was cancelled; 0 while it is open.
    public var endedLine: LineNumber
    /// The download's identifier, and the device that reports it, by ``Facts/index(of:)``.
    var id: DownloadHandle, device: UInt32
    /// The place of the transaction's previously discovered download, plus 1; 0 if there is none.
    var previous: UInt32
}
