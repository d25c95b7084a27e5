/// The end of a log that is open for writing: one file, one writer, under the log's lock.
///
/// A batch is one buffer, one write, one sync, and then the acknowledgement.
struct Appender: Sendable {
    private let source: OwnedFile
    /// Held as long as the appender lives.
    private let lock: WriterLock
    private let durability: Durability
    private var ids: IDIndex
    /// The size of the file up to the last line that was acknowledged.
    private(set) var size: Int64
    private var nextSeq: Int64
    /// What left the end of the file unknown.
    private var latch: SystemError?
    /// How far the latest sync went.
    private(set) var syncStrength: SyncStrength?

    init(
        _ source: OwnedFile, lock: WriterLock, durability: Durability, end: LogPosition,
        ids: IDIndex
    ) {
        self.source = source
        self.lock = lock
        self.durability = durability
        self.ids = ids
        size = end.offset
        nextSeq = end.seq
    }

    /// The greatest `seq`; 0 where there is no line.
    var lastSeq: Int64 { nextSeq - 1 }

    /// Appends all of the drafts that the log doesn't have, or throws and appends none.
    mutating func append(
        _ drafts: [Draft], expecting: Int64?
    ) throws(EventLogError) -> [Appended] {
        if let latch { throw .latched(path: source.path, latch) }
        let batch = try stage(drafts)
        guard !batch.bytes.isEmpty else { return batch.answers }
        if let expecting, expecting != lastSeq {
            throw .unexpectedSequence(expected: expecting, seen: lastSeq)
        }
        try commit(batch)
        return batch.answers
    }

    /// The answers where the log has all of the drafts; `nil` where any would be a new line.
    func known(_ drafts: [Draft]) throws(EventLogError) -> [Appended]? {
        let batch = try stage(drafts)
        return batch.bytes.isEmpty ? batch.answers : nil
    }

    /// Makes durable what was appended so far.
    mutating func sync() throws(EventLogError) {
        if let latch { throw .latched(path: source.path, latch) }
        try syncOrLatch(cuttingTo: size)
    }

    // MARK: Staging

    private func stage(_ drafts: [Draft]) throws(EventLogError) -> Batch {
        var batch = Batch(nextSeq: nextSeq)
        for (number, draft) in drafts.enumerated() {
            let event = draft.numbered(batch.nextSeq)
            let line = try written(number) { () throws(WritingProblem) in
                try LineWriter.line(of: event)
            }
            if case .logOpened = event.fact, batch.nextSeq > 1 {
                throw .openedAgain(draft: number)
            }
            guard let id = event.id else {
                batch.add(line, id: nil)
                continue
            }
            let fingerprint = ids.fingerprint(of: id)
            if let known = try find(event, fingerprint, in: batch, draft: number) {
                batch.add(alreadyThere: known.seq, line: known.line)
            } else {
                batch.add(line, id: fingerprint)
            }
        }
        return batch
    }

    /// The line of the log or of the batch that has the draft's `id`, which must state the same.
    private func find(
        _ event: Event<Written>, _ fingerprint: Fingerprint, in batch: Batch, draft: Int
    ) throws(EventLogError) -> (seq: Int64, line: [UInt8])? {
        guard let id = event.id else { return nil }
        var lines = batch.ids[fingerprint, default: []].map { batch.line(at: $0) }
        for offset in ids.offsets(of: fingerprint) { lines.append(try line(at: offset)) }
        if lines.isEmpty { return nil }
        let statement = try written(draft) { () throws(WritingProblem) in
            try LineWriter.statement(of: event)
        }
        var conflict: Int64?
        for line in lines {
            guard let known = KnownStatement(line), known.hasID(id) else { continue }
            if known.bytes == statement { return (known.seq, line) }
            conflict = conflict ?? known.seq
        }
        if let conflict { throw .idConflict(draft: draft, id: id, seq: conflict) }
        return nil
    }

    private func line(at offset: Int64) throws(EventLogError) -> [UInt8] {
        let room = min(Int64(LineDecoder.maximumLineLength), size - offset)
        let bytes = try source.read(at: offset, count: Int(max(0, room)))
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    }

    private func written(
        _ draft: Int, _ body: () throws(WritingProblem) -> [UInt8]
    ) throws(EventLogError) -> [UInt8] {
        do throws(WritingProblem) {
            return try body()
        } catch {
            throw .cannotWrite(draft: draft, error)
        }
    }

    // MARK: Writing

    private mutating func commit(_ batch: Batch) throws(EventLogError) {
        let status = try source.status()
        guard status.links > 0, status.size == size else {
            throw .changedOutside(
                path: source.path, expected: size, seen: status.links > 0 ? status.size : nil)
        }
        do throws(SystemError) {
            try source.append(batch.bytes)
        } catch {
            try cutBack()
            throw .writeFailed(path: source.path, error)
        }
        if durability == .disk { try syncOrLatch(cuttingTo: size) }
        for (fingerprint, offsets) in batch.ids {
            for offset in offsets { ids.insert(fingerprint, at: size + offset) }
        }
        size += Int64(batch.bytes.count)
        nextSeq = batch.nextSeq
    }

    /// Takes back what a failed write left. Where that fails too, the end of the file is unknown.
    private mutating func cutBack() throws(EventLogError) {
        do throws(SystemError) {
            try source.setSize(size)
            if durability == .disk { try source.sync() }
        } catch {
            latch = error
            throw .latched(path: source.path, error)
        }
    }

    /// Syncs. A failed sync is final: the system may have dropped what it couldn't write and say
    /// yes when asked again, so nothing that it says of this file later proves anything.
    private mutating func syncOrLatch(cuttingTo size: Int64) throws(EventLogError) {
        do throws(SystemError) {
            syncStrength = try source.sync()
        } catch {
            latch = error
            // What wasn't acknowledged must not look like part of the log to who opens it next:
            // there it would be found in memory and taken for safe.
            try? source.setSize(size)
            throw .syncFailed(path: source.path, error)
        }
    }
}
