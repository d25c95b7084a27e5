/// Reads a log line by line: every line is an event, not understood, or blank.
///
/// A log may lie in several files, one continuing the other; lines are counted over all of them.
/// Names are handles of ``LineDecoder/names``. Memory is constant but for the names.
public final class LogReader {
    /// The decoder, with the names that were met.
    public let decoder: LineDecoder
    /// The lines that were visited, by what they were; they always add up.
    public private(set) var counts = LineCounts()
    private let threads: Int
    private var stream = LineStream()

    /// A reader that takes names into a decoder's table.
    ///
    /// - Parameter threads: with 2 or more, lines are decoded on a thread of their own while the
    ///   lines before them are visited; what is visited is the same.
    public init(decoder: LineDecoder = LineDecoder(), threads: Int = 1) {
        self.decoder = decoder
        self.threads = threads
    }

    /// Reads a source to its end, or until `visit` answers `false`.
    ///
    /// Throws ``ReadProblem`` where the source can't be read, and whatever `visit` throws.
    public func read(_ source: any ByteSource, _ visit: (ReadLine) throws -> Bool) throws {
        if threads > 1 {
            try readAhead(source, visit)
        } else {
            let reader = BlockReader(source)
            let block = LineBlock()
            while try reader.fill(block) {
                guard try decode(block, visit) else { return }
            }
        }
    }

    /// Decodes on another thread, a few blocks ahead of the visits.
    private func readAhead(
        _ source: any ByteSource, _ visit: (ReadLine) throws -> Bool
    ) throws {
        let ahead = ReadAhead(source, decoder, stream)
        defer { stream = ahead.stop() }
        while let block = try ahead.next() {
            guard try self.visit(block, visit) else { return }
            ahead.giveBack(block)
        }
    }

    /// Decodes a block and visits its lines; `false` where reading is to stop.
    @discardableResult
    func decode(_ block: LineBlock, _ visit: (ReadLine) throws -> Bool) rethrows -> Bool {
        block.decode(by: decoder, &stream)
        return try self.visit(block, visit)
    }

    /// Visits the lines of a block; `false` where reading is to stop.
    private func visit(
        _ block: LineBlock, _ visit: (ReadLine) throws -> Bool
    ) rethrows -> Bool {
        guard let storage = block.storage.baseAddress else { return true }
        let (records, events, last) = (block.records, block.events, block.count - 1)
        var counts = self.counts
        defer { self.counts = counts }
        for index in 0..<block.count {
            let record = records + index
            counts.add(record.pointee, isEnded: index < last || block.isLastLineEnded)
            let line = ReadLine(
                number: counts.lines, start: storage + Int(record.pointee.start),
                record: record, place: events + index, block: block)
            guard try visit(line) else { return false }
        }
        return true
    }
}

/// A line of a log, and what it is; valid only during the visit.
public struct ReadLine {
    /// The position of the line, counted from 1 over all the files of the log.
    public let number: Int
    private let start: UnsafeRawPointer
    private let place: UnsafePointer<Event<Interned>>
    private let said: UnsafePointer<LineBlock.Record>
    /// The block of the line, which the reader holds during the visit.
    private let block: Unmanaged<LineBlock>

    @inline(__always)
    init(
        number: Int, start: UnsafeRawPointer, record: UnsafePointer<LineBlock.Record>,
        place: UnsafePointer<Event<Interned>>, block: LineBlock
    ) {
        self.number = number
        self.start = start
        said = record
        self.place = place
        self.block = .passUnretained(block)
    }

    private var record: LineBlock.Record { said.pointee }
    private var index: Int { said - UnsafePointer(block.takeUnretainedValue().records) }

    /// The bytes without the end of line; valid only during the visit.
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(said.pointee.count))
    }

    /// The event that the line is; `nil` where it is none.
    public var event: Event<Interned>? { record.kind == .event ? place.pointee : nil }

    /// Where the event lies, so that a fold need not copy it; `nil` where the line is none.
    package var eventPlace: UnsafePointer<Event<Interned>>? { record.kind == .event ? place : nil }

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

/// How many lines were read, by what they were.
public struct LineCounts: Hashable, Sendable {
    /// All lines, and their bytes with the ends of line.
    public var lines = 0, bytes = 0
    /// Lines that are events, that were not understood, and that were blank.
    public var events = 0, notUnderstood = 0, blank = 0

    /// No lines.
    public init() {}

    @inline(__always)
    mutating func add(_ record: LineBlock.Record, isEnded: Bool) {
        lines &+= 1
        bytes &+= Int(record.count) &+ (isEnded ? 1 : 0)
        switch record.kind {
        case .event: events &+= 1
        case .notUnderstood: notUnderstood &+= 1
        case .blank: blank &+= 1
        }
    }

    /// Adds what was counted elsewhere.
    package mutating func add(_ other: LineCounts) {
        lines += other.lines
        bytes += other.bytes
        events += other.events
        notUnderstood += other.notUnderstood
        blank += other.blank
    }

    /// Takes away what was counted before.
    package mutating func subtract(_ before: LineCounts) {
        lines -= before.lines
        bytes -= before.bytes
        events -= before.events
        notUnderstood -= before.notUnderstood
        blank -= before.blank
    }

    /// Whether every line is accounted for.
    public var addUp: Bool { lines == events + notUnderstood + blank }
}
