import PurchaseEvents

/// Applies edits to a log of any size, all at once.
///
/// The edited log is unchained and its `seq` is counted anew. Lines that aren't edited keep every
/// other byte: unknown keys, lines not understood and blank lines too. All edits are checked before
/// the first line is written: the log is read up to the last line that an edit names, and then once
/// more. Memory: the edited and the moved lines.
public struct LogEditor: Sendable {
    private let plan: EditPlan

    /// What an edited log consists of.
    public struct Summary: Hashable, Sendable {
        /// The numbers of events, of lines not understood and of blank lines in the edited log.
        public var events = 0, notUnderstood = 0, blank = 0
        /// Whether the original was chained, which the edited log isn't.
        public var wasChained = false
    }

    /// Checks edits as far as they can be checked without the log.
    ///
    /// Throws an ``EditProblem`` for edits that exclude each other, and for an inserted line that
    /// the format doesn't allow.
    public init(_ edits: [LogEdit]) throws(EditProblem) { plan = try EditPlan(edits) }

    /// Whether the edits need the log twice.
    public var readsTwice: Bool { !plan.isEmpty }

    /// Passes the edited log to `write`, some lines at a time.
    ///
    /// Throws an ``EditProblem`` for a line or a key that is not there and for a line that the
    /// format doesn't allow, before anything is written; and whatever reading and `write` throw.
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

    /// The edited bytes of a log in memory.
    public func edit(_ bytes: [UInt8]) throws -> [UInt8] {
        var edited: [UInt8] = []
        try edit(LogParts(bytes)) { edited += $0 }
        return edited
    }
}

/// Writes the lines of an edited log, a portion at a time.
private struct EditedOutput {
    private static let portion = 1 << 16

    private let decoder = LineDecoder(names: NameTable(of: []))
    private var rewriter = LineRewriter()
    private var counts = LogEditor.Summary()
    private var bytes: [UInt8] = []

    /// Whether there is enough to write.
    var isFull: Bool { bytes.count >= EditedOutput.portion }

    /// What the lines so far consist of.
    var summary: LogEditor.Summary {
        var summary = counts
        summary.wasChained = rewriter.wasChained
        return summary
    }

    /// The bytes appended since the last call.
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
