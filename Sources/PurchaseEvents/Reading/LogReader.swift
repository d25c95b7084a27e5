/// Reads a log line by line; each line is an event, not understood, or blank.
///
/// A log may span several files, read one after the other; lines are counted across all of them.
/// Names are handles of ``LineDecoder/names``. Memory is constant, apart from the names.
public final class LogReader {
    /// The decoder, with the names read so far.
    public let decoder: LineDecoder
    /// The counts of visited lines by kind; the kinds always add up.
    public private(set) var counts = LineCounts()
    private let threads: Int
    private var stream = LineStream()

    /// Creates a reader that stores names in a decoder's table.
    ///
    /// - Parameters:
    ///   - decoder: The decoder that keeps the names.
    ///   - threads: With 2 or more, another thread decodes lines while earlier lines are visited;
    ///     the visited lines are the same.
    public init(decoder: LineDecoder = LineDecoder(), threads: Int = 1) {
        self.decoder = decoder
        self.threads = threads
    }

    /// Reads a source to its end, or until `visit` returns `false`.
    ///
    /// Throws ``ReadProblem`` if reading the source fails, and whatever `visit` throws.
    public func read(_ source: any ByteSource, _ visit: (ReadLine) throws -> Bool) throws {
        try readLines(source) { lines in
            for (index, line) in lines.enumerated() {
                guard try visit(line) else { return index + 1 }
            }
            return lines.count
        }
    }

    /// Reads a source several lines at a time, to its end or until `visit` accepts fewer lines than
    /// it received.
    ///
    /// Throws ``ReadProblem`` if reading the source fails, and whatever `visit` throws.
    ///
    /// - Parameters:
    ///   - source: The source to read.
    ///   - ahead: A closure that receives the same lines before `visit`, on the decoding thread,
    ///     including lines that `visit` doesn't accept.
    ///   - visit: A closure that receives the lines and returns the number of lines it accepted.
    public func readLines(
        _ source: any ByteSource, ahead: (@Sendable (ReadLines) -> Void)? = nil,
        _ visit: (ReadLines) throws -> Int
    ) throws {
        if threads > 1 {
            try readAhead(source, ahead, visit)
        } else {
            let reader = BlockReader(source)
            let block = LineBlock()
            while try reader.fill(block) {
                let goesOn = try decode(block) { lines in
                    ahead?(lines)
                    return try visit(lines)
                }
                guard goesOn else { return }
            }
        }
    }

    package func visitFields(_ visitor: FieldVisitor) { visitor.visit(&counts).visit(&stream) }

    private func readAhead(
        _ source: any ByteSource, _ early: (@Sendable (ReadLines) -> Void)?,
        _ visit: (ReadLines) throws -> Int
    ) throws {
        let ahead = ReadAhead(source, decoder, stream, after: counts.lines, early)
        defer { stream = ahead.stop() }
        while let block = try ahead.next() {
            guard try self.visit(block, visit) else { return }
            ahead.giveBack(block)
        }
    }

    /// Decodes a block and visits its lines; returns `false` if reading must stop.
    @discardableResult
    func decode(_ block: LineBlock, _ visit: (ReadLines) throws -> Int) rethrows -> Bool {
        block.decode(by: decoder, &stream)
        return try self.visit(block, visit)
    }

    /// Visits the lines of a block; returns `false` if reading must stop.
    private func visit(_ block: LineBlock, _ visit: (ReadLines) throws -> Int) rethrows -> Bool {
        let taken = try visit(ReadLines(block, after: counts.lines))
        counts.add(taken == block.count ? block.counts : block.counts(ofFirst: taken))
        return taken == block.count
    }
}
