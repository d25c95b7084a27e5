/// Reads a whole log at its opening: what is in it, where its `id`s stand, and where it ends.
struct OpeningScan {
    /// What a caller that folds the log meanwhile sees of each line.
    typealias Visit = (DecodedLine<Fingerprinted>) -> Void

    private(set) var report = OpeningReport()
    private(set) var ids: IDIndex
    /// Where the next line goes.
    private(set) var end = LogPosition.start
    /// What a crash left behind the last line that counts.
    private(set) var tail: LogTail?
    /// The chain up to the last line; `nil` where the log isn't chained.
    private(set) var chain: Chain?
    /// Whether all that there is is bytes without an end of line that no log begins with.
    private(set) var isNoLog = false

    private let path: String
    private let decoder = LineDecoder()
    /// The first line that is damaged, and what was known before it.
    private var suspect: (position: LogPosition, problem: LogProblem, report: OpeningReport)?
    private var hasLineBehindSuspect = false
    /// Whether the line before can't be taken for one of the chain.
    private var hasLostChain = false

    /// Prepares to scan; names are fingerprints, so that a log of many needs no more memory than
    /// one of few.
    init(path: String) {
        self.path = path
        ids = IDIndex()
    }

    /// Reads all whole lines, and tells what of the end is torn and what is damaged.
    ///
    /// Torn may be what lies in the last segment, behind what the mark says is on the disk, and has
    /// no line behind it, or lies within the batch that the mark says was being written. What never
    /// was a log isn't torn: it is left as it is.
    mutating func run(
        _ source: LogBytes, mark: DurableMark?, visit: Visit?
    ) throws(EventLogError) {
        guard source.starts.first == 0 else {
            throw .shrank(
                path: LogBytes.path(ofSegmentAt: 0, in: path), read: source.starts.first ?? 0,
                size: 0)
        }
        let size = try source.size()
        let lastStart = source.starts.last ?? 0
        let hole = try OpeningScan.hole(in: source, size: size, from: lastStart, mark)
        var cutter = LineCutter(source, limit: hole ?? size)
        while let line = try cutter.next() {
            let decoded = cutter.withBytes(of: line) { decoder.decodeFingerprinted($0) }
            let content = decoded ?? .notUnderstood(LineDecoder.lineTooLong)
            take(content)
            visit?(content)
            if end.line == 1 { try checkFirst(content) }
            cutter.withBytes(of: line) { holdAgainstChain($0, content) }
            end = end.behind(LineContent(content), length: line.fileLength)
        }
        if size < mark?.durable ?? 0 {
            let kind = LogProblem.Kind.missing(expected: mark?.durable ?? 0, seen: size)
            report.damage = report.damage ?? LogProblem(position: end, kind: kind)
        }
        if end.offset == 0, size > 0, mark == nil {
            isNoLog = !OpeningLine.mayBegin(try source.read(at: 0, count: OpeningLine.length))
        }
        judge(size: size, lastStart: lastStart, mark)
    }

    private mutating func judge(size: Int64, lastStart: Int64, _ mark: DurableMark?) {
        let start = suspect?.position ?? end
        guard start.offset < size else { return }
        guard !isNoLog else {
            report.damage = note(.diagnostic(OpeningScan.notOpened))
            return
        }
        // Whole lines of which none is a log's may be anything, but for a log that has a mark.
        let mayBeOurs = start.offset > 0 || suspect == nil || mark != nil
        let isTorn =
            mayBeOurs && !hasLineBehindSuspect
            && start.offset >= max(lastStart, mark?.durable ?? 0)
        guard isTorn else {
            report.damage = report.damage ?? suspect?.problem ?? missingEnd()
            return
        }
        tail = LogTail(position: start, length: size - start.offset)
        // What is cut is no part of the log.
        if let suspect {
            let damage = report.damage
            report = suspect.report
            report.damage = damage
            end = suspect.position
        }
    }

    private func missingEnd() -> LogProblem {
        let diagnostic = Diagnostic(.tornTail, byte: 1, "expected an end of line, seen none")
        return LogProblem(position: end, kind: .diagnostic(diagnostic))
    }

    /// Where the first line is damaged of a batch that was being written when the log was left.
    private static func hole(
        in source: LogBytes, size: Int64, from lastStart: Int64, _ mark: DurableMark?
    ) throws(EventLogError) -> Int64? {
        guard let mark, lastStart <= mark.durable, mark.durable < size, size <= mark.batchEnd
        else { return nil }
        var cutter = LineCutter(source, from: mark.durable, limit: size)
        let decoder = LineDecoder()
        var offset = mark.durable
        do throws(EventLogError) {
            while let line = try cutter.next() {
                let decoded = cutter.withBytes(of: line) { decoder.decode($0) }
                if isDamaged(decoded ?? .notUnderstood(LineDecoder.lineTooLong)) { return offset }
                offset += line.fileLength
            }
        } catch .notALineStart {
            return nil
        }
        return offset < size ? offset : nil
    }

    /// Whether a line is none that any writer wrote, and not only of a kind that isn't known.
    private static func isDamaged(_ content: DecodedLine<some Spelling>) -> Bool {
        guard case .notUnderstood(let diagnostic) = content else { return false }
        let codes: [DiagnosticCode] = [.notUTF8, .notJSON, .notAnObject, .lineTooLong]
        return codes.contains(diagnostic.code)
    }

    private mutating func take(_ content: DecodedLine<Fingerprinted>) {
        let before = suspect == nil && OpeningScan.isDamaged(content) ? report : nil
        switch content {
        case .event(let event):
            report.events += 1
            if event.seq != end.seq {
                note(.sequence(expected: end.seq, seen: event.seq))
            }
            if let id = event.id { ids.insert(id, at: end.offset) }
            hasLineBehindSuspect = suspect != nil
        case .notUnderstood(let diagnostic):
            report.notUnderstood += 1
            let problem = note(.diagnostic(diagnostic))
            if let before {
                suspect = (end, problem, before)
            } else if !OpeningScan.isDamaged(content) {
                hasLineBehindSuspect = suspect != nil
            }
        case .blank:
            report.blank += 1
            let blank = Diagnostic(.blankLine, byte: 1, "expected an event, seen a blank line")
            note(.diagnostic(blank))
        }
    }

    @discardableResult
    private mutating func note(_ kind: LogProblem.Kind) -> LogProblem {
        let problem = LogProblem(position: end, kind: kind)
        report.note(problem)
        return problem
    }

    private static let notOpened = Diagnostic(
        .notOpened, byte: 1, "expected `log.opened` in the first line")

    /// A log says in its first line whether this version can append to it.
    private mutating func checkFirst(
        _ content: DecodedLine<Fingerprinted>
    ) throws(EventLogError) {
        if case .notUnderstood(let diagnostic) = content, diagnostic.code == .newerSchema {
            throw .newerSchema(path: path, diagnostic)
        }
        if case .event(let event) = content, case .logOpened = event.fact { return }
        note(.diagnostic(OpeningScan.notOpened))
    }

    /// Begins the chain where there is one, and holds a line against it.
    ///
    /// A chain value further on shows that the first line lost its own.
    private mutating func holdAgainstChain(
        _ line: UnsafeRawBufferPointer, _ content: DecodedLine<Fingerprinted>
    ) {
        let isDamaged = OpeningScan.isDamaged(content)
        if end.line == 1, OpeningScan.isChained(line, content) { chain = Chain() }
        if chain != nil {
            follow(line, isDamaged: isDamaged)
        } else if !isDamaged, let value = ChainedLine(line)?.value {
            if suspect == nil {
                let problem = LogProblem(position: .start, kind: .chain(.noValue))
                report.noteFirst(problem)
                report.damage = report.damage ?? problem
            }
            chain = Chain(head: value, lines: Int(clamping: end.line))
        }
    }

    /// Whether the first line says that the log is chained, however it is written or damaged.
    private static func isChained(
        _ line: UnsafeRawBufferPointer, _ content: DecodedLine<Fingerprinted>
    ) -> Bool {
        if case .event(let event) = content, case .logOpened(let opened) = event.fact,
            opened.chained == true
        {
            return true
        }
        return ChainedLine.isFirst(line)
    }

    /// Holds a line against the chain. A whole line that isn't its next is no crash's work.
    private mutating func follow(_ line: UnsafeRawBufferPointer, isDamaged: Bool) {
        guard !isDamaged else {
            hasLostChain = true
            return
        }
        guard let seen = chain?.follow(line) else {
            hasLostChain = false
            return
        }
        if !hasLostChain {
            let problem = note(.chain(seen))
            report.damage = report.damage ?? problem
        }
        hasLostChain = seen == .noValue
        // From here on as it says itself, so that one break is one problem.
        if case .otherValue(_, let value) = seen {
            chain = Chain(head: value, lines: (chain?.lines ?? 0) + 1)
        }
    }
}
