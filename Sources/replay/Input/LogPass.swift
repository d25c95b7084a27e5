import PurchaseEvents

/// One reading of a log, over all its files.
struct LogPass {
    let session: ToolSession
    let log: InputLog
    let stop: ReadingStop

    /// Reads the log and gives every line to `visit`; the counts, the places and nothing else are
    /// kept.
    func read(
        _ reader: LogReader, _ progress: Progress? = nil, _ visit: (ReadLine) throws -> Void
    ) throws -> (counts: LineCounts, places: LinePlaces) {
        var places = LinePlaces()
        var cut: ReadLine?
        for part in log.parts where cut == nil {
            places.begin(part.path, at: reader.counts.lines + 1)
            let source = try part.source()
            do {
                try reader.read(source) { line in
                    if case .event(let event) = line.decoded, stop.isPast(event) {
                        cut = line
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
        if let cut {
            // The event that reading stopped at is no part of the answer.
            counts.lines -= 1
            counts.events -= 1
            counts.bytes -= cut.bytes.count + 1
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
