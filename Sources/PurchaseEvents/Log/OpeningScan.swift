/// Reads a whole log at its opening: what is in it, where its `id`s stand, and where it ends.
struct OpeningScan {
    /// What a caller who folds the log meanwhile sees of each line.
    typealias Visit = (DecodedLine<Fingerprinted>) -> Void

    private(set) var report = OpeningReport()
    private(set) var ids: IDIndex
    /// Where the next line goes.
    private(set) var end = LogPosition.start
    /// What lies behind the last whole line.
    private(set) var tail: LogTail?

    private let path: String
    private let decoder = LineDecoder()

    /// Prepares to scan; names are fingerprints, so that a log of many needs no more memory than
    /// one of few.
    init(path: String) {
        self.path = path
        ids = IDIndex()
    }

    /// Reads all whole lines.
    mutating func run(_ source: OwnedFile, visit: Visit?) throws(EventLogError) {
        var cutter = LineCutter(source)
        while let line = try cutter.next() {
            let decoded = cutter.withBytes(of: line) { decoder.decodeFingerprinted($0) }
            let content = decoded ?? .notUnderstood(LineDecoder.lineTooLong)
            take(content)
            visit?(content)
            if end.line == 1 { try checkFirst(content) }
            end = end.behind(LineContent(content), length: line.fileLength)
        }
        if cutter.tailLength > 0 { tail = LogTail(position: end, length: cutter.tailLength) }
    }

    private mutating func take(_ content: DecodedLine<Fingerprinted>) {
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
    }

    private mutating func note(_ kind: LogProblem.Kind) {
        report.note(LogProblem(position: end, kind: kind))
    }

    /// A log says in its first line whether this version can append to it.
    private mutating func checkFirst(
        _ content: DecodedLine<Fingerprinted>
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
