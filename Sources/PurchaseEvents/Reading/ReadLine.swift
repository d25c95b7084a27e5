/// A line of a log, and what it is; valid only during the visit.
public struct ReadLine {
    /// The position of the line, counted from 1 over all the files of the log.
    public let number: Int
    /// Where the lines of the block begin.
    @usableFromInline let storage: UnsafeRawPointer?
    @usableFromInline let place: UnsafePointer<Event<Interned>>
    @usableFromInline let said: UnsafePointer<LineBlock.Record>
    /// The block of the line, which the reader holds during the visit.
    @usableFromInline let block: Unmanaged<LineBlock>

    @inlinable @inline(__always)
    init(
        number: Int, storage: UnsafeRawPointer?, record: UnsafePointer<LineBlock.Record>,
        place: UnsafePointer<Event<Interned>>, block: Unmanaged<LineBlock>
    ) {
        self.number = number
        self.storage = storage
        said = record
        self.place = place
        self.block = block
    }

    private var record: LineBlock.Record { said.pointee }
    private var index: Int { said - UnsafePointer(block.takeUnretainedValue().records) }

    /// The bytes without the end of line; valid only during the visit.
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: storage.map { $0 + Int(said.pointee.start) }, count: Int(said.pointee.count))
    }

    /// The event that the line is; `nil` where it is none.
    public var event: Event<Interned>? { record.kind == .event ? place.pointee : nil }

    /// Where the event lies, so that a fold need not copy it; `nil` where the line is none.
    @inlinable @inline(__always)
    package var eventPlace: UnsafePointer<Event<Interned>>? {
        said.pointee.kind == .event ? place : nil
    }

    /// What the line is.
    public var decoded: DecodedLine<Interned> {
        switch record.kind {
        case .event: return .event(place.pointee)
        case .blank: return .blank
        case .notUnderstood:
            let unknown = Diagnostic(.notJSON, byte: 1, "not understood")
            return .notUnderstood(block.takeUnretainedValue().diagnostics[index] ?? unknown)
        }
    }

    /// Whether there is more to it than an event: notes, or that it is none.
    @inline(__always)
    package var isRemarkable: Bool { record.kind != .event || record.hasNotes }

    /// Why the line was not understood; `nil` where it was, or is blank.
    public var diagnostic: Diagnostic? {
        record.kind == .notUnderstood ? block.takeUnretainedValue().diagnostics[index] : nil
    }

    /// The notes on it.
    public var notes: [Diagnostic] {
        record.hasNotes ? block.takeUnretainedValue().notes[index] ?? [] : []
    }

    /// Where the bytes of an event that the App Store attests, or that has an `id`, hold its
    /// canonical statement: all keys but `seq`, `at` and `chain`; `nil` where the line isn't
    /// canonical.
    public var canonicalStatement: Range<Int>? {
        guard record.kind == .event, record.statementEnd > 0 else { return nil }
        return Int(record.statementStart)..<Int(record.statementEnd)
    }

    /// What stands for the statement of an event that the App Store attests (``StatementPacker``),
    /// valid only during the visit; `nil` where the line isn't canonical.
    package var packedStatement: UnsafeRawBufferPointer? {
        guard record.kind == .event, record.packedCount > 0 else { return nil }
        return block.takeUnretainedValue().packedStatement(record)
    }
}
