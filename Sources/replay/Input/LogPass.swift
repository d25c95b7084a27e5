import PurchaseEvents

/// One reading of a log, over all its files.
struct LogPass {
    let session: ToolSession
    let log: InputLog
    let stop: ReadingStop
    /// How many threads to read on; `nil` for as many as there are cores.
    var threads: Int?

    /// How many threads the log is worth: a short one isn't worth a second.
    var threadCount: Int {
        let isShort = log.size.map { $0 < 1 << 20 } ?? false
        return isShort ? 1 : threads ?? session.host.cores
    }

    /// A reader for the log.
    func reader(_ decoder: LineDecoder = LineDecoder()) -> LogReader {
        LogReader(decoder: decoder, threads: threadCount)
    }

    /// Reads the log and gives every line to `visit`; the counts, the places and nothing else are
    /// kept.
    ///
    /// A line is valid only during its visit.
    // Inlined, so that a line goes through one closure.
    @inline(__always)
    func read(
        _ reader: LogReader, _ progress: Progress? = nil, _ visit: (ReadLine) throws -> Void
    ) throws -> (counts: LineCounts, places: LinePlaces) {
        var places = LinePlaces()
        var cutBytes: Int?
        let isStopping = stop != .never
        for part in log.parts where cutBytes == nil {
            places.begin(part.path, at: reader.counts.lines + 1)
            let source = try part.source()
            do {
                try reader.read(source) { line in
                    if isStopping, let event = line.event, stop.isPast(event) {
                        cutBytes = line.bytes.count
                        return false
                    }
                    if line.number & 0x3FFF == 0 { progress?.show(reader.counts) }
                    try visit(line)
                    return true
                }
            } catch let problem as ReadProblem {
                throw ToolError.ioFailed(
                    "cannot read `\(EscapedText.escape(part.path))`: \(problem)")
            }
        }
        var counts = reader.counts
        if let cutBytes {
            // The event that reading stopped at is no part of the answer.
            counts.lines -= 1
            counts.events -= 1
            counts.bytes -= cutBytes + 1
        }
        precondition(counts.addUp, "every line is an event, not understood, or blank")
        progress?.finish(counts)
        return (counts, places)
    }
}

/// Where the lines of a log lie in its files.
struct LinePlaces {
    private var starts: [(path: String, line: Int)] = []

    /// Begins a file at a line of the log.
    mutating func begin(_ path: String, at line: Int) { starts.append((path, line)) }

    /// The file of a line, and the line's number in it.
    func place(of line: Int) -> (path: String, line: Int) {
        guard let start = starts.last(where: { $0.line <= line }) else { return ("-", line) }
        return (start.path, line - start.line + 1)
    }
}
