import PurchaseEvents

/// What a log says of one download (G4.16).
public struct DownloadFacts: Hashable, Sendable {
    /// The state that it was last in.
    public var state: DownloadState
    /// The state before that, and its line; `nil` and 0 where there was none.
    public var stateBefore: DownloadState?
    /// The line of the state before.
    public var lineBefore: LineNumber
    /// The line of its first event.
    public var firstLine: LineNumber
    /// The line of its latest event.
    public var line: LineNumber
    /// The line at which it first finished or was cancelled, 0 while it has not.
    public var endedLine: LineNumber
    /// The download of the same transaction that became known before it.
    var previous: DownloadID<Interned>?
}
