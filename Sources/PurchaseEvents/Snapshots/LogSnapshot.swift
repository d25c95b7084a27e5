/// The file beside a log from which the log opens without being read from its start.
///
/// It is never needed: a log opens the same without it, and a file that is damaged, that another
/// program wrote, or that fits another log is ignored. Nobody is told of errors in writing it.
struct LogSnapshot: Sendable {
    /// What a log knows at a line: the scan up to it, and the folded state of a ledger.
    struct Content: Sendable {
        var scan: OpeningScan.Start
        var state: FoldedState?
    }

    let path: String
    let interval: Int64
    private let operations: any FileOperations

    private static let magic = "purchase log snapshot, format 3"

    init(at path: String, every interval: Int64, operations: any FileOperations) {
        self.path = path
        self.interval = max(1, interval)
        self.operations = operations
    }

    // MARK: Reading

    /// What the file knows of a log, with a ledger's state if wanted; `nil` if it doesn't fit.
    func read(of log: LogBytes, folds: Bool) -> Content? {
        guard let file = try? LogBytes(at: path, operations: operations),
            let size = try? file.size()
        else { return nil }
        let source = FileSource(file, from: 0, to: size)
        let reader = SnapshotReader(source, size: Int(clamping: size))
        let visitor = FieldVisitor(reader)
        var (magic, proof, hasState) = ("", LogProof(), false)
        visitor.visit(&magic).visit(&proof).visit(&hasState)
        guard magic == LogSnapshot.magic, hasState || !folds else { return nil }
        var scan = OpeningScan.Start()
        visitor.visit(&scan)
        guard !visitor.isDamaged, scan.end.offset > 0,
            let seen = try? LogSnapshot.proof(of: log, to: scan.end.offset), seen == proof
        else { return nil }
        var state: FoldedState?
        if folds {
            var folded = FoldedState(key: scan.ids.key)
            folded.visitFields(visitor)
            state = folded
        }
        guard !folds || reader.isAtEnd(), !visitor.isDamaged else { return nil }
        return Content(scan: scan, state: state)
    }

    private static func proof(
        of log: LogBytes, to end: Int64
    ) throws(EventLogError) -> LogProof {
        let size = try log.size()
        guard size >= end else { throw .shrank(path: log.path, read: end, size: size) }
        return try LogProof(ofFirst: Int(clamping: end)) { range throws(EventLogError) in
            try log.read(at: Int64(range.lowerBound), count: range.count)
        }
    }

    // MARK: Writing

    /// Writes the file beside its old version and renames it, so that it is the old one or the new
    /// one.
    func write(_ content: Content, of log: LogBytes) throws {
        var content = content
        var (magic, hasState) = (LogSnapshot.magic, content.state != nil)
        var proof = try LogSnapshot.proof(of: log, to: content.scan.end.offset)
        let file = ReplacedFile(at: path, operations: operations)
        try file.replace { append in
            let writer = SnapshotWriter { bytes, _ in try append(Array(bytes)) }
            let visitor = FieldVisitor(writer)
            visitor.visit(&magic).visit(&proof).visit(&hasState).visit(&content.scan)
            content.state?.visitFields(visitor)
            try writer.end()
        }
    }
}

extension OpeningScan {
    /// The part of a scan that a later scan of a longer log goes on from.
    struct Start: Sendable, Snapshotted {
        var end = LogPosition.start
        var report = OpeningReport()
        var ids = IDIndex()
        var chain: Chain?

        mutating func visitFields(_ visitor: FieldVisitor) {
            var (offset, line, seq) = (end.offset, end.line, end.seq)
            visitor.visit(&offset).visit(&line).visit(&seq)
            end = LogPosition(offset: offset, line: line, seq: seq) ?? .start
            report.visitFields(visitor)
            visitor.visit(&ids).visit(&chain)
        }
    }
}

extension OpeningReport {
    /// Whether a snapshot can hold the report: nothing in the log is damaged.
    var isKept: Bool {
        damage == nil && tail == nil
            && problems.allSatisfy { problem in
                switch problem.kind {
                case .diagnostic, .sequence: true
                case .chain, .missing: false
                }
            }
    }

    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&events).visit(&notUnderstood).visit(&blank).visit(&problemCount)
        var kept = problems.compactMap { KeptProblem($0) }
        visitor.visit(&kept)
        problems = kept.compactMap(\.problem)
    }
}

private struct KeptProblem: SnapshottedElement {
    private var offset: Int64 = 0, line: Int64 = 1, seq: Int64 = 1
    private var expected: Int64 = 0, seen: Int64 = 0
    private var code: DiagnosticCode?
    private var byte = 0
    private var message = ""

    init() {}

    init?(_ problem: LogProblem) {
        let position = problem.position
        (offset, line, seq) = (position.offset, position.line, position.seq)
        switch problem.kind {
        case .diagnostic(let diagnostic):
            (code, byte, message) = (diagnostic.code, diagnostic.byte, diagnostic.message)
        case .sequence(let expected, let seen): (self.expected, self.seen) = (expected, seen)
        case .chain, .missing: return nil
        }
    }

    var problem: LogProblem? {
        guard let position = LogPosition(offset: offset, line: line, seq: seq) else { return nil }
        let kind: LogProblem.Kind =
            code.map { .diagnostic(Diagnostic($0, byte: byte, message)) }
            ?? .sequence(expected: expected, seen: seen)
        return LogProblem(position: position, kind: kind)
    }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&offset).visit(&line).visit(&seq).visit(&expected).visit(&seen).visit(&code)
        visitor.visit(&byte).visit(&message)
    }
}
