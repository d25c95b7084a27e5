/// An append-only log of purchase events that is open for writing: one writer at a time.
///
/// It may be used from many tasks and threads at once; appends follow one another. Each blocks its
/// thread until the events are as safe as ``Durability`` says. The log keeps 24 bytes for each `id`
/// and no text of what it holds.
///
/// A batch is appended whole or not at all, as far as errors go. A crash in the midst of a batch
/// may leave its first lines: nothing of it was acknowledged, and appending it again under the same
/// `id`s adds what is missing.
public final class EventLog: Sendable {
    /// Where the log is.
    public let path: String
    /// What an acknowledgement promises.
    public let durability: Durability
    /// What was found when the log was opened.
    public let openingReport: OpeningReport
    private let operations: any FileOperations
    private let appender: Protected<Appender?>

    private init(
        path: String, durability: Durability, report: OpeningReport,
        operations: any FileOperations, _ appender: Appender
    ) {
        self.path = path
        self.durability = durability
        openingReport = report
        self.operations = operations
        self.appender = Protected(appender)
    }

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

    /// Appends a batch with one write and one sync; one answer a draft, in their order.
    ///
    /// `expecting` is the last `seq` that the caller knows: where the log is further, nothing is
    /// appended. It isn't looked at where the log has all of the drafts already. Throws
    /// ``EventLogError``: ``EventLogError/cannotWrite(draft:_:)``,
    /// ``EventLogError/openedAgain(draft:)``, ``EventLogError/idConflict(draft:id:seq:)``,
    /// ``EventLogError/unexpectedSequence(expected:seen:)`` are the caller's to mend,
    /// ``EventLogError/writeFailed(path:_:)`` passes with its cause, and after
    /// ``EventLogError/syncFailed(path:_:)`` the log must be opened again.
    @discardableResult
    public func append(
        _ drafts: [Draft], expecting: Int64? = nil
    ) throws(EventLogError) -> [Appended] {
        try withAppender { (appender) throws(EventLogError) in
            try appender.append(drafts, expecting: expecting)
        }
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

    /// Closes the file and gives the lock back; what comes later is refused.
    ///
    /// A log that isn't held any more closes by itself.
    public func close() {
        appender.withLock { $0 = nil }
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
        let file = try OwnedFile(
            at: path, for: .reading, files: SteadyFiles(operations: operations))
        let found = try file.status().size
        guard found >= size else { throw .shrank(path: path, read: size, size: found) }
        return (FileSource(file, from: offset, to: size), size)
    }

    private func withAppender<Answer>(
        _ body: (inout Appender) throws(EventLogError) -> Answer
    ) throws(EventLogError) -> Answer {
        try appender.withLock { (state) throws(EventLogError) in
            guard var open = state else { throw .closed(path: path) }
            // One owner at a time, so that the index of ids is changed in place and not copied.
            state = nil
            defer { state = open }
            return try body(&open)
        }
    }
}

extension EventLog {
    // MARK: Creating and opening

    /// Creates a log: its file, for the owner alone, and line 1, `log.opened`.
    ///
    /// A file of 0 bytes, which a crash in the midst of creating leaves, is taken as none. Throws
    /// ``EventLogError/alreadyExists(path:)``, ``EventLogError/inUse(path:processID:)`` and what
    /// appending throws.
    public static func create(
        at path: String, app: String? = nil, writer: String? = nil, recordedAt: Timestamp,
        durability: Durability = .disk
    ) throws(EventLogError) -> EventLog {
        try create(
            at: path, app: app, writer: writer, recordedAt: recordedAt, durability: durability,
            operations: SystemFiles())
    }

    /// Opens a log for writing; all of it is read, in constant memory but for the `id`s.
    ///
    /// Lines that aren't understood, blank ones and breaks of the sequence don't hinder: they are
    /// in ``openingReport``. Throws ``EventLogError/noSuchLog(path:)``,
    /// ``EventLogError/notARegularFile(path:seen:)``, ``EventLogError/inUse(path:processID:)``,
    /// ``EventLogError/newerSchema(path:_:)``, ``EventLogError/chained(path:)``,
    /// ``EventLogError/tornTail(path:_:)`` unless it is to be cut, ``EventLogError/empty(path:)``.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse
    ) throws(EventLogError) -> EventLog {
        try open(at: path, durability: durability, tornTail: tornTail, operations: SystemFiles())
    }

    static func create(
        at path: String, app: String?, writer: String?, recordedAt: Timestamp,
        durability: Durability, operations: any FileOperations
    ) throws(EventLogError) -> EventLog {
        let files = SteadyFiles(operations: operations)
        let lock = try WriterLock.take(ofLog: path, files: files)
        let source = try createFile(at: path, files: files)
        var appender = Appender(
            source, lock: lock, durability: durability, end: .start, ids: IDIndex())
        let opened = Draft(
            at: recordedAt, .logOpened(LogOpened(schema: 1, app: app, writer: writer)))
        _ = try appender.append([opened], expecting: 0)
        if durability == .disk {
            try source.doing(.sync) { () throws(SystemError) in try source.syncFolder() }
        }
        var report = OpeningReport()
        report.events = 1
        return EventLog(
            path: path, durability: durability, report: report, operations: operations, appender)
    }

    private static func createFile(
        at path: String, files: SteadyFiles
    ) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .creating, files: files)
        } catch .alreadyExists {
            let source = try OwnedFile(at: path, for: .appending, files: files)
            guard try source.status().size == 0 else { throw .alreadyExists(path: path) }
            return source
        }
    }

    /// Opens a log and shows each of its lines to who folds it, once, in their order.
    package static func open(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        visit: @escaping (DecodedLine<Fingerprinted>) -> Void
    ) throws(EventLogError) -> EventLog {
        try open(
            at: path, durability: durability, tornTail: tornTail, operations: SystemFiles(),
            visit: visit)
    }

    static func open(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        operations: any FileOperations, visit: OpeningScan.Visit? = nil
    ) throws(EventLogError) -> EventLog {
        let files = SteadyFiles(operations: operations)
        // The log first, so that opening one that doesn't exist leaves no lock file behind.
        let source = try OwnedFile(at: path, for: .appending, files: files)
        let lock = try WriterLock.take(ofLog: path, files: files)
        if durability == .disk {
            // A writer that died may have written lines that never reached the disk. They are
            // about to be taken for part of the log, so they must.
            try source.doing(.sync) { () throws(SystemError) in
                _ = try source.sync()
                try source.syncFolder()
            }
        }
        var scan = OpeningScan(path: path)
        try scan.run(source, visit: visit)
        var report = scan.report
        if let tail = scan.tail {
            guard tornTail == .cut else { throw .tornTail(path: path, tail) }
            report.cut = try TornTail.cut(tail, off: source)
        }
        guard scan.end.line > 1 else { throw .empty(path: path) }
        let appender = Appender(
            source, lock: lock, durability: durability, end: scan.end, ids: scan.ids)
        return EventLog(
            path: path, durability: durability, report: report, operations: operations, appender)
    }
}
