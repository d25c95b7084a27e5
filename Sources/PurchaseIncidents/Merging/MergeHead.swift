import PurchaseEvents

/// The next line of one of the merged logs.
final class MergeHead {
    private let lines: RawLines
    let decoder: LineDecoder
    let fingerprints: ContentFingerprints
    /// The bytes of the line; `nil` at the end.
    private(set) var line: UnsafeRawBufferPointer?
    private(set) var decoded = DecodedLine<Interned>.blank
    /// The recording time of the line; a line that isn't an event has the time of the event before.
    private(set) var at = Timestamp.earliest
    /// Whether all lines so far are blank.
    private(set) var isBlank = true
    /// The environment of lines that name none.
    var environment = Environment.production

    init(_ log: LogParts) throws {
        lines = RawLines(log)
        decoder = LineDecoder(names: NameTable(of: []))
        fingerprints = ContentFingerprints(decoder: decoder)
        try advance()
    }

    var number: Int { lines.count }

    var opens: Bool {
        if line != nil, case .event(let event) = decoded { event.type == .logOpened } else { false }
    }

    /// The event on the line with names as strings.
    var written: Event<Written>? {
        guard let line, case .event(let event) = decoder.decodeWritten(line) else { return nil }
        return event
    }

    func advance() throws {
        line = try lines.next()
        guard let line else { return }
        decoded = decoder.decode(line)
        switch decoded {
        case .event(let event): (at, isBlank) = (event.at, false)
        case .notUnderstood: isBlank = false
        case .blank: break
        }
    }

    /// Takes the environment from a `log.opened`, and moves to the next line.
    func open() throws {
        if case .event(let event) = decoded { environment = event.environment ?? .production }
        try advance()
    }
}
