import PurchaseEvents

/// Applies edits to a log of any size, all or none.
///
/// The edited log is unchained and renumbered, and its events lose what the format doesn't allow
/// around them: a byte order mark and a carriage return. Unedited lines keep every other byte,
/// including unknown keys, lines that aren't understood, and blank lines. All edits are checked
/// before anything is written: a first pass reads the log up to the last line that an edit names,
/// and a second pass writes. Memory: the edited and the moved lines.
public struct LogEditor: Sendable {
    private let plan: EditPlan

    /// The contents of an edited log.
    public struct Summary: Hashable, Sendable {
        /// The numbers of events, of lines that weren't understood, and of blank lines in the
        /// edited log.
        public var events = 0, notUnderstood = 0, blank = 0
        /// Whether the original was chained; the edited log isn't.
        public var wasChained = false
        /// Whether the original has lines and all of them are blank.
        public var wasBlank = false
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
        let decoder = LineDecoder(names: NameTable(of: []))
        var output = LineRewriter()
        func append(_ line: UnsafeRawBufferPointer) throws {
            try output.append(line, decoder.decode(line), by: decoder)
        }
        func append(_ line: [UInt8]) throws { try line.withUnsafeBytes { try append($0) } }
        let lines = RawLines(log)
        var isBlank = true
        while let line = try lines.next() {
            if isBlank { isBlank = line.allSatisfy(JSONReader.isSpace) }
            for piece in edited.pieces[lines.count] ?? [] { try append(piece) }
            if let replacement = edited.inPlace[lines.count] {
                try append(replacement)
            } else if !plan.isDropped(lines.count), plan.moves[lines.count] == nil {
                try append(line)
            }
            if output.isFull { try write(output.taken()) }
        }
        for piece in edited.pieces[lines.count + 1] ?? [] { try append(piece) }
        try write(output.taken())
        return Summary(
            events: output.events, notUnderstood: output.notUnderstood, blank: output.blank,
            wasChained: output.wasChained, wasBlank: isBlank && lines.count > 0)
    }

    /// Returns the edited bytes of a log in memory.
    public func edit(_ bytes: [UInt8]) throws -> [UInt8] {
        var edited: [UInt8] = []
        try edit(LogParts(bytes)) { edited += $0 }
        return edited
    }
}
