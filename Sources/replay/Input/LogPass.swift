import PurchaseEvents

/// One pass over a log, across all its files.
struct LogPass {
    let session: ToolSession
    let log: InputLog
    let input: LogArguments
    /// Whether to refuse the log if its lines are all blank; once for each log.
    var refusesBlank = true

    /// The number of threads to use; for a log below 1 MiB, one is fastest.
    var threadCount: Int {
        let isShort = log.size.map { $0 < 1 << 20 } ?? false
        return isShort ? 1 : input.threads ?? session.host.cores
    }

    func reader(_ decoder: LineDecoder = LineDecoder()) -> LogReader {
        LogReader(decoder: decoder, threads: threadCount)
    }

    /// Reads the log and passes its lines to `visit`, block by block.
    ///
    /// Lines are valid only until `visit` returns.
    ///
    /// - Parameters:
    ///   - reader: The reader; that of `resumed`, if there is one.
    ///   - ahead: Receives the same lines, possibly earlier and on another thread.
    ///   - resumed: Where the last run ended; only the lines after it are read.
    ///   - keep: Visits the state of the last run at the start, and the state that a later run goes
    ///     on from once all whole lines are read.
    /// - Returns: The counts of the lines, and their places in the files.
    func read(
        _ reader: LogReader, _ progress: Progress? = nil, resuming resumed: ResumedLog? = nil,
        ahead: (@Sendable (ReadLines) -> Void)? = nil, keep: (FieldVisitor) -> Void = { _ in },
        _ visit: (ReadLines) throws -> Void
    ) throws -> (counts: LineCounts, places: LinePlaces) {
        try resumed?.read(keep)
        var places = resumed?.places ?? LinePlaces()
        var isStopped = false
        for piece in resumed?.pieces.lines ?? LogPiece.all(of: log) where !isStopped {
            isStopped = try !read(piece, reader, progress, &places, ahead, visit)
        }
        if let resumed {
            try resumed.write(places, keep)
            for piece in resumed.pieces.rest {
                _ = try read(piece, reader, progress, &places, ahead, visit)
            }
        }
        let counts = reader.counts
        precondition(counts.addUp, "every line is an event, not understood, or blank")
        progress?.finish(counts)
        if !isStopped, refusesBlank { session.refuseBlank(counts, log) }
        return (counts, places)
    }

    /// Reads a piece of the log; returns `false` if reading must stop.
    private func read(
        _ piece: LogPiece, _ reader: LogReader, _ progress: Progress?, _ places: inout LinePlaces,
        _ ahead: (@Sendable (ReadLines) -> Void)?, _ visit: (ReadLines) throws -> Void
    ) throws -> Bool {
        if piece.beginsFile { places.begin(piece.part.path, at: reader.counts.lines + 1) }
        let source = try piece.source()
        var isStopped = false
        try ToolError.reading(piece.part.path) {
            // With a stop, the lines that count are known only here, after decoding.
            try reader.readLines(source, ahead: input.stop == .never ? ahead : nil) { lines in
                progress?.show(reader.counts)
                // The previous block may have ended with the last event.
                guard !isStopped else { return 0 }
                let end = input.stop == .never ? nil : input.stop.end(of: lines)
                isStopped = end != nil
                let taken = lines[..<(end ?? lines.endIndex)]
                if input.stop != .never { ahead?(taken) }
                try visit(taken)
                return taken.count
            }
        }
        return !isStopped
    }
}

/// Maps a line of a log to a file and a line in that file.
struct LinePlaces {
    private var starts: [(path: String, line: Int)] = []

    var firstLines: [Int] { starts.map(\.line) }

    mutating func begin(_ path: String, at line: Int) { starts.append((path, line)) }

    /// Records where the files of a growing log begin; `parts` includes those of earlier calls.
    mutating func begin(_ parts: [GrowingLog.Part]) {
        for part in parts[starts.count...] { begin(part.path, at: part.firstLine) }
    }

    func place(of line: Int) -> (path: String, line: Int) {
        guard let start = starts.last(where: { $0.line <= line }) else { return ("-", line) }
        return (start.path, line - start.line + 1)
    }
}

extension LineCounts {
    var isBlank: Bool { lines > 0 && blank == lines }
}
