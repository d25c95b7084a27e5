/// Reads a whole log when it is opened: its lines, the places of its `id`s, and its end.
struct OpeningScan {
    private(set) var report = OpeningReport()
    private(set) var ids: IDIndex
    private(set) var end = LogPosition.start
    /// The bytes that a crash left after the last valid line.
    private(set) var tail: LogTail?
    private(set) var chain: Chain?
    private(set) var isNotALog = false

    private let path: String
    private let decoder: LineDecoder
    private(set) var state: FoldedState?
    /// The greatest `seq` that the snapshot knew; `nil` if none fitted the log.
    let snapshotSeq: Int64?
    /// The first damaged line, and the report as it was before that line.
    private var firstDamage: (position: LogPosition, problem: LogProblem, report: OpeningReport)?
    private var hasLineAfterDamage = false
    /// Whether the previous line was damaged, so that this line's chain value can't be checked.
    private var followsDamage = false

    /// Prepares a scan of the lines that no snapshot knows; names are fingerprints, so that its
    /// memory doesn't depend on their length.
    init(path: String, folds: Bool = false, after known: LogSnapshot.Content? = nil) {
        self.path = path
        let start = known?.scan ?? Start()
        snapshotSeq = known.map { $0.scan.end.seq - 1 }
        (end, report, ids, chain) = (start.end, start.report, start.ids, start.chain)
        decoder = LineDecoder(key: ids.key)
        if folds { state = known?.state ?? FoldedState(key: ids.key) }
    }

    /// Reads all whole lines, and decides which bytes at the end are a torn tail and which are
    /// damage.
    ///
    /// A tail is torn if it is in the last segment after the durable mark and no valid line follows
    /// it, or if it is in the batch that was being written according to the mark. A file that was
    /// never a log isn't torn, and stays as it is.
    mutating func run(_ source: LogBytes, mark: DurableMark?) throws(EventLogError) {
        guard source.starts.first == 0 else {
            throw .shrank(
                path: LogBytes.path(ofSegmentAt: 0, in: path), read: source.starts.first ?? 0,
                size: 0)
        }
        let size = try source.size()
        let lastStart = source.starts.last ?? 0
        let firstHole = try OpeningScan.firstHole(in: source, size: size, from: lastStart, mark)
        var cutter = LineCutter(source, from: end.offset, limit: firstHole ?? size)
        while let line = try cutter.next() {
            let decoded = cutter.withBytes(of: line) { decoder.decodeFingerprinted($0) }
            let content = decoded ?? .notUnderstood(LineDecoder.lineTooLong)
            take(content)
            state?.take(content)
            if end.line == 1 { try checkFirst(content) }
            cutter.withBytes(of: line) { checkChain($0, content) }
            end = end.advanced(past: content, length: line.fileLength)
        }
        if size < mark?.durable ?? 0 {
            let kind = LogProblem.Kind.missing(expected: mark?.durable ?? 0, seen: size)
            report.damage = report.damage ?? LogProblem(position: end, kind: kind)
        }
        if end.offset == 0, size > 0, mark == nil {
            isNotALog = !OpeningLine.mayBegin(try source.read(at: 0, count: OpeningLine.length))
        }
        classifyEnd(size: size, lastStart: lastStart, mark)
    }

    private mutating func classifyEnd(size: Int64, lastStart: Int64, _ mark: DurableMark?) {
        let start = firstDamage?.position ?? end
        guard start.offset < size else { return }
        guard !isNotALog else {
            report.damage = note(.diagnostic(OpeningScan.notOpened))
            return
        }
        // Without a mark, a file in which no line is valid may be anything.
        let mayBeOurs = start.offset > 0 || firstDamage == nil || mark != nil
        let isTorn =
            mayBeOurs && !hasLineAfterDamage
            && start.offset >= max(lastStart, mark?.durable ?? 0)
        guard isTorn else {
            let noEnd = Diagnostic(.tornTail, byte: 1, "expected an end of line, seen none")
            let problem = LogProblem(position: end, kind: .diagnostic(noEnd))
            report.damage = report.damage ?? firstDamage?.problem ?? problem
            return
        }
        tail = LogTail(position: start, length: size - start.offset)
        // The part that is cut off doesn't count in the report.
        if let firstDamage {
            let damage = report.damage
            report = firstDamage.report
            report.damage = damage
            end = firstDamage.position
        }
    }

    /// The offset of the first damaged line in a batch that was being written at a crash, or `nil`.
    private static func firstHole(
        in source: LogBytes, size: Int64, from lastStart: Int64, _ mark: DurableMark?
    ) throws(EventLogError) -> Int64? {
        guard let mark, lastStart <= mark.durable, mark.durable < size, size <= mark.batchEnd
        else { return nil }
        var cutter = LineCutter(source, from: mark.durable, limit: size)
        let decoder = LineDecoder()
        var offset = mark.durable
        do throws(EventLogError) {
            while let line = try cutter.next() {
                let decoded = cutter.withBytes(of: line) { decoder.decodeFingerprinted($0) }
                if isDamaged(decoded ?? .notUnderstood(LineDecoder.lineTooLong)) { return offset }
                offset += line.fileLength
            }
        } catch .notALineStart {
            return nil
        }
        return offset < size ? offset : nil
    }

    /// Whether no writer could have produced this line; an unknown event type alone doesn't count.
    private static func isDamaged(_ content: DecodedLine<Fingerprinted>) -> Bool {
        guard case .notUnderstood(let diagnostic) = content else { return false }
        let codes: [DiagnosticCode] = [.notUTF8, .notJSON, .notAnObject, .lineTooLong]
        return codes.contains(diagnostic.code)
    }

    private mutating func take(_ content: DecodedLine<Fingerprinted>) {
        let before = firstDamage == nil && OpeningScan.isDamaged(content) ? report : nil
        switch content {
        case .event(let event):
            report.events += 1
            if event.seq != end.seq { note(.sequence(expected: end.seq, seen: event.seq)) }
            if let id = event.id { ids.insert(id, at: end.offset) }
            hasLineAfterDamage = firstDamage != nil
        case .notUnderstood(let diagnostic):
            report.notUnderstood += 1
            let problem = note(.diagnostic(diagnostic))
            if let before {
                firstDamage = (end, problem, before)
            } else if !OpeningScan.isDamaged(content) {
                hasLineAfterDamage = firstDamage != nil
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

    private mutating func checkFirst(_ content: DecodedLine<Fingerprinted>) throws(EventLogError) {
        if case .notUnderstood(let diagnostic) = content, diagnostic.code == .newerSchema {
            throw .newerSchema(path: path, diagnostic)
        }
        if case .event(let event) = content, case .logOpened = event.fact { return }
        note(.diagnostic(OpeningScan.notOpened))
    }

    /// Starts the chain at the first line and checks each line against it. If only a later line has
    /// a chain value, the first line has lost its own.
    private mutating func checkChain(
        _ line: UnsafeRawBufferPointer, _ content: DecodedLine<Fingerprinted>
    ) {
        let isDamaged = OpeningScan.isDamaged(content)
        if end.line == 1, OpeningScan.isChained(line, content) { chain = Chain() }
        if chain != nil {
            follow(line, isDamaged: isDamaged)
        } else if !isDamaged, let value = ChainedLine(line)?.value {
            if firstDamage == nil {
                let problem = LogProblem(position: .start, kind: .chain(.noValue))
                report.noteFirst(problem)
                report.damage = report.damage ?? problem
            }
            chain = Chain(head: value, lines: Int(clamping: end.line))
        }
    }

    /// Whether the first line, even damaged or not canonical, says that the log is chained.
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

    /// Checks a line against the chain; a crash can't leave a whole line that breaks the chain.
    private mutating func follow(_ line: UnsafeRawBufferPointer, isDamaged: Bool) {
        guard !isDamaged else {
            followsDamage = true
            return
        }
        guard let seen = chain?.follow(line) else {
            followsDamage = false
            return
        }
        if !followsDamage {
            let problem = note(.chain(seen))
            report.damage = report.damage ?? problem
        }
        followsDamage = seen == .noValue
        // Continue from the value in the line, so that one break causes one problem.
        if case .otherValue(_, let value) = seen {
            chain = Chain(head: value, lines: (chain?.lines ?? 0) + 1)
        }
    }
}
