/// The end of a log that is open for writing: one writer, under the log's lock.
///
/// A batch is one buffer, one write, one sync, and then the acknowledgement.
struct Appender: Sendable {
    /// Why nothing is appended any more.
    private enum Halt: Sendable {
        /// What of the file is on the disk is unknown; the batch that may be there.
        case unknownEnd(SystemError, Batch)
        /// The log was damaged when it was opened.
        case damaged(LogProblem)
    }

    /// So many bytes are appended without a note of how far the log is safe: so many are written
    /// once more after a crash.
    private static let markStep: Int64 = 1 << 20

    private let store: LogBytes
    /// Held as long as the appender lives.
    private let lock: WriterLock
    private let durability: Durability
    /// A batch that would make a segment longer begins the next one.
    private let segmentSize: Int64
    private var ids: IDIndex
    /// The file that is written to, and the bytes of the log before it.
    private var tail: OwnedFile
    private var base: Int64
    /// The size of the log up to the last line that was acknowledged.
    private(set) var size: Int64
    /// The size up to which it is on the disk for certain.
    private var durableSize: Int64
    /// Up to where the mark on the disk says that lines may be torn.
    private var markedEnd: Int64 = 0
    /// The size at which the mark was noted last.
    private var markedSize: Int64
    private var nextSeq: Int64
    /// The chain up to the last line; `nil` in a log that isn't chained.
    private var chain: Chain?
    private var halt: Halt?
    /// Whether a new segment may have been made that is not written to yet.
    private var hasBegunSegment = false
    /// How far the latest sync went.
    private(set) var syncStrength: SyncStrength?

    /// An appender behind what a scan found.
    init(
        _ opened: OpenedFiles, durability: Durability, segmentSize: Int64, _ scan: OpeningScan
    ) {
        self.init(
            opened, durability: durability, segmentSize: segmentSize, end: scan.end,
            ids: scan.ids, chain: scan.chain)
        if let damage = scan.report.damage { halt = .damaged(damage) }
    }

    /// An appender to a log that is known up to its end.
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
        size = end.offset
        markedSize = size
        let known = min(size, opened.lock.earlierMark?.durable ?? 0)
        durableSize = durability == .disk ? size : known
        nextSeq = end.seq
    }

    /// The greatest `seq`; 0 where there is no line.
    var lastSeq: Int64 { nextSeq - 1 }

    /// Appends the drafts of several requests with one write and one sync; each is answered alone,
    /// and appended whole or not at all.
    mutating func append(
        _ requests: [AppendRequest]
    ) -> [Result<[Appended], EventLogError>] {
        if let refusal { return requests.map { _ in .failure(refusal) } }
        let count = requests.reduce(0) { $0 + $1.drafts.count }
        var staging = staging(of: requests.count, drafts: count)
        for request in requests { staging.take(request) }
        let (batch, answers) = staging.finish()
        guard batch.lines.count > 0 else { return answers.given([]) }
        // Of a large batch another thread copies the lines while this one waits for the disk.
        let lines =
            batch.lines.count < BatchWriter.large ? nil : Meanwhile { batch.answers() }
        do throws(EventLogError) {
            try commit(batch)
        } catch {
            return answers.failed(error)
        }
        return answers.given(lines?.get() ?? batch.answers())
    }

    /// Where so many requests of so many drafts may be staged.
    private func staging(of requests: Int, drafts: Int) -> Staging {
        let batch = BatchWriter(nextSeq: nextSeq, chain: chain, expecting: drafts)
        return Staging(store, ids, size: size, batch, expecting: requests)
    }

    /// The answers where the log has all of the drafts; `nil` where any would be a new line.
    func known(_ drafts: [Draft]) throws(EventLogError) -> [Appended]? {
        var staging = staging(of: 1, drafts: 0)
        staging.take(AppendRequest(drafts: drafts))
        let (batch, answers) = staging.finish()
        let known = try answers.given(batch.answers())[0].get()
        return batch.lines.count == 0 ? known : nil
    }

    /// Makes durable what was appended so far.
    mutating func sync() throws(EventLogError) {
        if let refusal { throw refusal }
        try syncOrHalt(Batch(nextSeq: nextSeq, chain: chain))
        if durability == .process { noteMark(syncing: true) }
    }

    /// Notes in the lock file how far the log is safe, as far as that can be noted.
    func noteMark(syncing: Bool) {
        let end =
            durability == .disk ? max(durableSize, markedEnd) : DurableMark.unknownEnd
        let mark = DurableMark(durable: durableSize, batchEnd: end)
        if case .damaged = halt { return }
        try? lock.note(mark, syncing: syncing)
    }

    /// Leaves the log as one that is closed: all of it on the disk, and noted so.
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
        if hasBegunSegment || store.isFolder && size > base && size - base + count > segmentSize {
            try rotate()
        }
        let status = try tail.status()
        guard status.links > 0, status.size == size - base else {
            throw .changedOutside(
                path: tail.path, expected: size - base,
                seen: status.links > 0 ? status.size : nil)
        }
        // Of several lines a later one may reach the disk without an earlier one.
        let needsMark = durability == .disk && batch.lines.count > 1
        if needsMark, size + count > markedEnd { try mark(behind: count) }
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

    /// Has the mark on the disk say that what comes behind here may be torn: so many bytes, and
    /// what follows them for a while, so that not every batch needs a mark of its own.
    private mutating func mark(behind count: Int64) throws(EventLogError) {
        let end = min(size + max(count, DurableMark.window), DurableMark.unknownEnd)
        do throws(SystemError) {
            try lock.note(DurableMark(durable: size, batchEnd: end), syncing: true)
        } catch {
            throw .writeFailed(path: lock.path, error)
        }
        markedEnd = end
    }

    private mutating func adopt(_ batch: Batch) {
        for (fingerprint, offsets) in batch.ids {
            for offset in offsets { ids.insert(fingerprint, at: size + offset) }
        }
        size += Int64(batch.bytes.count)
        if durability == .disk { durableSize = size }
        nextSeq = batch.nextSeq
        chain = batch.chain
    }

    /// Takes back what a failed write left. Where that fails too, the end of the file is unknown.
    private mutating func cutBack(_ batch: Batch) throws(EventLogError) {
        do throws(SystemError) {
            try tail.setSize(size - base)
            if durability == .disk { try tail.sync() }
        } catch {
            halt = .unknownEnd(error, batch)
            throw .latched(path: tail.path, error)
        }
    }

    /// Syncs. A failed sync is final: the system may have dropped what it couldn't write and say
    /// yes when asked again, so nothing that it says of this file later proves anything.
    private mutating func syncOrHalt(_ batch: Batch) throws(EventLogError) {
        do throws(SystemError) {
            syncStrength = try tail.sync()
            durableSize = max(durableSize, size)
        } catch {
            halt = .unknownEnd(error, batch)
            // What wasn't acknowledged must not look like part of the log to whoever opens it next:
            // there it would be found in memory and taken for safe.
            try? tail.setSize(size - base)
            throw .syncFailed(path: tail.path, error)
        }
    }

    // MARK: Segments

    /// Begins a new segment, of a log that is a folder; the one before is sealed.
    mutating func rotate() throws(EventLogError) {
        if let refusal { throw refusal }
        guard store.isFolder else { throw .notSegmented(path: store.path) }
        guard size > base || hasBegunSegment else { return }
        if durableSize < size { try syncOrHalt(Batch(nextSeq: nextSeq, chain: chain)) }
        let path = LogBytes.path(ofSegmentAt: size, in: store.path)
        // From here on a file may say that the one before ends here: nothing is added to that.
        hasBegunSegment = true
        let next: OwnedFile
        do throws(EventLogError) {
            next = try OwnedFile(at: path, for: .creating, files: store.files)
        } catch .alreadyExists {
            next = try OwnedFile(at: path, for: .appending, files: store.files)
            let seen = try next.status().size
            guard seen == 0 else { throw .changedOutside(path: path, expected: 0, seen: seen) }
        }
        try next.doing(.sync) { () throws(SystemError) in try next.syncFolder() }
        tail.setReadOnly()
        try go(on: next, at: size)
    }

    private mutating func go(on file: OwnedFile, at start: Int64) throws(EventLogError) {
        try store.reload()
        tail = file
        base = start
        hasBegunSegment = false
        markedEnd = 0
    }

    /// Goes on after a failed sync, in a new file: a segment named by the last good place, or, of a
    /// log that is one file, its successor under its name.
    ///
    /// What was not acknowledged is written to it, it is synced, and only then it gets its name;
    /// the answers are those of the lines of the batch that failed.
    mutating func recover() throws(EventLogError) -> [Appended] {
        guard case .unknownEnd(_, let batch) = halt else {
            if let refusal { throw refusal }
            return []
        }
        let start = store.isFolder ? (durability == .disk ? size : max(base, durableSize)) : 0
        let path =
            store.isFolder ? LogBytes.path(ofSegmentAt: start, in: store.path) : store.path
        try store.reload()
        let next = try OwnedFile.replacing(path + ".new", files: store.files)
        try copy(from: start, to: next)
        try next.doing(.write) { () throws(SystemError) in try next.append(batch.bytes) }
        try next.doing(.sync) { () throws(SystemError) in
            syncStrength = try next.sync()
            try store.files.renameFile(at: next.path, to: path)
            try next.syncFolder()
        }
        let named = try OwnedFile(at: path, for: .appending, files: store.files)
        if start > base { tail.setReadOnly() }
        try go(on: named, at: start)
        halt = nil
        adopt(batch)
        durableSize = size
        noteMark(syncing: false)
        return batch.answers()
    }

    /// Copies what was acknowledged, from a place on, to a file.
    private func copy(from start: Int64, to file: OwnedFile) throws(EventLogError) {
        var offset = start
        while offset < size {
            let bytes = try store.read(at: offset, count: Int(min(1 << 18, size - offset)))
            guard !bytes.isEmpty else {
                throw .shrank(path: store.path, read: size, size: offset)
            }
            try file.doing(.write) { () throws(SystemError) in try file.append(bytes) }
            offset += Int64(bytes.count)
        }
    }
}
