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
                block.decode(by: decoder, &stream)
                guard try self.visit(block, visit) else { return }
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

    /// Visits the lines of a block; `false` where reading is to stop.
    private func visit(
        _ block: LineBlock, _ visit: (ReadLine) throws -> Bool
    ) throws -> Bool {
        let storage = UnsafeRawBufferPointer(block.storage)
        for index in block.records.indices {
            let record = block.records[index]
            counts.lines &+= 1
            switch record.kind {
            case .event: counts.events &+= 1
            case .notUnderstood: counts.notUnderstood &+= 1
            case .blank: counts.blank &+= 1
            }
            let isLast = index == block.records.count - 1
            counts.bytes &+= Int(record.count) &+ (isLast && !block.isLastLineEnded ? 0 : 1)
            let start = Int(record.start)
            let line = ReadLine(
                number: counts.lines,
                bytes: UnsafeRawBufferPointer(
                    rebasing: storage[start..<start &+ Int(record.count)]),
                block: block, index: index)
            guard try visit(line) else { return false }
        }
        return true
    }
}

/// A line of a log, and what it is; valid only during the visit.
public struct ReadLine {
    /// The position of the line, counted from 1 over all the files of the log.
    public let number: Int
    /// The bytes without the end of line; valid only during the visit.
    public let bytes: UnsafeRawBufferPointer
    private unowned(unsafe) let block: LineBlock
    private let index: Int

    init(number: Int, bytes: UnsafeRawBufferPointer, block: LineBlock, index: Int) {
        self.number = number
        self.bytes = bytes
        self.block = block
        self.index = index
    }

    /// The event that the line is; `nil` where it is none.
    @inline(__always)
    public var event: Event<Interned>? { block.records[index].kind == .event ? block.events[index] : nil }

    /// What the line is.
    public var decoded: DecodedLine<Interned> {
        switch block.records[index].kind {
        case .event: return .event(block.events[index])
        case .blank: return .blank
        case .notUnderstood:
            let unknown = Diagnostic(.notJSON, byte: 1, "not understood")
            return .notUnderstood(block.diagnostics[index] ?? unknown)
        }
    }

    /// The notes on it.
    public var notes: [Diagnostic] {
        block.records[index].hasNotes ? block.notes[index] ?? [] : []
    }

    /// Where the bytes of an event that the App Store attests hold its canonical statement, all
    /// keys but `seq`, `at` and `chain`; `nil` where the line isn't canonical.
    public var canonicalStatement: Range<Int>? {
        let record = block.records[index]
        guard record.kind == .event, record.statementEnd > 0 else { return nil }
        return Int(record.statementStart)..<Int(record.statementEnd)
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

    /// Whether every line is accounted for.
    public var addUp: Bool { lines == events + notUnderstood + blank }
}
