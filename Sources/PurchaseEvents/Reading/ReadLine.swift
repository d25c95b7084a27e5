/// A line of a log and its decoded content; valid only during the visit.
public struct ReadLine {
    /// The position of the line, counted from 1 over all the files of the log.
    public let number: Int
    /// The position in the log of the line before the block.
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

    /// The bytes without the line end; valid only during the visit.
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: storage.map { $0 + Int(said.pointee.start) }, count: Int(said.pointee.count))
    }

    /// The event on the line; `nil` if the line is not an event.
    public var event: Event<Interned>? { record.kind == .event ? place.pointee : nil }

    /// A pointer to the event, so that a fold needs no copy; `nil` if the line is not an event.
    @inlinable @inline(__always)
    package var eventPlace: UnsafePointer<Event<Interned>>? {
        said.pointee.kind == .event ? place : nil
    }

    /// The kind of the line.
    public var decoded: DecodedLine<Interned> {
        switch record.kind {
        case .event: return .event(place.pointee)
        case .blank: return .blank
        case .notUnderstood:
            let unknown = Diagnostic(.notJSON, byte: 1, "not understood")
            return .notUnderstood(block.takeUnretainedValue().diagnostics[index] ?? unknown)
        }
    }

    /// Whether the line has notes or is not an event.
    @inline(__always)
    package var isRemarkable: Bool { record.kind != .event || record.hasNotes }

    /// Why the line was not understood; `nil` if it was understood or is blank.
    public var diagnostic: Diagnostic? {
        record.kind == .notUnderstood ? block.takeUnretainedValue().diagnostics[index] : nil
    }

    /// The notes on the line.
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
