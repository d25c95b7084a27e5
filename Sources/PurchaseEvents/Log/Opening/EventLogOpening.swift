extension EventLog {
    // MARK: Creating and opening

    /// Creates a log: its file, for the owner alone, and line 1, `log.opened`.
    ///
    /// Each line carries a chain value (event-log.md, 6), unless `chained` is `false`. A file of 0
    /// bytes, which a crash in the midst of creating leaves, is taken as none. Throws
    /// ``EventLogError/alreadyExists(path:)``, ``EventLogError/inUse(path:processID:)`` and what
    /// appending throws.
    public static func create(
        at path: String, app: String? = nil, writer: String? = nil, recordedAt: Timestamp,
        durability: Durability = .disk, layout: LogLayout = .file, chained: Bool = true
    ) throws(EventLogError) -> EventLog {
        try create(
            at: path, app: app, writer: writer, recordedAt: recordedAt, durability: durability,
            layout: layout, chained: chained, operations: SystemFiles())
    }

    /// Opens a log for writing, a file or a folder of segments; all of it is read, in constant
    /// memory but for the `id`s.
    ///
    /// What a crash left behind the last line is a torn tail, and cut off where that is asked for.
    /// Lines of types that aren't known, blank ones and breaks of the sequence don't hinder: they
    /// are in ``openingReport``. Where a line is damaged otherwise or isn't the next of the chain,
    /// or what was on the disk is missing, or the file holds no line and bytes that no log begins
    /// with, the log is open for reading alone: ``OpeningReport/damage`` says where, and appending
    /// throws ``EventLogError/damaged(path:_:)``.
    ///
    /// Throws ``EventLogError/noSuchLog(path:)``,
    /// ``EventLogError/notARegularFile(path:seen:)``, ``EventLogError/inUse(path:processID:)``,
    /// ``EventLogError/newerSchema(path:_:)``,
    /// ``EventLogError/tornTail(path:_:)`` unless it is to be cut, ``EventLogError/empty(path:)``,
    /// and ``EventLogError/shrank(path:read:size:)`` where a segment is missing or too short.
    public static func open(
        at path: String, durability: Durability = .disk, tornTail: TornTailPolicy = .refuse,
        segmentSize: Int64 = LogLayout.defaultSegmentSize
    ) throws(EventLogError) -> EventLog {
        try open(
            at: path, durability: durability, tornTail: tornTail, segmentSize: segmentSize,
            operations: SystemFiles())
    }

    /// What opening a log would find; nothing is changed.
    ///
    /// Throws what opening does, but for a torn tail, which is in the report:
    /// ``EventLogError/inUse(path:processID:)`` too, since the end of a log that is being written
    /// says nothing.
    public static func inspect(at path: String) throws(EventLogError) -> OpeningReport {
        try inspect(at: path, operations: SystemFiles())
    }

    package static func inspect(
        at path: String, operations: any FileOperations
    ) throws(EventLogError) -> OpeningReport {
        let bytes = try LogBytes(at: path, operations: operations)
        let lock = try WriterLock.look(atLog: path, files: bytes.files)
        try bytes.reload()
        var scan = OpeningScan(path: path)
        try scan.run(bytes, mark: lock?.earlierMark, visit: nil)
        var report = scan.report
        report.tail = scan.tail
        return report
    }

    /// Opens a log and shows each of its lines to whoever folds it, once, in their order.
    package static func open(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        visit: @escaping (DecodedLine<Fingerprinted>) -> Void
    ) throws(EventLogError) -> EventLog {
        try open(
            at: path, durability: durability, tornTail: tornTail, operations: SystemFiles(),
            visit: visit)
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
                LogOpened(
                    schema: 1, app: app, writer: writer, chained: chained ? true : nil)))
        let request = AppendRequest(drafts: [first], expecting: 0)
        for answer in appender.append([request]) { _ = try answer.get() }
        // Whatever is synced later must have a name to be found under.
        try opened.syncNames()
        if durability == .process { appender.noteMark(syncing: true) }
        var report = OpeningReport()
        report.events = 1
        return EventLog(
            path: path, durability: durability, report: report, operations: operations, appender)
    }

    package static func open(
        at path: String, durability: Durability, tornTail: TornTailPolicy,
        segmentSize: Int64 = LogLayout.defaultSegmentSize, operations: any FileOperations,
        visit: ((DecodedLine<Fingerprinted>) -> Void)? = nil
    ) throws(EventLogError) -> EventLog {
        let (scan, report, appender) = try take(
            path, durability, tornTail, segmentSize, operations, visit)
        guard scan.end.line > 1 || scan.isNoLog else { throw .empty(path: path) }
        return EventLog(
            path: path, durability: durability, report: report, operations: operations, appender)
    }

    /// Opens a log that nobody writes, cuts its torn tail off, and closes it: what was found.
    ///
    /// Throws what opening does; but where the tail was all that there was, the report tells of the
    /// cut and of no event.
    package static func recover(
        at path: String, recordedAt time: Timestamp, operations: any FileOperations = SystemFiles()
    ) throws(EventLogError) -> OpeningReport {
        let (scan, report, opened) = try take(
            path, .disk, .cut(recordedAt: time), LogLayout.defaultSegmentSize, operations, nil)
        guard scan.end.line > 1 || scan.tail != nil || report.damage != nil else {
            throw .empty(path: path)
        }
        var appender = opened
        appender.finish()
        return report
    }

    /// Takes the log's lock, reads all of it, and cuts a torn tail off where that is asked for.
    private static func take(
        _ path: String, _ durability: Durability, _ tornTail: TornTailPolicy,
        _ segmentSize: Int64, _ operations: any FileOperations, _ visit: OpeningScan.Visit?
    ) throws(EventLogError) -> (scan: OpeningScan, report: OpeningReport, appender: Appender) {
        let opened = try OpenedFiles.open(at: path, operations: operations)
        // A writer that died may have written lines that never reached the disk.
        if durability == .disk { try opened.sync() }
        try opened.syncNames()
        var scan = OpeningScan(path: path)
        let mark = opened.lock.earlierMark
        try scan.run(opened.store, mark: mark, visit: visit)
        var report = scan.report
        if let tail = scan.tail {
            guard case .cut = tornTail else { throw .tornTail(path: path, tail) }
            // A damaged log is evidence: nothing of it is changed.
            if report.damage == nil {
                try TornTail.cut(tail, off: opened.tail, at: opened.base)
            } else {
                report.tail = tail
            }
        }
        var appender = Appender(
            opened, durability: durability, segmentSize: segmentSize, scan)
        if report.damage == nil {
            // A mark of a batch that isn't being written any more must not outlive this.
            let isStale = mark.map { $0.batchEnd > scan.end.offset } ?? false
            appender.noteMark(syncing: isStale || durability == .process)
            if case .cut(let time) = tornTail {
                report.cuts = try appender.tellOfCuts(
                    at: scan.end, beside: opened.tail.path, recordedAt: time, opened.store.files)
                try settle(report.cuts, durability, &appender, opened.store.files)
            }
        }
        return (scan, report, appender)
    }

    /// Seals what was cut off, once it is on the disk that the log tells of it.
    private static func settle(
        _ cuts: [CutTail], _ durability: Durability, _ appender: inout Appender,
        _ files: SteadyFiles
    ) throws(EventLogError) {
        guard !cuts.isEmpty, appender.lastSeq > 0 else { return }
        if durability == .process { try appender.sync() }
        TornTail.seal(cuts, files: files)
    }
}

extension Appender {
    /// Appends a `log.recovered` for each tail that was cut off where the log ends, now or before a
    /// crash that came before it could be told.
    fileprivate mutating func tellOfCuts(
        at end: LogPosition, beside path: String, recordedAt time: Timestamp, _ files: SteadyFiles
    ) throws(EventLogError) -> [CutTail] {
        let cuts = try TornTail.kept(at: end, beside: path, files: files)
        guard !cuts.isEmpty, end.line > 1 else { return cuts }
        let drafts = cuts.map { cut in
            let name = cut.path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
            return Draft(
                at: time,
                .logRecovered(
                    LogRecovered(bytes: cut.tail.length, sha256: cut.sha256, file: name)))
        }
        for answer in append([AppendRequest(drafts: drafts)]) { _ = try answer.get() }
        return cuts
    }
}
