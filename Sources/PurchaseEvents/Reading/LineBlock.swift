/// A run of whole lines and their decoded content, the unit of reading, decoding and folding;
/// reused, and used by only one thread at a time.
@usableFromInline
final class LineBlock {
    /// A portion, and twice the longest line for lines cut at its ends.
    static let size = portion + 2 * LineDecoder.maximumLineLength
    /// The number of bytes read at a time, small enough that a decoded block stays in the cache.
    static let portion = 64 << 10

    /// One decoded line; for a line that isn't an event, the event at this index is meaningless.
    @usableFromInline
    struct Record {
        var start: UInt32
        var count: UInt32
        @usableFromInline var kind: Kind
        var hasNotes = false
        /// The range of an event's canonical content in the line; empty if it isn't known.
        var contentStart: UInt32 = 0
        var contentEnd: UInt32 = 0
        /// The range of an attested event's packed statement in ``packed``; empty if there is none.
        var packedStart: UInt32 = 0
        var packedCount: UInt32 = 0
    }

    @usableFromInline
    enum Kind: UInt8 { case event, notUnderstood, blank }

    let storage: UnsafeMutableRawBufferPointer
    /// The range of the storage that holds lines.
    private(set) var bytes = 0..<0
    private(set) var isLastLineEnded = true
    private(set) var records: UnsafeMutablePointer<Record>
    /// The events of the records, at the same indices; at other indices, an earlier event.
    private(set) var events: UnsafeMutablePointer<LogEvent>
    private(set) var count = 0
    private var capacity = 512
    private(set) var counts = LineCounts()
    private(set) var diagnostics: [Int: Diagnostic] = [:]
    private(set) var notes: [Int: [Diagnostic]] = [:]
    private let findsContent: Bool
    private let attested = EventType.attested
    /// The packed statements of the records; packed on the decoding thread, not to delay visits.
    private var packed = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4 << 10)
    private var packedCount = 0

    /// Creates a block that finds the canonical content of events, if wanted.
    init(findsContent: Bool = true) {
        self.findsContent = findsContent
        storage = .allocate(byteCount: LineBlock.size, alignment: 16)
        records = .allocate(capacity: capacity)
        events = .allocate(capacity: capacity)
        events.initialize(repeating: InternedNameDecoder.blank, count: capacity)
    }

    deinit {
        storage.deallocate()
        packed.deallocate()
        records.deallocate()
        events.deallocate()
    }

    func setBytes(_ range: Range<Int>, isLastLineEnded: Bool) {
        bytes = range
        self.isLastLineEnded = isLastLineEnded
    }

    /// Decodes the lines; `stream` adds the notes that depend on the order of the lines.
    func decode(by decoder: LineDecoder, _ stream: inout LineStream) {
        count = 0
        packedCount = 0
        if !diagnostics.isEmpty { diagnostics = [:] }
        if !notes.isEmpty { notes = [:] }
        let lines = UnsafeRawBufferPointer(rebasing: storage[0..<bytes.upperBound])
        var start = bytes.lowerBound
        counts = LineCounts()
        while start < lines.count {
            let end = lines.endOfLine(from: start)
            let isEnded = end != nil || isLastLineEnded
            let stop = end ?? lines.count
            decode(UnsafeRawBufferPointer(rebasing: lines[start..<stop]), start, decoder)
            stream.finish(self, isEnded: isEnded, decoder)
            counts.bytes &+= stop &- start &+ (isEnded ? 1 : 0)
            start = stop + 1
        }
        counts.lines = count
        counts.events = count - counts.notUnderstood - counts.blank
    }

    func counts(ofFirst number: Int) -> LineCounts {
        (0..<number).reduce(into: LineCounts()) { counts, index in
            counts.add(records[index], isEnded: index < count - 1 || isLastLineEnded)
        }
    }

    var hasOthers: Bool { counts.events < count }

    var hasNotesOrNonEvents: Bool { hasOthers || !notes.isEmpty }

    @inline(__always)
    private func decode(_ line: UnsafeRawBufferPointer, _ start: Int, _ decoder: LineDecoder) {
        let index = count
        if index == capacity { grow() }
        var record = Record(
            start: UInt32(truncatingIfNeeded: start),
            count: UInt32(truncatingIfNeeded: line.count), kind: .event)
        switch decoder.decode(line, into: events + index) {
        case .event:
            // Only events that have a version or an `id` are ever compared by their content.
            let type = events[index].type
            let isAttested = attested.contains(type)
            if findsContent, isAttested || events[index].id != nil,
                let range = decoder.canonicalContent(line, type)
            {
                record.contentStart = UInt32(truncatingIfNeeded: range.lowerBound)
                record.contentEnd = UInt32(truncatingIfNeeded: range.upperBound)
                if isAttested { pack(line, index, &record, decoder) }
            }
        case .notUnderstood(let diagnostic):
            record.kind = .notUnderstood
            diagnostics[index] = diagnostic
            counts.notUnderstood += 1
        case .blank:
            record.kind = .blank
            counts.blank += 1
        }
        (records + index).initialize(to: record)
        count = index + 1
    }

    /// Packs the statement of a canonical line; the event at `index` is the line's.
    private func pack(
        _ line: UnsafeRawBufferPointer, _ index: Int, _ record: inout Record, _ decoder: LineDecoder
    ) {
        let room = StatementPacker.room(for: line.count)
        if packedCount &+ room > packed.count { growPacked(to: packedCount &+ room) }
        guard let base = packed.baseAddress else { return }
        let count = decoder.packStatement(line, of: events + index, to: base + packedCount)
        record.packedStart = UInt32(truncatingIfNeeded: packedCount)
        record.packedCount = UInt32(truncatingIfNeeded: count)
        packedCount &+= count
    }

    private func growPacked(to capacity: Int) {
        let grown = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(capacity, packed.count * 2))
        _ = grown.update(fromContentsOf: packed[..<packedCount])
        packed.deallocate()
        packed = grown
    }

    func packedStatement(_ record: Record) -> UnsafeRawBufferPointer {
        let start = Int(record.packedStart)
        return UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(packed)[start..<start + Int(record.packedCount)])
    }

    private func grow() {
        // Both element types are trivial, so their bytes can be copied.
        let grownEvents = UnsafeMutablePointer<LogEvent>.allocate(capacity: capacity * 2)
        grownEvents.moveInitialize(from: events, count: capacity)
        (grownEvents + capacity).initialize(repeating: InternedNameDecoder.blank, count: capacity)
        events.deallocate()
        let grownRecords = UnsafeMutablePointer<Record>.allocate(capacity: capacity * 2)
        grownRecords.moveInitialize(from: records, count: capacity)
        records.deallocate()
        (events, records, capacity) = (grownEvents, grownRecords, capacity * 2)
    }

    func note(_ lineNotes: [Diagnostic]) {
        guard !lineNotes.isEmpty else { return }
        notes[count - 1] = lineNotes
        records[count - 1].hasNotes = true
    }

    func replaceDiagnostic(_ change: (Diagnostic) -> Diagnostic) {
        if let diagnostic = diagnostics[count - 1] { diagnostics[count - 1] = change(diagnostic) }
    }
}

/// The state of a reader across lines, for notes about the first event and the end of the log.
struct LineStream {
    private var hasEvent = false

    /// Adds the notes that depend on the position of the last decoded line.
    @inline(__always)
    mutating func finish(_ block: LineBlock, isEnded: Bool, _ decoder: LineDecoder) {
        let index = block.count &- 1
        let kind = block.records[index].kind
        guard !(kind == .event && hasEvent && isEnded && !decoder.mayHaveNotes) else { return }
        finishSlowly(block, isEnded, decoder.notes)
    }

    @inline(never)
    private mutating func finishSlowly(_ block: LineBlock, _ isEnded: Bool, _ notes: [Diagnostic]) {
        let index = block.count - 1
        var notes = notes
        switch block.records[index].kind {
        case .event:
            let type = block.events[index].type
            if !hasEvent, type != .logOpened { notes.append(LineStream.notOpened(type)) }
            hasEvent = true
            if !isEnded {
                notes.append(
                    Diagnostic(
                        .noFinalNewline, byte: Int(block.records[index].count) + 1,
                        "the last line has no newline, so it may be unacknowledged"))
            }
        case .notUnderstood:
            guard !isEnded else { break }
            block.replaceDiagnostic { diagnostic in
                guard diagnostic.code == .notJSON || diagnostic.code == .notUTF8 else {
                    return diagnostic
                }
                return Diagnostic(
                    .tornTail, byte: diagnostic.byte,
                    "the log ends within a line: \(diagnostic.message)")
            }
        case .blank:
            notes = [Diagnostic(.blankLine, byte: 1, "a blank line; a log has no blank lines")]
        }
        block.note(notes)
    }

    private static func notOpened(_ type: EventType) -> Diagnostic {
        Diagnostic(
            .notOpened, byte: 1,
            "expected log.opened first, seen \(type.wireName): the log starts in the middle")
    }
}
