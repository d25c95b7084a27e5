/// An append-only log of purchase events, open for writing by one writer.
///
/// Tasks and threads may use a log concurrently; concurrent appends share one write and one sync.
/// An append returns when its events are as safe as ``Durability`` says; the asynchronous methods
/// suspend the task instead of blocking the thread. In memory, the log keeps 36 to 72 bytes for
/// each `id`, and no text.
///
/// A log is a file or a folder of segments (``LogLayout``); a segment's name is the number of bytes
/// of the log before it.
///
/// A batch that throws an error is not appended at all. A crash during a batch may leave its first
/// lines in the log: they were not acknowledged, and appending the batch again under the same `id`s
/// adds only the missing ones.
public final class EventLog: Sendable {
    /// The path of the log; a relative path starts at the working folder at the time of opening.
    public let path: String
    /// The guarantee that an append gives when it returns.
    public let durability: Durability
    /// The report of opening the log.
    public let openingReport: OpeningReport
    private let operations: any FileOperations
    private let writing: Protected<Writing>
    let queue: CommitQueue

    private struct Writing: Sendable {
        /// `nil` once the log is closed.
        var appender: Appender?
        var deciding: DecidingState?
        var snapshot: SnapshotWriting?
    }

    init(
        path: String, durability: Durability, report: OpeningReport,
        operations: any FileOperations, _ appender: Appender, _ snapshot: LogSnapshot? = nil,
        snapshotSeq: Int64? = nil
    ) {
        self.path = path
        self.durability = durability
        openingReport = report
        self.operations = operations
        let writing = Protected(
            Writing(
                appender: appender,
                snapshot: snapshot.map {
                    SnapshotWriting($0, after: appender.lastSeq, knownSeq: snapshotSeq)
                }))
        self.writing = writing
        queue = CommitQueue { requests in
            writing.withLock { writing in
                guard var open = writing.appender.take() else {
                    return requests.map { _ in .failure(.log(.closed(path: path))) }
                }
                // Keep one owner, so that the index of ids is changed in place and not copied.
                defer {
                    writing.snapshot?.writeIfDue(open, writing.deciding)
                    writing.appender = open
                }
                return open.append(requests, &writing.deciding)
            }
        }
    }

    deinit { close() }

    // MARK: Appending

    /// Appends an event and returns when it is as safe as ``durability`` says.
    ///
    /// Appending is idempotent by `id`: if the log already has the draft's `id` with the same
    /// content, nothing is added and the existing line is returned. Throws the same errors as
    /// `append(_:expecting:)`.
    @discardableResult
    public func append(_ draft: Draft) throws(EventLogError) -> Appended { try append([draft])[0] }

    /// Appends an event like ``append(_:)-(Draft)``, and suspends the task instead of blocking its
    /// thread.
    ///
    /// Concurrent tasks share one write and one sync.
    @discardableResult
    public func append(_ draft: Draft) async throws(EventLogError) -> Appended {
        try await append([draft])[0]
    }

    /// Appends a batch with one write and one sync, and returns one result per draft, in order.
    ///
    /// If `expecting` isn't the log's last `seq`, nothing is appended. `expecting` is ignored if
    /// the log already has every draft. For hundreds of drafts, another thread computes the chain.
    ///
    /// Throws ``EventLogError``. The caller must correct ``EventLogError/cannotWrite(draft:_:)``,
    /// ``EventLogError/openedAgain(draft:)``, ``EventLogError/idConflict(draft:id:seq:)`` and
    /// ``EventLogError/unexpectedSequence(expected:seen:)``. The append can be repeated once the
    /// cause of ``EventLogError/writeFailed(path:_:)`` is gone. After
    /// ``EventLogError/syncFailed(path:_:)`` every append throws until ``recover()`` or until the
    /// log is opened again.
    @discardableResult
    public func append(
        _ drafts: [Draft], expecting: Int64? = nil
    ) throws(EventLogError) -> [Appended] {
        try queue.append(AppendRequest(drafts: drafts, expectedLastSeq: expecting)).undecided.get()
    }

    /// Appends a batch like the blocking `append(_:expecting:)`, and suspends the task instead of
    /// blocking its thread.
    ///
    /// Throws the same errors.
    @discardableResult
    public func append(
        _ drafts: [Draft], expecting: Int64? = nil
    ) async throws(EventLogError) -> [Appended] {
        try await queue.append(AppendRequest(drafts: drafts, expectedLastSeq: expecting))
            .undecided.get()
    }

    // MARK: Deciding

    /// Lets a state that was folded from the whole log decide which requests the log takes.
    package func decide(with state: FoldedState) {
        writing.withLock { $0.deciding = DecidingState(state) }
    }

    /// Appends drafts if the state allows them, or returns the existing lines if the log already
    /// has all of them; concurrent calls share a sync, each decided on top of the ones before it.
    package func append(
        _ drafts: [Draft], if decision: Decision
    ) -> Result<[Appended], AppendFailure> {
        queue.append(AppendRequest(drafts: drafts, decision: decision))
    }

    /// Appends like the blocking `append(_:if:)`, but suspends the task.
    package func append(
        _ drafts: [Draft], if decision: Decision
    ) async -> Result<[Appended], AppendFailure> {
        await queue.append(AppendRequest(drafts: drafts, decision: decision))
    }

    /// Asks the state that decides; it knows the durable lines and no others.
    package func asking<Answer>(_ body: (FoldedState) -> Answer) -> Answer {
        writing.withLock { writing in
            guard let folded = writing.deciding?.folded else {
                preconditionFailure("a log is asked only after it was given its state")
            }
            return body(folded)
        }
    }

    /// Starts a new segment in a folder log; the previous segment is never written again.
    ///
    /// Does nothing if the last segment is empty. Throws ``EventLogError/notSegmented(path:)`` if
    /// the log is one file.
    public func rotate() throws(EventLogError) {
        try withAppender { (appender) throws(EventLogError) in try appender.rotate() }
    }

    /// Continues after ``EventLogError/syncFailed(path:_:)`` or ``EventLogError/latched(path:_:)``,
    /// in a new segment or in a new copy of a one-file log.
    ///
    /// The segment starts at the last durable offset; the copy takes the log's name. The
    /// unacknowledged events are appended again, with the same bytes and `id`s, and synced before
    /// the log continues. Returns those events, or none if nothing had failed. After
    /// ``EventLogError/failed(_:path:_:)`` the call can be repeated.
    @discardableResult
    public func recover() throws(EventLogError) -> [Appended] {
        try withAppender { (appender) throws(EventLogError) in try appender.recover() }
    }

    /// Makes everything appended so far safe against a power loss, whatever ``durability`` says.
    public func sync() throws(EventLogError) {
        try withAppender { (appender) throws(EventLogError) in try appender.sync() }
    }

    /// The greatest `seq` in the log, or 0 if it has no lines.
    public var lastSeq: Int64 {
        get throws(EventLogError) {
            try withAppender { (appender) throws(EventLogError) in appender.lastSeq }
        }
    }

    /// How far the most recent sync reached, or `nil` before the first sync.
    ///
    /// ``SyncStrength/toDrive`` is weaker than the promise of ``Durability/disk``, but the file
    /// system can do no more.
    public var syncStrength: SyncStrength? {
        get throws(EventLogError) {
            try withAppender { (appender) throws(EventLogError) in appender.syncStrength }
        }
    }

    /// Makes everything durable, closes the file and releases the lock; later calls throw.
    ///
    /// A log also closes when its last reference goes away.
    public func close() {
        writing.withLock { writing in
            guard var open = writing.appender.take() else { return }
            open.finish()
            writing.snapshot?.finish(open, writing.deciding)
        }
    }

    // MARK: Reading

    /// Reads the lines acknowledged so far, from the first line whose `seq` is at least `seq`.
    ///
    /// A line without an event counts with the `seq` expected at its place.
    public func read(from seq: Int64 = 1) throws(EventLogError) -> EventReader {
        let size = try withAppender { (appender) throws(EventLogError) in appender.size }
        return try EventReader(at: path, fromSeq: seq, limit: size, operations: operations)
    }

    /// Reads the lines acknowledged so far, from a position.
    public func read(from position: LogPosition) throws(EventLogError) -> EventReader {
        let size = try withAppender { (appender) throws(EventLogError) in appender.size }
        return try EventReader(at: path, from: position, limit: size, operations: operations)
    }

    /// The bytes acknowledged so far, from the start of a line, and the offset where they end.
    package func bytes(
        from offset: Int64
    ) throws(EventLogError) -> (source: any ByteSource, end: Int64) {
        let size = try withAppender { (appender) throws(EventLogError) in appender.size }
        let bytes = try LogBytes(at: path, operations: operations)
        let found = try bytes.size()
        guard found >= size else { throw .shrank(path: path, read: size, size: found) }
        return (FileSource(bytes, from: offset, to: size), size)
    }

    private func withAppender<Answer>(
        _ body: (inout Appender) throws(EventLogError) -> Answer
    ) throws(EventLogError) -> Answer {
        try writing.withLock { (writing) throws(EventLogError) in
            guard var open = writing.appender.take() else { throw .closed(path: path) }
            // Keep one owner, so that the index of ids is changed in place and not copied.
            defer { writing.appender = open }
            return try body(&open)
        }
    }
}
