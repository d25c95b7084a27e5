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
        var batch = Batch(nextSeq: nextSeq, chain: chain, expecting: count)
        var writer = LineWriter()
        var answers: [Result<[Appended], EventLogError>] = []
        answers.reserveCapacity(requests.count)
        for request in requests {
            let place = batch.place
            do throws(EventLogError) {
                answers.append(.success(try stage(request, in: &batch, &writer)))
            } catch {
                batch.takeBack(to: place)
                answers.append(.failure(error))
            }
        }
        guard !batch.bytes.isEmpty else { return answers }
        let firstSeq = nextSeq
        do throws(EventLogError) {
            try commit(batch)
        } catch {
            // Who was answered with a line of the batch was answered too early.
            answers = answers.map { answer in
                guard case .success(let lines) = answer,
                    lines.contains(where: { $0.seq >= firstSeq })
                else { return answer }
                return .failure(error)
            }
        }
        return answers
    }

    /// The answers where the log has all of the drafts; `nil` where any would be a new line.
    func known(_ drafts: [Draft]) throws(EventLogError) -> [Appended]? {
        var batch = Batch(nextSeq: nextSeq, chain: chain)
        var writer = LineWriter()
        let answers = try stage(AppendRequest(drafts: drafts), in: &batch, &writer)
        return batch.bytes.isEmpty ? answers : nil
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

    // MARK: Staging

    private func stage(
        _ request: AppendRequest, in batch: inout Batch, _ writer: inout LineWriter
    ) throws(EventLogError) -> [Appended] {
        var answers: [Appended] = []
        answers.reserveCapacity(request.drafts.count)
        let seqBefore = batch.nextSeq
        for number in request.drafts.indices {
            answers.append(try stage(request.drafts[number], number, in: &batch, &writer))
        }
        if let expecting = request.expecting, batch.nextSeq > seqBefore,
            expecting != seqBefore - 1
        {
            throw .unexpectedSequence(expected: expecting, seen: seqBefore - 1)
        }
        return answers
    }

    private func stage(
        _ draft: Draft, _ number: Int, in batch: inout Batch, _ writer: inout LineWriter
    ) throws(EventLogError) -> Appended {
        try written(number) { () throws(WritingProblem) in
            try writer.rewrite(draft, batch.nextSeq)
        }
        if draft.type == .logOpened, batch.nextSeq > 1 { throw .openedAgain(draft: number) }
        var fingerprint: Fingerprint?
        if let id = draft.id {
            let seen = ids.fingerprint(of: id)
            if let known = try find(draft, id, seen, in: batch, number) {
                return Appended(outcome: .alreadyThere, seq: known.seq, line: known.line)
            }
            fingerprint = seen
        }
        return try written(number) { () throws(WritingProblem) in
            try batch.add(&writer, id: fingerprint)
        }
    }

    /// The line of the log or of the batch that has the draft's `id`, which must state the same.
    private func find(
        _ draft: Draft, _ id: String, _ fingerprint: Fingerprint, in batch: Batch, _ number: Int
    ) throws(EventLogError) -> (seq: Int64, line: [UInt8])? {
        var lines = batch.ids[fingerprint, default: []].map { batch.line(at: $0) }
        for offset in ids.offsets(of: fingerprint) { lines.append(try line(at: offset)) }
        if lines.isEmpty { return nil }
        let statement = try written(number) { () throws(WritingProblem) in
            try LineWriter.statement(of: draft.event)
        }
        var conflict: Int64?
        for line in lines {
            guard let known = KnownStatement(line), known.hasID(id) else { continue }
            if known.bytes == statement { return (known.seq, line) }
            conflict = conflict ?? known.seq
        }
        if let conflict { throw .idConflict(draft: number, id: id, seq: conflict) }
        return nil
    }

    private func line(at offset: Int64) throws(EventLogError) -> [UInt8] {
        let room = min(Int64(LineDecoder.maximumLineLength), size - offset)
        let bytes = try store.read(at: offset, count: Int(max(0, room)))
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    }

    @inline(__always)
    private func written<Answer>(
        _ draft: Int, _ body: () throws(WritingProblem) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(WritingProblem) {
            return try body()
        } catch {
            throw .cannotWrite(draft: draft, error)
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
            // What wasn't acknowledged must not look like part of the log to who opens it next:
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
        return batch.lines
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

/// Drafts that one caller wants appended, all or none.
struct AppendRequest: Sendable {
    var drafts: [Draft]
    /// The last `seq` that the caller knows.
    var expecting: Int64?
}
