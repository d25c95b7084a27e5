import PurchaseEvents
import PurchaseProjections

/// The lines of a log in memory.
///
/// Any selection of lines, in any order, can be checked and shown as a log. Lines are stored as
/// bytes, so selecting and reordering keep every byte. Cost: the size of the log and 8 bytes a
/// line.
public struct LogLines: Sendable {
    /// The bytes of all lines, each with its newline.
    public private(set) var bytes: [UInt8]
    /// The offset of each line's first byte; then the number of bytes.
    private var starts: [Int]

    /// Creates the lines of a log from its bytes; if the last line has no newline, it gets one.
    public init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        starts = [0]
        if let last = bytes.last, last != 0x0A { self.bytes.append(0x0A) }
        for (index, byte) in self.bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
    }

    /// The number of lines.
    public var count: Int { starts.count - 1 }

    /// The indices of the lines: line N of the log has the index N - 1.
    public var indices: Range<Int> { 0..<count }

    /// The bytes of a line without its newline.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[starts[index]..<starts[index + 1] - 1]
    }

    /// Appends a line, given without its newline.
    public mutating func append(_ line: some Collection<UInt8>) {
        bytes.append(contentsOf: line)
        bytes.append(0x0A)
        starts.append(bytes.count)
    }

    /// The lines at some indices, in the order given.
    public func taking(_ indices: some Sequence<Int>) -> LogLines {
        var taken = LogLines()
        for index in indices { taken.append(self[index]) }
        return taken
    }

    /// Reads the lines as a log and passes them to `visit`, a block at a time.
    ///
    /// - Parameters:
    ///   - decoder: The decoder that keeps the names.
    ///   - threads: The number of threads to use; the result does not depend on it.
    ///   - visit: Receives the lines.
    public func read(
        _ decoder: LineDecoder, threads: Int = 1, _ visit: (ReadLines) throws -> Void
    ) throws {
        try LogReader(decoder: decoder, threads: threads).readLines(MemorySource(bytes)) { lines in
            try visit(lines)
            return lines.count
        }
    }

    /// The findings of rules in the lines, sorted by line and then in the order of the rules.
    ///
    /// Lines count from 1.
    public func findings(
        _ rules: [any Rule.Type] = RuleCatalogue.all, threads: Int = 1
    ) throws -> [Finding] {
        let decoder = LineDecoder()
        var check = Check(rules, names: decoder.names)
        try read(decoder, threads: threads) { check.observe($0) }
        return check.finish(threads: threads).flatMap { $0.report.findings }
            .sorted { $0.line < $1.line }
    }

    /// The projections folded over the lines.
    ///
    /// - Parameters:
    ///   - projections: The projections to fold.
    ///   - instant: The instant at which rows are true; `nil` means the greatest `at`.
    public func show(
        _ projections: [any Projection.Type] = ProjectionCatalogue.all,
        asOf instant: Timestamp? = nil
    ) throws -> Show {
        let decoder = LineDecoder()
        var show = Show(projections, names: decoder.names, asOf: instant)
        try read(decoder) { show.observe($0) }
        return show
    }
}
