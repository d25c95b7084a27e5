import PurchaseEvents

/// The next line of a log that is merged.
final class MergeHead {
    private let lines: RawLines
    let decoder: LineDecoder
    let content: LineContent
    /// The bytes of the line, and what it is; `nil` at the end.
    private(set) var line: UnsafeRawBufferPointer?
    private(set) var decoded = DecodedLine<Interned>.blank
    /// When the line was recorded: for what is no event, when the event before it was.
    private(set) var at = Timestamp.earliest
    /// What lines that name no environment mean.
    var environment = Environment.production

    init(_ log: LogParts) throws {
        lines = RawLines(log)
        decoder = LineDecoder(names: NameTable(of: []))
        content = LineContent(decoder: decoder)
        try advance()
    }

    /// The number of the line.
    var number: Int { lines.count }

    /// Whether the line is a `log.opened`.
    var opens: Bool {
        if line != nil, case .event(let event) = decoded { event.type == .logOpened } else { false }
    }

    /// The event on the line with names as strings.
    var written: Event<Written>? {
        guard let line, case .event(let event) = decoder.decodeWritten(line) else { return nil }
        return event
    }

    /// Goes on to the next line.
    func advance() throws {
        line = try lines.next()
        guard let line else { return }
        decoded = decoder.decode(line)
        if case .event(let event) = decoded { at = event.at }
    }

    /// Takes in the environment of a `log.opened`, and goes on to the next line.
    func open() throws {
        if case .event(let event) = decoded { environment = event.environment ?? .production }
        try advance()
    }
}
