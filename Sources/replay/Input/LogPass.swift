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

    /// Reads the log and gives its lines to `visit`, some at a time; the counts, the places and
    /// nothing else are kept.
    ///
    /// Lines are valid only during their visit.
    ///
    /// - Parameter ahead: what is given the same lines, perhaps before and on another thread.
    func read(
        _ reader: LogReader, _ progress: Progress? = nil,
        ahead: (@Sendable (ReadLines) -> Void)? = nil,
        _ visit: (ReadLines) throws -> Void
    ) throws -> (counts: LineCounts, places: LinePlaces) {
        var places = LinePlaces()
        var isStopped = false
        for part in log.parts where !isStopped {
            places.begin(part.path, at: reader.counts.lines + 1)
            let source = try part.source()
            do {
                // Where reading stops is known only once the lines before are visited.
                try reader.readLines(source, ahead: stop == .never ? ahead : nil) { lines in
                    progress?.show(reader.counts)
                    // The last event may have been the last of the lines before.
                    guard !isStopped else { return 0 }
                    let end = stop == .never ? nil : stop.end(of: lines)
                    isStopped = end != nil
                    let taken = lines[..<(end ?? lines.endIndex)]
                    if stop != .never { ahead?(taken) }
                    try visit(taken)
                    return taken.count
                }
            } catch let problem as ReadProblem {
                throw ToolError.ioFailed(
                    "cannot read `\(EscapedText.escape(part.path))`: \(problem)")
            }
        }
        let counts = reader.counts
        precondition(counts.addUp, "every line is an event, not understood, or blank")
        progress?.finish(counts)
        if !isStopped { session.refuseBlank(counts, log) }
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

extension LineCounts {
    /// Whether there are lines, all of them blank.
    var isBlank: Bool { lines > 0 && blank == lines }
}
