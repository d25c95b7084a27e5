/// Why the log refused an operation; the cases are in the order in which they are checked.
///
/// Each description names the place (file, line or draft), what was seen, what was expected and
/// what to do. After any error except ``syncFailed(path:_:)`` and ``latched(path:_:)`` the log is
/// unchanged.
public enum EventLogError: Error, Hashable, Sendable {
    // MARK: Opening

    /// No file exists at the path.
    case noSuchLog(path: String)
    /// The path isn't a regular file; symbolic links aren't followed.
    case notARegularFile(path: String, seen: FileKind)
    /// Another writer holds the log's lock; `processID` is its process, if the lock file names one.
    case inUse(path: String, processID: Int32?)
    /// A file already exists where a log should be created.
    case alreadyExists(path: String)
    /// Line 1 declares a newer format than this version knows, so nothing can be appended.
    case newerSchema(path: String, Diagnostic)
    /// Bytes follow the last whole line: a crash interrupted an append that was never acknowledged.
    case tornTail(path: String, LogTail)
    /// The log has no lines, not even `log.opened`; its creation was never acknowledged.
    case empty(path: String)

    // MARK: Reading

    /// No line starts at this offset: the position belongs to another log, or the log was
    /// rewritten.
    case notALineStart(path: String, offset: Int64)
    /// The log has fewer bytes than were already read, or ends before its next segment starts: the
    /// log was cut, or a segment is missing.
    case shrank(path: String, read: Int64, size: Int64)

    // MARK: Appending

    /// The log was closed.
    case closed(path: String)
    /// An earlier failure left the end of the file unknown.
    case latched(path: String, SystemError)
    /// The log was damaged when it was opened, so it is open for reading only.
    case damaged(path: String, LogProblem)
    /// The log is one file, so it has no segments to start.
    case notSegmented(path: String)
    /// The format can't represent a draft (counted from 0).
    case cannotWrite(draft: Int, WritingProblem)
    /// A draft (counted from 0) is another `log.opened`, which only line 1 may be.
    case openedAgain(draft: Int)
    /// A draft (counted from 0) has an `id` that the log has at `seq` with different content.
    case idConflict(draft: Int, id: String, seq: Int64)
    /// The log's last `seq` isn't the expected one: another append came first.
    case unexpectedSequence(expected: Int64, seen: Int64)
    /// Something else changed the file; `seen` is its size in bytes, or `nil` if the file is gone.
    case changedOutside(path: String, expected: Int64, seen: Int64?)
    /// Writing failed; the file was cut back, and the log has no part of the batch.
    case writeFailed(path: String, SystemError)
    /// Syncing failed: whether the batch is on the disk is unknown and stays unknown.
    case syncFailed(path: String, SystemError)

    // MARK: At any time

    /// The operating system refused a file operation.
    case failed(FileAct, path: String, SystemError)
}

/// The file operation that the operating system refused.
public enum FileAct: String, Hashable, Sendable {
    /// Opening or creating.
    case open
    /// Reading.
    case read
    /// Writing.
    case write
    /// Cutting to a length.
    case cut
    /// Syncing to the disk.
    case sync
    /// Locking.
    case lock
}

extension EventLogError: CustomStringConvertible {
    /// The place, what was seen, what was expected, and what to do.
    public var description: String {
        switch self {
        case .noSuchLog(let path): "\(quoted(path)): expected a log, seen no such file"
        case .alreadyExists(let path):
            "\(quoted(path)): expected no file where a log should be created, seen one; "
                + "open it instead"
        case .notARegularFile(let path, .folder):
            "\(quoted(path)): expected a regular file, or a folder of segments (files named by "
                + "sixteen digits and .jsonl), seen another folder"
        case .notARegularFile(let path, let seen):
            "\(quoted(path)): expected a regular file, seen \(seen.rawValue)"
        case .inUse(let path, let processID):
            "\(quoted(path)): expected no other writer, seen "
                + (processID.map { "process \($0)" } ?? "one") + " holding the log's lock"
        case .newerSchema(let path, let diagnostic):
            "\(quoted(path)), line 1, byte \(diagnostic.byte): \(diagnostic.message); "
                + "only a newer version can append to this log"
        case .tornTail(let path, let tail): describe(tail, of: path)
        case .empty(let path):
            "\(quoted(path)): expected `log.opened` in line 1, seen no line; create the log again"
        case .notALineStart(let path, let offset):
            "\(quoted(path)), byte \(offset) of the file: expected an end of line, seen none; "
                + "the position belongs to another log, or the log was rewritten"
        case .shrank(let path, let read, let size):
            "\(quoted(path)): expected at least \(bytes(read)), seen \(bytes(size)); "
                + "the log was cut, or one of its segments is missing"
        case .closed(let path): "\(quoted(path)): expected an open log, seen a closed one"
        case .latched(let path, let error):
            describe(unknownEndOf: path, "an earlier write or sync failed", error)
        case .damaged(let path, let problem):
            "\(quoted(path)), \(problem); the log is open for reading only; continue in another log"
        case .notSegmented(let path):
            "\(quoted(path)): expected a folder of segments, seen a log that is one file"
        case .cannotWrite(let draft, let problem): "draft \(draft): \(problem)"
        case .openedAgain(let draft):
            "draft \(draft): expected `log.opened` only in line 1, seen another one"
        case .idConflict(let draft, let id, let seq):
            "draft \(draft): expected the content that the id \(quoted(id)) has at seq \(seq), "
                + "seen other content"
        case .unexpectedSequence(let expected, let seen):
            "expected \(expected) as the last seq, seen \(seen); "
                + "read what was appended since, and decide again"
        case .changedOutside(let path, let expected, let seen):
            "\(quoted(path)): expected \(bytes(expected)), as this writer left it, seen "
                + (seen.map(bytes) ?? "a removed or replaced file")
                + "; something else changed the log; open it again"
        case .writeFailed(let path, let error):
            "\(quoted(path)): can't write: \(error); no part of the batch is in the log; "
                + "append it again once the cause is gone"
        case .syncFailed(let path, let error): describe(unknownEndOf: path, "can't sync", error)
        case .failed(let act, let path, let error):
            "\(quoted(path)): can't \(act.rawValue) it: \(error)"
        }
    }

    private func describe(_ tail: LogTail, of path: String) -> String {
        "\(quoted(path)), line \(tail.position.line), byte \(tail.position.offset + 1) of the file"
            + ": expected an end of line, seen \(bytes(tail.length)) of an incomplete line, "
            + "which no writer acknowledged; cut them off (`tornTail: .cut` or "
            + "`replay recover` keeps them in a file beside the log)"
    }

    private func describe(
        unknownEndOf path: String, _ what: String, _ error: SystemError
    ) -> String {
        "\(quoted(path)): \(what): \(error); whether the last batch is on the disk is unknown, "
            + "and nothing more is appended: recover the log, which appends the batch again, "
            + "or open it again and append the batch again under the same ids"
    }

    private func quoted(_ text: String) -> String { "`\(EscapedText.escape(text))`" }

    private func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
