/// A summary of a chained log that is kept elsewhere, to show later that its lines are unchanged:
/// three lines of text (event-log.md, 6).
///
/// ```
/// com.example.reader 2026-02-20T09:00:00.000Z
/// 64
/// 9b0f…: 64 hex digits
/// ```
public struct Checkpoint: Hashable, Sendable {
    /// The identity of the log: the app and time of its `log.opened`, escaped.
    public let origin: String
    /// The number of lines in the log.
    public let lines: Int
    /// The chain value of the last line.
    public let head: Digest

    /// Creates the checkpoint of a log at the end of a chain.
    public init(origin: String, chain: Chain) {
        self.origin = origin
        lines = chain.lines
        head = chain.head
    }

    /// The origin of a log with this first line, or `nil` if the line isn't `log.opened`.
    public static func origin(firstLine: UnsafeRawBufferPointer) -> String? {
        guard case .event(let event) = LineDecoder().decodeWritten(firstLine),
            case .logOpened(let opened) = event.fact
        else { return nil }
        let app = opened.app.map { EscapedText.escape($0) + " " } ?? ""
        return app + event.at.text
    }

    /// The three lines, each with its newline.
    public var text: String { "\(origin)\n\(lines)\n\(head.hex)\n" }

    /// Parses a checkpoint.
    ///
    /// Throws ``CheckpointProblem``, which says what was expected in which line.
    public init(_ text: some Sequence<UInt8>) throws(CheckpointProblem) {
        let bytes = Array(text.prefix(Checkpoint.maximumLength + 1))
        guard bytes.count <= Checkpoint.maximumLength,
            let text = String(validating: bytes, as: UTF8.self)
        else {
            let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
            throw CheckpointProblem(
                line: 1, "a short UTF-8 text of three lines",
                in: [String(decoding: first, as: UTF8.self)])
        }
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if rows.last == "" { rows.removeLast() }
        guard let origin = rows.first,
            let time = origin.split(separator: " ").last.map(String.init),
            Timestamp(time)?.text == time
        else {
            throw CheckpointProblem(line: 1, "the app and the time of log.opened", in: rows)
        }
        guard rows.count > 1, let lines = Int(rows[1]), lines >= 1, String(lines) == rows[1] else {
            throw CheckpointProblem(line: 2, "the number of lines", in: rows)
        }
        guard rows.count > 2, let head = Digest(hex: rows[2]) else {
            throw CheckpointProblem(line: 3, "64 lower-case hex digits", in: rows)
        }
        guard rows.count == 3 else {
            throw CheckpointProblem(line: 4, "the end of the text", in: rows)
        }
        self.init(origin: origin, chain: Chain(head: head, lines: lines))
    }

    /// The maximum length of a checkpoint in bytes: an app of maximum length, escaped.
    static let maximumLength = 6 * NameCheck.maximumTextLength + 128
}

/// Why a text isn't a checkpoint.
public struct CheckpointProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line with the problem, counted from 1.
    public let line: Int
    /// What was expected and what was seen, escaped.
    public let message: String

    /// Creates the problem of a line, which may be after the last row.
    init(line: Int, _ expected: String, in rows: [String]) {
        self.line = line
        let seen = rows.dropFirst(line - 1).first.map { "`\(EscapedText.excerpt(of: $0))`" }
        message = "expected \(expected), seen \(seen ?? "the end of the text")"
    }

    /// The line and the message.
    public var description: String { "line \(line): \(message)" }
}
