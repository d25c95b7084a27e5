/// Reads a whole log at its opening: what is in it, where its `id`s stand, and where it ends.
struct OpeningScan {
    /// What a caller who folds the log meanwhile sees of each line: what it is, its bytes (none of
    /// a line that is too long) and its place.
    typealias Visit = (DecodedLine<Interned>, UnsafeRawBufferPointer, LogPosition) -> Void

    private(set) var report = OpeningReport()
    private(set) var ids: IDIndex
    /// Where the next line goes.
    private(set) var end = LogPosition.start
    /// What lies behind the last whole line.
    private(set) var tail: LogTail?

    private let path: String
    private var decoder: LineDecoder
    /// Whether the names must stay those of the one table that was given.
    private let keepsNames: Bool

    /// How many lines one table of names serves, so that a log of many names needs no more memory
    /// than one of few.
    private static let linesPerTable: Int64 = 4_096

    /// Prepares to scan; with a table, all names are taken into it and stay.
    init(path: String, names: NameTable?) {
        self.path = path
        decoder = LineDecoder(names: names ?? NameTable())
        ids = IDIndex(seed: decoder.names.seed)
        keepsNames = names != nil
    }

    /// Reads all whole lines.
    mutating func run(_ source: OwnedFile, visit: Visit?) throws(EventLogError) {
        var cutter = LineCutter(source)
        while let line = try cutter.next() {
            if !keepsNames, end.line % OpeningScan.linesPerTable == 0 {
                decoder = LineDecoder()
            }
            let taken = cutter.withBytes(of: line) { bytes in
                take(decoder.decode(bytes), bytes, visit)
            }
            let content = taken ?? takeTooLong(visit)
            if end.line == 1 { try checkFirst(content) }
            end = end.behind(LineContent(content), length: line.fileLength)
        }
        if cutter.tailLength > 0 { tail = LogTail(position: end, length: cutter.tailLength) }
    }

    private mutating func takeTooLong(_ visit: Visit?) -> DecodedLine<Interned> {
        take(
            .notUnderstood(LineDecoder.lineTooLong),
            UnsafeRawBufferPointer(start: nil, count: 0), visit)
    }

    private mutating func take(
        _ content: DecodedLine<Interned>, _ bytes: UnsafeRawBufferPointer, _ visit: Visit?
    ) -> DecodedLine<Interned> {
        switch content {
        case .event(let event):
            report.events += 1
            if event.seq != end.seq {
                note(.sequence(expected: end.seq, seen: event.seq))
            }
            if let id = event.id { ids.insert(id, at: end.offset) }
        case .notUnderstood(let diagnostic):
            report.notUnderstood += 1
            note(.diagnostic(diagnostic))
        case .blank:
            report.blank += 1
            let blank = Diagnostic(.blankLine, byte: 1, "expected an event, seen a blank line")
            note(.diagnostic(blank))
        }
        visit?(content, bytes, end)
        return content
    }

    private mutating func note(_ kind: LogProblem.Kind) {
        report.note(LogProblem(position: end, kind: kind))
    }

    /// A log says in its first line whether this version can append to it.
    private mutating func checkFirst(
        _ content: DecodedLine<Interned>
    ) throws(EventLogError) {
        if case .notUnderstood(let diagnostic) = content, diagnostic.code == .newerSchema {
            throw .newerSchema(path: path, diagnostic)
        }
        guard case .event(let event) = content, case .logOpened(let opened) = event.fact else {
            note(
                .diagnostic(
                    Diagnostic(.notOpened, byte: 1, "expected `log.opened` in the first line")))
            return
        }
        if opened.chained == true { throw .chained(path: path) }
    }
}
