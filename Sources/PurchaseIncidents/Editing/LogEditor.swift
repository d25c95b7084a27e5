import PurchaseEvents

/// Applies edits to a log of any size, all or none.
///
/// The edited log is unchained and renumbered. Unedited lines keep every other byte, including
/// unknown keys, lines that aren't understood, and blank lines. All edits are checked before
/// anything is written: a first pass reads the log up to the last line that an edit names, and a
/// second pass writes. Memory: the edited and the moved lines.
public struct LogEditor: Sendable {
    private let plan: EditPlan

    /// The contents of an edited log.
    public struct Summary: Hashable, Sendable {
        /// The numbers of events, of lines that weren't understood, and of blank lines in the
        /// edited log.
        public var events = 0, notUnderstood = 0, blank = 0
        /// Whether the original was chained; the edited log isn't.
        public var wasChained = false
    }

    /// Checks edits as far as possible without the log.
    ///
    /// Throws ``EditProblem`` if edits contradict each other or the format doesn't allow an
    /// inserted line.
    public init(_ edits: [LogEdit]) throws(EditProblem) { plan = try EditPlan(edits) }

    /// Whether editing reads the log twice.
    public var readsTwice: Bool { !plan.isEmpty }

    /// Passes the edited log to `write`, several lines at a time.
    ///
    /// Throws ``EditProblem`` if a line or a key doesn't exist or the format doesn't allow a line,
    /// before anything is written; also throws whatever reading and `write` throw.
    @discardableResult
    public func edit(_ log: LogParts, _ write: ([UInt8]) throws -> Void) throws -> Summary {
        let edited = try EditedLines(plan, of: log)
        var output = EditedOutput()
        let lines = RawLines(log)
        while let line = try lines.next() {
            for piece in edited.pieces[lines.count] ?? [] { try output.append(piece) }
            if let replacement = edited.inPlace[lines.count] {
                try output.append(replacement)
            } else if !plan.isDropped(lines.count), plan.moves[lines.count] == nil {
                try output.append(line)
            }
            if output.isFull { try write(output.taken()) }
        }
        for piece in edited.pieces[lines.count + 1] ?? [] { try output.append(piece) }
        try write(output.taken())
        return output.summary
    }

    /// Returns the edited bytes of a log in memory.
    public func edit(_ bytes: [UInt8]) throws -> [UInt8] {
        var edited: [UInt8] = []
        try edit(LogParts(bytes)) { edited += $0 }
        return edited
    }
}

/// Collects the lines of an edited log, in portions.
private struct EditedOutput {
    private static let portion = 1 << 16

    private let decoder = LineDecoder(names: NameTable(of: []))
    private var rewriter = LineRewriter()
    private var counts = LogEditor.Summary()
    private var bytes: [UInt8] = []

    /// Whether a portion is complete.
    var isFull: Bool { bytes.count >= EditedOutput.portion }

    /// The counts of the lines so far.
    var summary: LogEditor.Summary {
        var summary = counts
        summary.wasChained = rewriter.wasChained
        return summary
    }

    /// Returns the bytes appended since the last call.
    mutating func taken() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    mutating func append(_ line: [UInt8]) throws {
        try line.withUnsafeBytes { try append($0) }
    }

    mutating func append(_ line: UnsafeRawBufferPointer) throws {
        switch decoder.decode(line) {
        case .event:
            counts.events += 1
            try rewriter.append(event: line, decodedBy: decoder, to: &bytes)
        case .notUnderstood:
            counts.notUnderstood += 1
            rewriter.append(other: line, isBlank: false, to: &bytes)
        case .blank:
            counts.blank += 1
            rewriter.append(other: line, isBlank: true, to: &bytes)
        }
    }
}
