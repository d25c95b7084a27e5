extension EventLog {
    // MARK: Creating and opening

    /// Creates a log: its file, which only the owner can read, and line 1, `log.opened`.
    ///
    /// Each line carries a chain value (event-log.md, 6) unless `chained` is `false`. An empty
    /// file, which a crash during creation leaves, counts as no file. Throws
    /// ``EventLogError/alreadyExists(path:)``, ``EventLogError/inUse(path:processID:)`` and the
    /// errors of appending.
    public static func create(
        at path: String, app: String? = nil, writer: String? = nil, recordedAt: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true
    ) throws(EventLogError) -> EventLog {
        try create(
            at: path, app: app, writer: writer, recordedAt: recordedAt, durability: durability,
            layout: layout, chained: chained, operations: SystemFiles())
    }

    /// Opens a log for writing, a file or a folder of segments.
    ///
    /// The whole log is read once, in constant memory apart from the index of `id`s. The torn tail
    /// that a crash leaves after the last line is cut off if `tornTail` says so. Unknown event
    /// types, blank lines and gaps in the sequence don't prevent appending: they are listed in
    /// ``openingReport``. The log opens read-only if a line is damaged in another way or breaks the
    /// chain, if bytes that were on the disk are missing, or if the file has no line and doesn't
    /// begin like a log. Then ``OpeningReport/damage`` says where, and appending throws
    /// ``EventLogError/damaged(path:_:)``.
    ///
    /// Throws ``EventLogError/noSuchLog(path:)``, ``EventLogError/notARegularFile(path:seen:)``,
    /// ``EventLogError/inUse(path:processID:)``, ``EventLogError/newerSchema(path:_:)``,
    /// ``EventLogError/tornTail(path:_:)`` unless `tornTail` says to cut the tail,
    /// ``EventLogError/empty(path:)``, and ``EventLogError/shrank(path:read:size:)`` if a segment
    /// is missing or too short.
    ///
    /// - Parameters:
    ///   - path: The path of the log.
    ///   - durability: What an append promises when it returns.
    ///   - tornTail: What to do with a torn tail.
    ///   - segmentSize: The largest size of a segment in bytes.
    ///   - snapshot: The path of a file from which the log opens at once: only the lines after it
    ///     are read. It is written when the log closes and every `snapshotInterval` lines, and is
    ///     never needed; one that doesn't fit the log is ignored. What `replay verify` proves of
    ///     the lines before it isn't proven again.
    ///   - snapshotInterval: The number of lines after which the snapshot is written again, behind
    ///     the appends.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse,
        segmentSize: Int64 = LogLayout.defaultSegmentSize, snapshot: String? = nil,
        snapshotInterval: Int64 = LogLayout.defaultSnapshotInterval
    ) throws(EventLogError) -> EventLog {
        try open(
            at: path, durability: durability, tornTail: tornTail, segmentSize: segmentSize,
            snapshot: snapshot, snapshotInterval: snapshotInterval, operations: SystemFiles())
    }

    /// Reports what opening the log would find, without changing anything.
    ///
    /// Throws the errors of opening, except that a torn tail is part of the report and an empty log
    /// gives a report without events. Also throws ``EventLogError/inUse(path:processID:)``, because
    /// the end of a log can't be judged while a writer appends to the log.
    public static func inspect(at path: String) throws(EventLogError) -> OpeningReport {
        try inspect(at: path, operations: SystemFiles())
    }

    package static func inspect(
        at path: String, operations: any FileOperations
    ) throws(EventLogError) -> OpeningReport {
        let bytes = try LogBytes(at: path, operations: operations)
        let lock = try WriterLock.inspect(atLog: path, files: bytes.files)
        try bytes.reload()
        var scan = OpeningScan(path: path)
        try scan.run(bytes, mark: lock?.earlierMark)
        var report = scan.report
        report.tail = scan.tail
        return report
    }

    package static func openFolding(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        snapshot: String? = nil,
        snapshotInterval: Int64 = LogLayout.defaultSnapshotInterval,
        operations: any FileOperations = SystemFiles()
    ) throws(EventLogError) -> (log: EventLog, state: FoldedState) {
        let opened = try opened(
            at: path, durability: durability, tornTail: tornTail, folds: true,
            snapshot: snapshot, snapshotInterval: snapshotInterval, operations: operations)
        return (opened.log, opened.state ?? FoldedState())
    }

    package static func create(
        at path: String, app: String?, writer: String?, recordedAt: Timestamp,
        durability: Durability, layout: LogLayout = .file, chained: Bool = true,
        operations: any FileOperations
    ) throws(EventLogError) -> EventLog {
        let opened = try OpenedFiles.create(at: path, layout, operations: operations)
        var segmentSize = LogLayout.defaultSegmentSize
        if case .segments(let size) = layout { segmentSize = size }
        var appender = Appender(
            opened, durability: durability, segmentSize: segmentSize, end: .start,
            ids: IDIndex(), chain: chained ? Chain() : nil)
        let first = Draft(
            at: recordedAt,
            .logOpened(
                LogOpened(schema: 1, app: app, writer: writer, chained: chained ? true : nil)))
        let request = AppendRequest(drafts: [first], expectedLastSeq: 0)
        for answer in appender.append([request]) { _ = try answer.get() }
        // Sync the names too, so that the synced bytes can be found after a power loss.
        try opened.syncNames()
        if durability == .process { appender.noteMark(syncing: true) }
        var report = OpeningReport()
        report.events = 1
        return EventLog(
            path: path, durability: durability, report: report, operations: operations, appender)
    }

    package static func open(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        segmentSize: Int64 = LogLayout.defaultSegmentSize, snapshot: String? = nil,
        snapshotInterval: Int64 = LogLayout.defaultSnapshotInterval,
        operations: any FileOperations
    ) throws(EventLogError) -> EventLog {
        try opened(
            at: path, durability: durability, tornTail: tornTail, segmentSize: segmentSize,
            folds: false, snapshot: snapshot, snapshotInterval: snapshotInterval,
            operations: operations
        ).log
    }

    private static func opened(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        segmentSize: Int64 = LogLayout.defaultSegmentSize, folds: Bool, snapshot: String?,
        snapshotInterval: Int64, operations: any FileOperations
    ) throws(EventLogError) -> (log: EventLog, state: FoldedState?) {
        let snapshot = snapshot.map {
            LogSnapshot(at: $0, every: snapshotInterval, operations: operations)
        }
        let (scan, report, appender) = try take(
            path, durability, tornTail, segmentSize, operations, folds: folds, snapshot)
        guard scan.end.line > 1 || scan.isNotALog else { throw .empty(path: path) }
        let log = EventLog(
            path: path, durability: durability, report: report, operations: operations, appender,
            snapshot, snapshotSeq: scan.snapshotSeq)
        return (log, scan.state)
    }

    /// Opens a log that no process is writing, cuts off its torn tail and closes it; returns what
    /// opening found, or throws its errors. If the tail was the whole log, the report contains the
    /// cut and no event.
    package static func recover(
        at path: String, recordedAt time: Timestamp, operations: any FileOperations = SystemFiles()
    ) throws(EventLogError) -> OpeningReport {
        let (scan, report, opened) = try take(
            path, .disk, .cut(recordedAt: time), LogLayout.defaultSegmentSize, operations)
        guard scan.end.line > 1 || scan.tail != nil || report.damage != nil else {
            throw .empty(path: path)
        }
        var appender = opened
        appender.finish()
        return report
    }

    private static func take(
        _ path: String, _ durability: Durability, _ tornTail: TornTailPolicy,
        _ segmentSize: Int64, _ operations: any FileOperations, folds: Bool = false,
        _ snapshot: LogSnapshot? = nil
    ) throws(EventLogError) -> (scan: OpeningScan, report: OpeningReport, appender: Appender) {
        let opened = try OpenedFiles.open(at: path, operations: operations)
        // A crashed writer may have written lines that never reached the disk.
        if durability == .disk { try opened.sync() }
        try opened.syncNames()
        let mark = opened.lock.earlierMark
        let known = snapshot?.read(of: opened.store, folds: folds)
        var scan = OpeningScan(path: path, folds: folds, after: known)
        try scan.run(opened.store, mark: mark)
        var report = scan.report
        if let tail = scan.tail {
            guard case .cut = tornTail else { throw .tornTail(path: path, tail) }
            // A damaged log is evidence, so nothing in it is changed.
            if report.damage == nil {
                try TornTail.cut(tail, off: opened.tail, at: opened.base)
            } else {
                report.tail = tail
            }
        }
        var appender = Appender(opened, durability: durability, segmentSize: segmentSize, scan)
        if report.damage == nil {
            // A mark for a batch that is no longer being written must not survive this opening.
            let isStale = mark.map { $0.batchEnd > scan.end.offset } ?? false
            appender.noteMark(syncing: isStale || durability == .process)
            if case .cut(let time) = tornTail {
                report.cuts = try appender.reportCuts(
                    at: scan.end, beside: opened.tail.path, recordedAt: time, opened.store.files)
                if !report.cuts.isEmpty, appender.lastSeq > 0 {
                    // The lines that report the copies must be on the disk first.
                    if durability == .process { try appender.sync() }
                    TornTail.seal(report.cuts, files: opened.store.files)
                }
            }
        }
        return (scan, report, appender)
    }
}

extension Appender {
    /// Appends a `log.recovered` for each tail that was cut off at the end of the log, now or by an
    /// earlier opening that crashed before it appended the line.
    fileprivate mutating func reportCuts(
        at end: LogPosition, beside path: String, recordedAt time: Timestamp, _ files: RetryingFiles
    ) throws(EventLogError) -> [CutTail] {
        let cuts = try TornTail.kept(at: end, beside: path, files: files)
        guard !cuts.isEmpty, end.line > 1 else { return cuts }
        let drafts = cuts.map { cut in
            let name = cut.path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
            return Draft(
                at: time,
                .logRecovered(LogRecovered(bytes: cut.tail.length, sha256: cut.sha256, file: name)))
        }
        for answer in append([AppendRequest(drafts: drafts)]) { _ = try answer.get() }
        return cuts
    }
}
