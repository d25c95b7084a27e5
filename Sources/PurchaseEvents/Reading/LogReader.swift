/// Reads a log line by line: every line is an event, not understood, or blank.
///
/// A log may lie in several files, one continuing the other; lines are counted over all of them.
/// The events are handles of ``LineDecoder/names``. Memory is constant but for the names.
public final class LogReader {
    /// The decoder, with the names that were met.
    public let decoder: LineDecoder
    /// The lines so far, by what they were; they always add up.
    public private(set) var counts = LineCounts()

    /// A reader that takes names into a decoder's table.
    public init(decoder: LineDecoder = LineDecoder()) { self.decoder = decoder }

    /// Reads a source to its end, or until `visit` answers `false`.
    public func read(_ source: any ByteSource, _ visit: (ReadLine) throws -> Bool) throws {
        try BlockReader(source).forEachLine { bytes, isEnded in
            let outcome = self.decode(bytes, isEnded)
            return try visit(outcome)
        }
    }

    private func decode(_ bytes: UnsafeRawBufferPointer, _ isEnded: Bool) -> ReadLine {
        counts.lines += 1
        counts.bytes += bytes.count + (isEnded ? 1 : 0)
        var decoded = decoder.decode(bytes)
        var notes = decoder.notes
        switch decoded {
        case .event(let event):
            counts.events += 1
            if counts.events == 1, event.type != .logOpened {
                notes.append(
                    Diagnostic(
                        .notOpened, byte: 1,
                        "expected log.opened first, seen \(event.type.wireName): "
                            + "the log starts in the middle"))
            }
            if !isEnded {
                notes.append(
                    Diagnostic(
                        .noFinalNewline, byte: bytes.count + 1,
                        "the last line has no end of line, so it may not be acknowledged"))
            }
        case .notUnderstood(let diagnostic):
            counts.notUnderstood += 1
            if !isEnded, diagnostic.code == .notJSON || diagnostic.code == .notUTF8 {
                decoded = .notUnderstood(
                    Diagnostic(
                        .tornTail, byte: diagnostic.byte,
                        "the log ends within a line: \(diagnostic.message)"))
            }
        case .blank:
            counts.blank += 1
            notes = [Diagnostic(.blankLine, byte: 1, "a blank line; a log has none")]
        }
        return ReadLine(
            number: counts.lines, bytes: bytes, decoded: decoded, notes: notes, decoder: decoder)
    }
}

/// A line of a log, and what it is.
public struct ReadLine {
    /// The position of the line, counted from 1 over all the files of the log.
    public let number: Int
    /// The bytes without the end of line; valid only during the visit.
    public let bytes: UnsafeRawBufferPointer
    /// What the line is.
    public let decoded: DecodedLine<Interned>
    /// The notes on it.
    public let notes: [Diagnostic]
    let decoder: LineDecoder

    /// Where the bytes of an event hold its canonical statement, all keys but `seq`, `at` and
    /// `chain`; `nil` where the line isn't canonical. To be asked during the visit.
    public var canonicalStatement: Range<Int>? {
        guard case .event(let event) = decoded else { return nil }
        return decoder.canonicalStatement(bytes, event.type)
    }
}

/// How many lines were read, by what they were.
public struct LineCounts: Hashable, Sendable {
    /// All lines, and their bytes with the ends of line.
    public var lines = 0, bytes = 0
    /// Lines that are events, that were not understood, and that were blank.
    public var events = 0, notUnderstood = 0, blank = 0

    /// No lines.
    public init() {}

    /// Whether every line is accounted for.
    public var addUp: Bool { lines == events + notUnderstood + blank }
}
