/// Appends batches to an open log: one writer at a time, under the log's lock.
///
/// Each batch is one buffer and one write, followed by one sync with ``Durability/disk``. The
/// requests of a batch are answered last.
struct Appender: Sendable {
    private enum HaltReason: Sendable {
        /// A failed write or sync left the end of the file unknown; the batch may be on the disk.
        case unknownEnd(SystemError, Batch)
        case damaged(LogProblem)
    }

    /// The bytes appended between two updates of the durable mark with ``Durability/disk``; opening
    /// the log after a crash rewrites the bytes after the mark.
    private static let markStep: Int64 = 1 << 20

    let store: LogBytes
    /// Released when the last copy of the appender goes away.
    private let lock: WriterLock
    private let durability: Durability
    /// In bytes; a batch that would exceed it starts the next segment.
    private let segmentSize: Int64
    private var ids: IDIndex
    /// The file being written, and the number of bytes of the log before it.
    private var tail: OwnedFile
    private var base: Int64
    /// The size of the log up to the last acknowledged line.
    private(set) var size: Int64
    private var durableSize: Int64
    /// The `batchEnd` of the synced durable mark: lines up to this offset may be torn.
    private var markedEnd: Int64 = 0
    private var markedSize: Int64
    private var nextSeq: Int64
    private var chain: Chain?
    private var halt: HaltReason?
    private var mayHaveEmptySegment = false
    private(set) var syncStrength: SyncStrength?
    private let start: LogPosition
    private var report = OpeningReport()

    /// What a snapshot keeps of the log; `nil` if it isn't sound or its end isn't known.
    var snapshot: OpeningScan.Start? {
        let added = nextSeq - start.seq
        guard !isHalted, report.isKept,
            let end = LogPosition(offset: size, line: start.line + added, seq: nextSeq)
        else { return nil }
        var known = report
        known.events += added
        return OpeningScan.Start(end: end, report: known, ids: ids, chain: chain)
    }

    init(_ opened: OpenedFiles, durability: Durability, segmentSize: Int64, _ scan: OpeningScan) {
        self.init(
            opened, durability: durability, segmentSize: segmentSize, end: scan.end,
            ids: scan.ids, chain: scan.chain)
        report = scan.report
        if let damage = scan.report.damage { halt = .damaged(damage) }
    }

    init(
        _ opened: OpenedFiles, durability: Durability, segmentSize: Int64, end: LogPosition,
        ids: IDIndex, chain: Chain?
    ) {
        store = opened.store
        lock = opened.lock
        tail = opened.tail
        base = opened.base
        self.durability = durability
        self.segmentSize = segmentSize
        self.ids = ids
        self.chain = chain
        start = end
        size = end.offset
        markedSize = size
        let known = min(size, opened.lock.earlierMark?.durable ?? 0)
        durableSize = durability == .disk ? size : known
        nextSeq = end.seq
    }

    var lastSeq: Int64 { nextSeq - 1 }

    /// Appends the drafts of several requests in one batch, each request wholly or not at all.
    mutating func append(_ requests: [AppendRequest]) -> [Result<[Appended], EventLogError>] {
        var nobody: DecidingState?
        return append(requests, &nobody).map(\.undecided)
    }

    /// Appends several requests in one batch, each if `state` allows it on top of the ones before
    /// it; the state then knows exactly the durable lines.
    mutating func append(
        _ requests: [AppendRequest], _ state: inout DecidingState?
    ) -> [Result<[Appended], AppendFailure>] {
        do throws(EventLogError) {
            if let refusal { throw refusal }
            try state?.complete(from: store, to: size)
        } catch {
            return requests.map { request in
                // What the log has can still be told.
                guard request.decision != nil, let known = try? known(request.drafts) else {
                    return .failure(.log(error))
                }
                return .success(known)
            }
        }
        let count = requests.reduce(0) { $0 + $1.drafts.count }
        var staging = staging(of: requests.count, drafts: count)
        for request in requests { staging.take(request, &state) }
        let (batch, pending) = staging.finish()
        guard batch.lines.count > 0 else { return pending.results(with: []) }
        // For a large batch, another thread copies the lines while this one waits for the disk.
        let lines =
            batch.lines.count < BatchWriter.parallelThreshold
            ? nil : BackgroundValue { batch.results() }
        do throws(EventLogError) {
            try commit(batch)
        } catch {
            state?.goBack(to: size, of: store)
            return pending.results(failedWith: error)
        }
        state?.settle()
        return pending.results(with: lines?.get() ?? batch.results())
    }

    private func staging(of requests: Int, drafts: Int) -> Staging {
        let batch = BatchWriter(nextSeq: nextSeq, chain: chain, expecting: drafts)
        return Staging(store, ids, size: size, batch, expecting: requests)
    }

    /// The existing lines of the drafts, or `nil` if appending would add a new line.
    func known(_ drafts: [Draft]) throws(EventLogError) -> [Appended]? {
        var staging = staging(of: 1, drafts: 0)
        var nobody: DecidingState?
        staging.take(AppendRequest(drafts: drafts), &nobody)
        let (batch, pending) = staging.finish()
        let known = try pending.results(with: batch.results())[0].undecided.get()
        return batch.lines.count == 0 ? known : nil
    }

    mutating func sync() throws(EventLogError) {
        if let refusal { throw refusal }
        try syncOrHalt(Batch(nextSeq: nextSeq, chain: chain))
        if durability == .process { noteMark(syncing: true) }
    }

    /// Writes the durable mark to the lock file; if that fails, an older mark stays true.
    func noteMark(syncing: Bool) {
        let end = durability == .disk ? max(durableSize, markedEnd) : DurableMark.unknownEnd
        let mark = DurableMark(durable: durableSize, batchEnd: end)
        if case .damaged = halt { return }
        try? lock.note(mark, syncing: syncing)
    }

    /// Makes the whole log durable and records this in the lock file, before the log is closed.
    mutating func finish() {
        if !isHalted, durability == .process {
            try? syncOrHalt(Batch(nextSeq: nextSeq, chain: chain))
        }
        guard !isHalted else { return }
        try? lock.note(.safe(durableSize), syncing: markedEnd > durableSize)
    }

    private var isHalted: Bool { refusal != nil }

    private var refusal: EventLogError? {
        switch halt {
        case .unknownEnd(let error, _): .latched(path: store.path, error)
        case .damaged(let problem): .damaged(path: store.path, problem)
        case nil: nil
        }
    }

    // MARK: Writing

    private mutating func commit(_ batch: Batch) throws(EventLogError) {
        let count = Int64(batch.bytes.count)
        if mayHaveEmptySegment
            || store.isFolder && size > base && size - base + count > segmentSize
        {
            try rotate()
        }
        let status = try tail.status()
        guard status.links > 0, status.size == size - base else {
            throw .changedOutside(
                path: tail.path, expected: size - base, seen: status.links > 0 ? status.size : nil)
        }
        // The disk may store a later line of the batch without an earlier one.
        let needsMark = durability == .disk && batch.lines.count > 1
        if needsMark, size + count > markedEnd { try mark(after: count) }
        do throws(SystemError) {
            try tail.append(batch.bytes)
        } catch {
            try cutBack(batch)
            if needsMark { noteMark(syncing: false) }
            throw .writeFailed(path: tail.path, error)
        }
        if durability == .disk { try syncOrHalt(batch) }
        adopt(batch)
        if needsMark || durability == .disk && size - markedSize >= Appender.markStep {
            noteMark(syncing: false)
            markedSize = size
        }
    }

    /// Syncs a mark that says lines after the current size may be torn, over at least a whole
    /// window, so that small batches share one sync of it.
    private mutating func mark(after count: Int64) throws(EventLogError) {
        let end = min(size + max(count, DurableMark.window), DurableMark.unknownEnd)
        do throws(SystemError) {
            try lock.note(DurableMark(durable: size, batchEnd: end), syncing: true)
        } catch {
            throw .writeFailed(path: lock.path, error)
        }
        markedEnd = end
    }

    private mutating func adopt(_ batch: Batch) {
        for (fingerprint, offset) in batch.ids { ids.insert(fingerprint, at: size + offset) }
        size += Int64(batch.bytes.count)
        if durability == .disk { durableSize = size }
        nextSeq = batch.nextSeq
        chain = batch.chain
    }

    /// Removes what a failed write left; if this fails too, the end of the file is unknown.
    private mutating func cutBack(_ batch: Batch) throws(EventLogError) {
        do throws(SystemError) {
            try tail.setSize(size - base)
            if durability == .disk { try tail.sync() }
        } catch {
            halt = .unknownEnd(error, batch)
            throw .latched(path: tail.path, error)
        }
    }

    /// Syncs the file. A failed sync is final: the system may have dropped the unwritten pages and
    /// report success next time.
    private mutating func syncOrHalt(_ batch: Batch) throws(EventLogError) {
        do throws(SystemError) {
            syncStrength = try tail.sync()
            durableSize = max(durableSize, size)
        } catch {
            halt = .unknownEnd(error, batch)
            // Cut off the unacknowledged batch: the next writer to open the log would find it in
            // the page cache and take it for durable.
            try? tail.setSize(size - base)
            throw .syncFailed(path: tail.path, error)
        }
    }

    // MARK: Segments

    mutating func rotate() throws(EventLogError) {
        if let refusal { throw refusal }
        guard store.isFolder else { throw .notSegmented(path: store.path) }
        guard size > base || mayHaveEmptySegment else { return }
        if durableSize < size { try syncOrHalt(Batch(nextSeq: nextSeq, chain: chain)) }
        let path = LogBytes.path(ofSegmentAt: size, in: store.path)
        // From here on, the next segment's name may fix the end of this segment, so nothing more
        // may be appended to it.
        mayHaveEmptySegment = true
        let next: OwnedFile
        do throws(EventLogError) {
            next = try OwnedFile(at: path, for: .creating, files: store.files)
        } catch .alreadyExists {
            next = try OwnedFile(at: path, for: .appending, files: store.files)
            let seen = try next.status().size
            guard seen == 0 else { throw .changedOutside(path: path, expected: 0, seen: seen) }
        }
        try next.doing(.sync, next.syncFolder())
        tail.setReadOnly()
        try go(on: next, at: size)
    }

    private mutating func go(on file: OwnedFile, at start: Int64) throws(EventLogError) {
        try store.reload()
        tail = file
        base = start
        mayHaveEmptySegment = false
        markedEnd = 0
    }

    /// Continues in a new file after a failed sync or cut: in a segment that starts at the last
    /// durable offset, or in a replacement of a one-file log.
    ///
    /// The new file has all bytes from its start on, including the failed batch, and is synced
    /// before it gets its name. Returns the lines of the failed batch.
    mutating func recover() throws(EventLogError) -> [Appended] {
        guard case .unknownEnd(_, let batch) = halt else {
            if let refusal { throw refusal }
            return []
        }
        let start = store.isFolder ? (durability == .disk ? size : max(base, durableSize)) : 0
        let path = store.isFolder ? LogBytes.path(ofSegmentAt: start, in: store.path) : store.path
        try store.reload()
        let next = try OwnedFile.replacing(path + ".new", files: store.files)
        try copy(from: start, to: next)
        try next.doing(.write, next.append(batch.bytes))
        syncStrength = try next.doing(.sync, next.sync())
        try next.rename(to: path, as: .sync)
        let named = try OwnedFile(at: path, for: .appending, files: store.files)
        if start > base { tail.setReadOnly() }
        try go(on: named, at: start)
        halt = nil
        adopt(batch)
        durableSize = size
        noteMark(syncing: false)
        return batch.results()
    }

    private func copy(from start: Int64, to file: OwnedFile) throws(EventLogError) {
        var offset = start
        while offset < size {
            let bytes = try store.read(at: offset, count: Int(min(1 << 18, size - offset)))
            guard !bytes.isEmpty else { throw .shrank(path: store.path, read: size, size: offset) }
            try file.doing(.write, file.append(bytes))
            offset += Int64(bytes.count)
        }
    }
}
