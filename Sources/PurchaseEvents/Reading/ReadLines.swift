/// Consecutive lines read together; valid only during the visit.
public struct ReadLines: RandomAccessCollection {
    /// The index of the first line.
    public let startIndex: Int
    /// One more than the index of the last line.
    public let endIndex: Int
    /// The number of the line before the first line of the block.
    @usableFromInline let before: Int
    @usableFromInline let storage: UnsafeRawPointer?
    @usableFromInline let records: UnsafePointer<LineBlock.Record>
    @usableFromInline let events: UnsafePointer<LogEvent>
    @usableFromInline let block: Unmanaged<LineBlock>

    init(_ block: LineBlock, after before: Int) {
        (startIndex, endIndex) = (0, block.count)
        self.before = before
        storage = UnsafeRawPointer(block.storage.baseAddress)
        records = UnsafePointer(block.records)
        events = UnsafePointer(block.events)
        self.block = .passUnretained(block)
    }

    private init(_ lines: ReadLines, _ bounds: Range<Int>) {
        (startIndex, endIndex) = (bounds.lowerBound, bounds.upperBound)
        (before, storage, block) = (lines.before, lines.storage, lines.block)
        (records, events) = (lines.records, lines.events)
    }

    /// The line at an index.
    public subscript(index: Int) -> ReadLine {
        @inlinable @inline(__always) get {
            precondition(index >= startIndex && index < endIndex, "an index is that of a line")
            return ReadLine(
                number: before &+ index &+ 1, storage: storage, record: records + index,
                eventPointer: events + index, block: block)
        }
    }

    /// A range of the lines.
    public subscript(bounds: Range<Int>) -> ReadLines {
        precondition(
            bounds.lowerBound >= startIndex && bounds.upperBound <= endIndex,
            "bounds are those of lines")
        return ReadLines(self, bounds)
    }

    /// The number of the first line, counted from 1 across all files of the log.
    package var firstNumber: Int { before &+ startIndex &+ 1 }

    /// The events of the lines without a copy; `nil` if any line isn't an event.
    package var allEvents: UnsafeBufferPointer<LogEvent>? {
        guard !block.takeUnretainedValue().hasOthers else { return nil }
        return UnsafeBufferPointer(start: events + startIndex, count: count)
    }

    package var hasNotesOrNonEvents: Bool { block.takeUnretainedValue().hasNotesOrNonEvents }
}
