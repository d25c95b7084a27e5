/// An append-only log of purchase events that is open for writing: one writer at a time.
///
/// It may be used from many tasks and threads at once; those that append at the same time share one
/// write and one sync. Each waits until its events are as safe as ``Durability`` says: the
/// asynchronous methods leave their thread to others meanwhile. The log keeps 24 bytes for each
/// `id` and no text of what it holds.
///
/// A log is a file, or a folder of segments (``LogLayout``), each a file that is named by the bytes
/// of the log before it.
///
/// A batch is appended whole or not at all, as far as errors go. A crash in the midst of a batch
/// may leave its first lines: nothing of it was acknowledged, and appending it again under the same
/// `id`s adds what is missing.
public final class EventLog: Sendable {
    /// Where the log is; a relative path leads from where the process worked when it was opened.
    public let path: String
    /// What an acknowledgement promises.
    public let durability: Durability
    /// What was found when the log was opened.
    public let openingReport: OpeningReport
    private let operations: any FileOperations
    private let appender: Protected<Appender?>
    private let queue: CommitQueue

    init(
        path: String, durability: Durability, report: OpeningReport,
        operations: any FileOperations, _ appender: Appender
    ) {
        self.path = path
        self.durability = durability
        openingReport = report
        self.operations = operations
        let state = Protected<Appender?>(appender)
        self.appender = state
        queue = CommitQueue { requests in
            state.withLock { state in
                guard var open = state.take() else {
                    return requests.map { _ in .failure(.closed(path: path)) }
                }
                // One owner at a time, so that the index of ids is changed in place and not copied.
                defer { state = open }
                return open.append(requests)
            }
        }
    }

    deinit { close() }

    // MARK: Appending

    /// Appends an event; when it returns, the event is as safe as ``durability`` says.
    ///
    /// Idempotent by `id`: a draft whose `id` and content the log has adds nothing and is answered
    /// with the line that is there. Throws as ``append(_:expecting:)`` does.
    @discardableResult
    public func append(_ draft: Draft) throws(EventLogError) -> Appended {
        let answers = try append([draft])
        precondition(answers.count == 1, "each draft has one answer")
        return answers[0]
    }

    /// Appends an event as ``append(_:)-(Draft)`` does, and leaves the thread to others meanwhile:
    /// of many tasks that append at once, all share one write and one sync.
    @discardableResult
    public func append(_ draft: Draft) async throws(EventLogError) -> Appended {
        let answers = try await append([draft])
        precondition(answers.count == 1, "each draft has one answer")
        return answers[0]
    }

    /// Appends a batch with one write and one sync; one answer a draft, in their order.
    ///
    /// `expecting` is the last `seq` that the caller knows: where the log is further, nothing is
    /// appended. It isn't looked at where the log has all of the drafts already. Of hundreds of
    /// drafts another thread computes the chain meanwhile.
    ///
    /// Throws ``EventLogError``: ``EventLogError/cannotWrite(draft:_:)``,
    /// ``EventLogError/openedAgain(draft:)``, ``EventLogError/idConflict(draft:id:seq:)``,
    /// ``EventLogError/unexpectedSequence(expected:seen:)`` are the caller's to mend,
    /// ``EventLogError/writeFailed(path:_:)`` passes with its cause, and after
    /// ``EventLogError/syncFailed(path:_:)`` nothing is appended until ``recover()`` or until the
    /// log is opened again.
    @discardableResult
    public func append(
        _ drafts: [Draft], expecting: Int64? = nil
    ) throws(EventLogError) -> [Appended] {
        try queue.append(AppendRequest(drafts: drafts, expecting: expecting)).get()
    }

    /// Appends a batch, and leaves the thread to others meanwhile.
    ///
    /// Throws what it does on a thread of its own.
    @discardableResult
    public func append(
        _ drafts: [Draft], expecting: Int64? = nil
    ) async throws(EventLogError) -> [Appended] {
        try await queue.append(AppendRequest(drafts: drafts, expecting: expecting)).get()
    }

    /// Begins a new segment, of a log that is a folder; the one before is never written to again.
    ///
    /// Does nothing where the last segment is empty. Throws ``EventLogError/notSegmented(path:)``
    /// of a log that is one file.
    public func rotate() throws(EventLogError) {
        try withAppender { (appender) throws(EventLogError) in try appender.rotate() }
    }

    /// Goes on after ``EventLogError/syncFailed(path:_:)`` or ``EventLogError/latched(path:_:)``:
    /// in a new segment that is named by the last good place, or, where the log is one file, in a
    /// copy that takes its name.
    ///
    /// What was not acknowledged is appended again, the same bytes under the same `id`s, and
    /// synced; only then the log goes on. Answers those events; none where nothing had failed.
    /// Where it throws ``EventLogError/failed(_:path:_:)``, nothing has changed, and it may be
    /// tried again.
    @discardableResult
    public func recover() throws(EventLogError) -> [Appended] {
        try withAppender { (appender) throws(EventLogError) in try appender.recover() }
    }

    /// What ``append(_:expecting:)`` would answer where the log has all of the drafts already;
    /// `nil` where it would append any.
    package func known(_ drafts: [Draft]) throws(EventLogError) -> [Appended]? {
        try withAppender { (appender) throws(EventLogError) in try appender.known(drafts) }
    }

    /// Makes what was appended so far safe against the loss of power, whatever ``durability``
    /// says.
    public func sync() throws(EventLogError) {
        try withAppender { (appender) throws(EventLogError) in try appender.sync() }
    }

    /// The greatest `seq` of the log.
    public var lastSeq: Int64 {
        get throws(EventLogError) {
            try withAppender { (appender) throws(EventLogError) in appender.lastSeq }
        }
    }

    /// How far the latest sync went; `nil` before the first one.
    ///
    /// ``SyncStrength/toDrive`` is a promise less than ``Durability/disk``: the file system can't
    /// do more.
    public var syncStrength: SyncStrength? {
        get throws(EventLogError) {
            try withAppender { (appender) throws(EventLogError) in appender.syncStrength }
        }
    }

    /// Closes the file, makes durable what isn't yet, and gives the lock back; what comes later is
    /// refused.
    ///
    /// A log that isn't held any more closes by itself.
    public func close() {
        appender.withLock { appender in
            appender?.finish()
            appender = nil
        }
    }

    // MARK: Reading

    /// Reads what has been acknowledged by now, from the first event of at least that `seq`.
    public func read(from seq: Int64 = 1) throws(EventLogError) -> EventReader {
        let size = try withAppender { (appender) throws(EventLogError) in appender.size }
        return try EventReader(at: path, fromSeq: seq, limit: size, operations: operations)
    }

    /// Reads what has been acknowledged by now, from a position.
    public func read(from position: LogPosition) throws(EventLogError) -> EventReader {
        let size = try withAppender { (appender) throws(EventLogError) in appender.size }
        return try EventReader(at: path, from: position, limit: size, operations: operations)
    }

    /// The bytes that have been acknowledged by now, from the start of a line, and where they end.
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
        try appender.withLock { (state) throws(EventLogError) in
            guard var open = state.take() else { throw .closed(path: path) }
            // One owner at a time, so that the index of ids is changed in place and not copied.
            defer { state = open }
            return try body(&open)
        }
    }
}
