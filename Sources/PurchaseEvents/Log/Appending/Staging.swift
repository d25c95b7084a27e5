/// The drafts that one caller appends, all or none.
struct AppendRequest: Sendable {
    var drafts: [Draft]
    /// `nil` accepts any last `seq`.
    var expectedLastSeq: Int64?
    /// Who must allow the drafts, unless the log already has all of them; `nil` allows them.
    var decision: Decision?
}

/// Stages requests into a batch: numbers and encodes new drafts, finds drafts that the log already
/// has, and refuses what can't or mustn't be appended.
struct Staging: ~Copyable {
    private let store: LogBytes
    private let ids: IDIndex
    private let size: Int64
    private var batch: BatchWriter
    private var writer = MemberWriter()
    private var results: PendingResults

    init(
        _ store: LogBytes, _ ids: IDIndex, size: Int64, _ batch: consuming BatchWriter,
        expecting requests: Int
    ) {
        self.store = store
        self.ids = ids
        self.size = size
        results = PendingResults(firstSeq: batch.nextSeq, expecting: requests)
        self.batch = batch
    }

    /// Stages a whole request; if it is refused, nothing of it stays in the batch.
    mutating func take(_ request: AppendRequest, _ state: inout DecidingState?) {
        let savepoint = batch.savepoint
        let linesBefore = batch.count
        do throws(EventLogError) {
            let (staged, events) = try stage(request, state)
            if let decision = request.decision, batch.count > linesBefore {
                if let refusal = state?.refusal(of: decision, events) {
                    batch.rollBack(to: savepoint)
                    results.add(.refused(refusal, linesBefore: linesBefore))
                    return
                }
                state?.stage(events)
            }
            results.add(.staged(staged))
        } catch {
            batch.rollBack(to: savepoint)
            results.add(.failed(error))
        }
    }

    consuming func finish() -> (batch: Batch, results: PendingResults) { (batch.finish(), results) }

    /// Stages the drafts of a request; also returns the new events, if someone decides about them.
    private mutating func stage(
        _ request: AppendRequest, _ state: borrowing DecidingState?
    ) throws(EventLogError) -> (PendingResults.StagedRequest, [Event<Fingerprinted>]) {
        var events: [Event<Fingerprinted>] = []
        var staged = PendingResults.StagedRequest(
            drafts: request.drafts.count, linesBefore: batch.count)
        let seqBefore = batch.nextSeq
        for number in request.drafts.indices {
            if let known = try stage(request.drafts[number], number) {
                staged.existing.append((number, known))
            } else if request.decision != nil, let event = state?.event(ofWritten: writer.written) {
                events.append(event)
            }
        }
        if let expected = request.expectedLastSeq, batch.nextSeq > seqBefore,
            expected != seqBefore - 1
        {
            throw .unexpectedSequence(expected: expected, seen: seqBefore - 1)
        }
        return (staged, events)
    }

    /// Stages a draft, or returns its line if the log or the batch already has it.
    private mutating func stage(_ draft: Draft, _ number: Int) throws(EventLogError) -> Appended? {
        do throws(WritingProblem) {
            try writer.writeLine(of: draft.event, batch.nextSeq)
        } catch {
            throw .cannotWrite(draft: number, error)
        }
        if draft.type == .logOpened, batch.nextSeq > 1 { throw .openedAgain(draft: number) }
        var fingerprint: Fingerprint?
        if let id = draft.id {
            let seen = ids.fingerprint(of: id)
            if let known = try find(draft, id, seen, number) { return known }
            fingerprint = seen
        }
        do throws(WritingProblem) {
            try batch.add(writer, id: fingerprint)
        } catch {
            throw .cannotWrite(draft: number, error)
        }
        return nil
    }

    /// The line that already has the draft's `id`, if any; throws if it has other content.
    private mutating func find(
        _ draft: Draft, _ id: String, _ fingerprint: Fingerprint, _ number: Int
    ) throws(EventLogError) -> Appended? {
        let line: [UInt8]
        if let offset = ids.offset(of: fingerprint) {
            line = try self.line(at: offset)
        } else if let staged = batch.line(withID: fingerprint) {
            line = staged
        } else {
            return nil
        }
        guard let known = LoggedContent(line), known.hasID(id) else { return nil }
        let content: [UInt8]
        do throws(WritingProblem) {
            content = try LineWriter.content(of: draft.event)
        } catch {
            throw .cannotWrite(draft: number, error)
        }
        guard known.bytes == content else {
            throw .idConflict(draft: number, id: id, seq: known.seq)
        }
        return Appended(outcome: .alreadyThere, seq: known.seq, line: line)
    }

    private func line(at offset: Int64) throws(EventLogError) -> [UInt8] {
        let room = min(Int64(LineDecoder.maximumLineLength), size - offset)
        let bytes = try store.read(at: offset, count: Int(max(0, room)))
        return Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    }
}
