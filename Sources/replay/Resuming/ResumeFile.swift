import PurchaseEvents

/// The file of `--resume`: the state of each log at a line, and how the last run ended.
///
/// The old file is read while the new one is written beside it, one log after the other. The new
/// one takes its place when the run has ended well; otherwise the old one stays.
///
/// If a log has grown little since the state was written, the state stays, and the next run reads
/// the lines after it again. Then only the end of the last run is written, in place: behind the old
/// one or before it, and the head names the new one once it is on the disk.
final class ResumeFile {
    /// Writes the state of the logs to the new file.
    let writing: FieldVisitor
    var runs: [LastRun] = []
    private let path: String
    private let session: ToolSession
    private let writer: SnapshotWriter
    private let replacement: any FileReplacement
    private var head: ResumeHead
    /// The old file, if it fits.
    private var known: Known?
    /// The old file, if its state stays.
    private(set) var changed: (any ChangedFile)?
    /// Whether an old file is one that `--resume` wrote, or empty, so that it may be replaced.
    private var isReplaceable = true

    private struct Known {
        let head: ResumeHead
        let reader: SnapshotReader
        let visitor: FieldVisitor
        /// How the last run left the logs that are still to come.
        var runs: ArraySlice<LastRun> = []
    }

    /// Opens the file, if there is one, and begins the new one.
    ///
    /// - Parameters:
    ///   - identity: What the program and its options make of a log; a file with another identity
    ///     is read from the start of the logs, with a note.
    ///   - isRestart: Whether to ignore what the file holds; it must be one that `--resume` wrote.
    init(
        _ path: String, _ identity: String, _ logs: [InputLog], isRestart: Bool,
        _ session: ToolSession
    ) throws {
        (self.path, self.session) = (path, session)
        if let log = logs.first(where: { $0.parts.contains { !$0.isFile } }) {
            throw ToolError.noInput(
                "`--resume` reads a log again from where it ended: expected a file, seen "
                    + "`\(log.name.escaped)`, which is standard input, a pipe or a device")
        }
        let replacement = try ResumeFile.begin(path, session)
        self.replacement = replacement
        let file = replacement.file
        writer = SnapshotWriter(
            at: ResumeHead.size, { try file.write($0, at: $1) }, sync: { try? file.sync() })
        writing = FieldVisitor(writer)
        head = ResumeHead(of: identity)
        head.logs = logs.count
        guard let size = try sizeOfOld() else { return }
        isReplaceable =
            try size == 0 || ResumeHead.begins(session.bytes(of: path, upTo: ResumeHead.size))
        guard isReplaceable else { throw damaged }
        if !isRestart { known = try open(size) }
    }

    /// Begins the new file; throws while another run uses the old one.
    private static func begin(
        _ path: String, _ session: ToolSession
    ) throws(ToolError) -> any FileReplacement {
        let answer = Result { () throws(SystemProblem) in try session.host.beginReplacing(path) }
        if case .failure(let problem) = answer, problem.code == EWOULDBLOCK {
            throw .ioFailed("another run uses `\(path.escaped)`: wait for its end")
        }
        return try ToolError.asking(to: .write, path, try answer.get())
    }

    /// The size of the old file; `nil` if there is none.
    private func sizeOfOld() throws(ToolError) -> Int? {
        let kind = Result { () throws(SystemProblem) in try session.host.kind(of: path) }
        if case .failure(let problem) = kind, problem.isMissing { return nil }
        guard case .file(let size) = try ToolError.asking(to: .read, path, try kind.get()) else {
            throw .noInput("`\(path.escaped)` is not a file: expected one that --resume wrote")
        }
        return size
    }

    /// Opens the old file; `nil` if it fits another program or other options.
    private func open(_ size: Int) throws -> Known? {
        let shown = path.escaped
        var old = ResumeHead(of: "")
        let first = FieldVisitor(try reader(from: 0, to: size))
        old.visitFields(first)
        guard old.fits(head) || first.isDamaged else {
            session.tell(
                "\(shown): note: written by another version of the program, or with other rules or "
                    + "options, so the logs are read from their start")
            return nil
        }
        guard !first.isDamaged, old.fits(size: size) else { throw damaged }
        guard old.logs <= head.logs else {
            throw ToolError.undetermined(
                "\(shown) holds \(old.logs.counted("log")), seen \(head.logs.grouped): expected "
                    + "the same logs; --restart reads them from their start")
        }
        let last = try reader(from: old.start, to: old.end)
        var runs: [LastRun] = []
        FieldVisitor(last).visit(&runs)
        guard last.isAtEnd(), runs.count == old.logs else { throw damaged }
        let reader = try reader(from: ResumeHead.size, to: old.endOfState)
        return Known(head: old, reader: reader, visitor: FieldVisitor(reader), runs: runs[...])
    }

    private func reader(from start: Int, to end: Int) throws -> SnapshotReader {
        let source = try ToolError.asking(to: .read, path, try session.host.open(path, from: start))
        return SnapshotReader(source, size: end - start)
    }

    private var damaged: ToolError {
        .undetermined(
            "\(path.escaped) is damaged, or was not written by --resume: "
                + (isReplaceable
                    ? "delete it, or use --restart to read the logs from their start"
                    : "name another file, or delete it"))
    }

    /// The next log, with the state of an earlier run; `roles` are the names that the command
    /// needs.
    func next(
        _ log: InputLog, threads: Int, roles: [NameRole] = NameRole.allCases
    ) throws(ToolError) -> ResumedLog {
        var before: ResumedLog.Before?
        if let last = known?.runs.popFirst(), let known {
            var mark = LogMark()
            known.visitor.visit(&mark)
            try checkWhole()
            for mark in [last.mark, mark] {
                guard let difference = try mark.difference(in: log) else { continue }
                throw ToolError.undetermined(
                    "\(log.name.escaped) doesn't go on from the log that \(path.escaped) "
                        + "was made of: \(difference); --restart reads it from its start")
            }
            before = (known.visitor, mark, last)
            if head.logs == 1, mark.isNearEnd(of: log) { changed = try? session.host.change(path) }
        }
        return try ResumedLog(log, before, threads: threads, roles: roles, self)
    }

    /// Reads the state of the only log, and how the last run ended; `nil` if the log is read from
    /// its start.
    func state() -> (visitor: FieldVisitor, last: LastRun)? {
        guard let last = known?.runs.popFirst(), let known else { return nil }
        return (known.visitor, last)
    }

    /// Throws if what was read of the old file so far is damaged.
    func checkWhole() throws(ToolError) {
        guard let known, known.visitor.isDamaged else { return }
        if let problem = known.reader.problem { throw .cannotRead(path, problem) }
        throw damaged
    }

    /// Lets the disk write the state of a log, while its rules come to their end.
    func rest() { writer.rest() }

    /// Puts the new file in place of the old one, or how this run ends behind the state that stays.
    func commit() throws {
        if let known, !known.reader.isAtEnd() {
            try checkWhole()
            throw damaged
        }
        do {
            let last = SnapshotWriter.bytes { $0.visit(&runs) }
            if let changed, let known {
                try write(last, to: changed, known.head)
            } else {
                try writer.end()
                (head.endOfState, head.start) = (writer.offset, writer.offset)
                try write(last, to: replacement.file)
                try replacement.commit()
            }
        } catch let problem as SystemProblem {
            throw ToolError.ioFailed("cannot write `\(path.escaped)`: \(problem.words)")
        }
    }

    /// Writes how this run ends to the old file, before or behind what says how the last one did.
    private func write(_ last: [UInt8], to file: any ChangedFile, _ old: ResumeHead) throws {
        head.isClosed = false
        (head.endOfState, head.start, head.end) = (old.endOfState, old.start, old.end)
        if old.isClosed {
            try write(head.bytes, to: file, at: 0)
            try file.sync()
        }
        head.start = old.endOfState + last.count <= old.start ? old.endOfState : old.end
        try write(last, to: file)
        try file.sync()
        try file.cut(at: head.end)
    }

    /// Writes how this run ends where the head says, and once this is on the disk, the head.
    private func write(_ last: [UInt8], to file: any ChangedFile) throws {
        head.end = head.start + last.count
        try write(last, to: file, at: head.start)
        try file.sync()
        try write(head.bytes, to: file, at: 0)
    }

    private func write(_ bytes: [UInt8], to file: any ChangedFile, at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }
}
