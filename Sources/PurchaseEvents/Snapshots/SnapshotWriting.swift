import Dispatch

/// Writes the snapshot of an open log: behind the appends, and when the log closes.
struct SnapshotWriting: Sendable {
    private let snapshot: LogSnapshot
    private var writtenSeq: Int64
    /// The greatest `seq` that the file knew when the log was opened; `nil` if none fitted.
    private let knownSeq: Int64?
    private let queue = DispatchQueue(label: "purchase-events.snapshot", qos: .utility)

    init(_ snapshot: LogSnapshot, after seq: Int64, knownSeq: Int64?) {
        self.snapshot = snapshot
        self.knownSeq = knownSeq
        writtenSeq = seq
    }

    /// Writes the snapshot on another thread once enough lines have been appended since the last.
    ///
    /// The state is copied when the next event changes it, so the lines between two snapshots grow
    /// with the log: all copies together cost a few times the state.
    mutating func writeIfDue(_ appender: Appender, _ deciding: DecidingState?) {
        let seq = appender.lastSeq
        guard seq - writtenSeq >= max(snapshot.interval, writtenSeq / 2) else { return }
        guard let content = SnapshotWriting.content(appender, deciding) else { return }
        writtenSeq = seq
        let store = appender.store
        queue.async { [snapshot] in
            guard let log = try? LogBytes(at: store.path, operations: store.files.operations) else {
                return
            }
            try? snapshot.write(content, of: log)
        }
    }

    /// Writes the snapshot of a log that is being closed, after any that is being written, unless
    /// the file has known all since the log was opened.
    mutating func finish(_ appender: Appender, _ deciding: DecidingState?) {
        queue.sync {}
        guard appender.lastSeq != knownSeq,
            let content = SnapshotWriting.content(appender, deciding)
        else { return }
        try? snapshot.write(content, of: appender.store)
    }

    private static func content(
        _ appender: Appender, _ deciding: DecidingState?
    ) -> LogSnapshot.Content? {
        guard let scan = appender.snapshot, deciding?.isWhole ?? true else { return nil }
        return LogSnapshot.Content(scan: scan, state: deciding?.folded)
    }
}
