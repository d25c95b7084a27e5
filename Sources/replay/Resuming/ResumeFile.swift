import PurchaseEvents

/// The file of `--resume`: the state of each log at its last whole line, and what was printed.
///
/// The old file is read while the new one is written beside it, one log after the other. The new
/// one takes its place when the run has ended well; otherwise the old one stays.
final class ResumeFile {
    /// Writes the new file.
    let writing: FieldVisitor
    private let path: String
    private let session: ToolSession
    private let writer: SnapshotWriter
    private let replacement: any FileReplacement
    /// The old file, and the number of its logs that are still to come.
    private var known: (reader: SnapshotReader, visitor: FieldVisitor, logs: Int)?

    private static let magic = "replay --resume, format 1"

    /// Opens the file, if there is one, and begins the new one.
    ///
    /// - Parameters:
    ///   - identity: What the program and its options make of a log; a file with another identity
    ///     is read from the start of the logs, with a note.
    ///   - isRestart: Whether to ignore what the file holds.
    init(
        _ path: String, _ identity: String, _ logs: [InputLog], isRestart: Bool,
        _ session: ToolSession
    ) throws {
        self.path = path
        self.session = session
        if let log = logs.first(where: { $0.parts.contains { !$0.isFile } }) {
            throw ToolError.noInput(
                "`--resume` reads a log again from where it ended: expected a file, seen "
                    + "`\(EscapedText.escape(log.name))`, which is standard input, a pipe or a "
                    + "device")
        }
        let replacement = try ToolError.asking(
            to: .write, "\(path).part", try session.host.beginReplacing(path))
        self.replacement = replacement
        writer = SnapshotWriter({ try replacement.write($0) }, sync: { replacement.sync() })
        writing = FieldVisitor(writer)
        if !isRestart { known = try ResumeFile.open(path, identity, logs, session) }
        var (magic, identity, count) = (ResumeFile.magic, identity, logs.count)
        writing.visit(&magic)
        writing.visit(&identity)
        writing.visit(&count)
    }

    /// Opens the old file; `nil` if there is none, or if it fits another program or other options.
    private static func open(
        _ path: String, _ identity: String, _ logs: [InputLog], _ session: ToolSession
    ) throws -> (reader: SnapshotReader, visitor: FieldVisitor, logs: Int)? {
        let shown = EscapedText.escape(path)
        let kind = Result { () throws(SystemProblem) in try session.host.kind(of: path) }
        if case .failure(let problem) = kind, problem.isMissing { return nil }
        guard case .file(let size) = try ToolError.asking(to: .read, path, try kind.get()) else {
            throw ToolError.noInput("`\(shown)` is not a file: expected one that --resume wrote")
        }
        let source = try ToolError.asking(to: .read, path, try session.host.open(path))
        let reader = SnapshotReader(source, size: size)
        let visitor = FieldVisitor(reader)
        var (magic, written, count) = ("", "", 0)
        visitor.visit(&magic)
        visitor.visit(&written)
        visitor.visit(&count)
        guard !visitor.isDamaged else { throw ResumeFile.damaged(path) }
        guard magic == ResumeFile.magic, written == identity else {
            session.tell(
                "\(shown): note: written by another version of the program, or with other rules or "
                    + "options, so the logs are read from their start")
            return nil
        }
        guard count <= logs.count else {
            throw ToolError(
                status: .undetermined,
                message: "\(shown) holds \(TextFormat.count(count, "log")), seen "
                    + "\(TextFormat.grouped(logs.count)): expected the same logs; --restart reads "
                    + "them from their start")
        }
        return (reader, visitor, count)
    }

    private static func damaged(_ path: String) -> ToolError {
        ToolError(
            status: .undetermined,
            message: "\(EscapedText.escape(path)) is damaged, or was not written by --resume: "
                + "delete it, or use --restart to read the logs from their start")
    }

    /// The next log, with the state of the last run.
    ///
    /// - Parameter roles: The names that the command needs.
    func next(
        _ log: InputLog, threads: Int, roles: [NameRole] = NameRole.allCases
    ) throws(ToolError) -> ResumedLog {
        var before: (visitor: FieldVisitor, mark: LogMark)?
        if let known, known.logs > 0 {
            self.known?.logs -= 1
            var mark = LogMark()
            known.visitor.visit(&mark)
            try checkWhole()
            if let difference = try mark.difference(in: log) {
                throw ToolError(
                    status: .undetermined,
                    message: "\(EscapedText.escape(log.name)) doesn't go on from the log that "
                        + "\(EscapedText.escape(path)) was made of: \(difference); --restart reads "
                        + "it from its start")
            }
            before = (known.visitor, mark)
        }
        return try ResumedLog(log, before, threads: threads, roles: roles, self)
    }

    /// Reads the state of the only log; `nil` if it is read from its start.
    func state() -> FieldVisitor? {
        guard let known, known.logs > 0 else { return nil }
        self.known?.logs -= 1
        return known.visitor
    }

    /// Throws if what was read of the old file so far is damaged.
    func checkWhole() throws(ToolError) {
        guard let known, known.visitor.isDamaged else { return }
        if let problem = known.reader.problem {
            throw .cannotRead(path, problem)
        }
        throw ResumeFile.damaged(path)
    }

    /// Lets the disk write the state of a log, while its rules come to their end.
    func rest() { writer.rest() }

    /// Puts the new file in place of the old one.
    func commit() throws {
        if let known, !known.reader.isAtEnd() {
            try checkWhole()
            throw ResumeFile.damaged(path)
        }
        do {
            try writer.end()
            try replacement.commit()
        } catch let problem as SystemProblem {
            throw ToolError.ioFailed(
                "cannot write `\(EscapedText.escape(path))`: \(problem.words)")
        }
    }
}
