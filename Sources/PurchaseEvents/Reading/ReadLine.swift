/// A line of a log and its decoded content; valid only during the visit.
public struct ReadLine {
    /// The line number, counted from 1 across all files of the log.
    public let number: Int
    /// The start of the block's bytes; the record says where the line is in them.
    @usableFromInline let storage: UnsafeRawPointer?
    @usableFromInline let eventPointer: UnsafePointer<LogEvent>
    @usableFromInline let recordPointer: UnsafePointer<LineBlock.Record>
    /// The block of the line, which the reader holds during the visit.
    @usableFromInline let block: Unmanaged<LineBlock>

    @inlinable @inline(__always)
    init(
        number: Int, storage: UnsafeRawPointer?, record: UnsafePointer<LineBlock.Record>,
        eventPointer: UnsafePointer<LogEvent>, block: Unmanaged<LineBlock>
    ) {
        self.number = number
        self.storage = storage
        recordPointer = record
        self.eventPointer = eventPointer
        self.block = block
    }

    private var record: LineBlock.Record { recordPointer.pointee }
    private var index: Int { recordPointer - UnsafePointer(block.takeUnretainedValue().records) }

    /// The bytes without the newline; valid only during the visit.
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: storage.map { $0 + Int(recordPointer.pointee.start) },
            count: Int(recordPointer.pointee.count))
    }

    /// The line's event, or `nil` if the line isn't an event.
    public var event: LogEvent? { record.kind == .event ? eventPointer.pointee : nil }

    /// A pointer to the event, so that a fold needs no copy; `nil` if the line isn't an event.
    @inlinable @inline(__always)
    package var eventPlace: UnsafePointer<LogEvent>? {
        recordPointer.pointee.kind == .event ? eventPointer : nil
    }

    /// The decoded content of the line.
    public var decoded: DecodedLine<Interned> {
        switch record.kind {
        case .event: return .event(eventPointer.pointee)
        case .blank: return .blank
        case .notUnderstood:
            let unknown = Diagnostic(.notJSON, byte: 1, "not understood")
            return .notUnderstood(block.takeUnretainedValue().diagnostics[index] ?? unknown)
        }
    }

    /// The reason why the line wasn't understood; `nil` for an event or a blank line.
    public var diagnostic: Diagnostic? {
        record.kind == .notUnderstood ? block.takeUnretainedValue().diagnostics[index] : nil
    }

    /// The notes on the line.
    public var notes: [Diagnostic] {
        record.hasNotes ? block.takeUnretainedValue().notes[index] ?? [] : []
    }

    /// The range of the canonical content in ``bytes``: all keys but `seq`, `at` and `chain`. Known
    /// for canonical lines of events that the App Store attests or that have an `id`, unless the
    /// reader shares ``SharedBlocks``.
    package var canonicalContent: Range<Int>? {
        guard record.kind == .event, record.contentEnd > 0 else { return nil }
        return Int(record.contentStart)..<Int(record.contentEnd)
    }

    /// The packed statement (``StatementPacker``) of an event that the App Store attests, if its
    /// ``canonicalContent`` is known; valid only during the visit.
    package var packedStatement: UnsafeRawBufferPointer? {
        guard record.kind == .event, record.packedCount > 0 else { return nil }
        return block.takeUnretainedValue().packedStatement(record)
    }
}
