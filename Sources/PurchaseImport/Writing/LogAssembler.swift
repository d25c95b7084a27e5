import PurchaseEvents

/// Writes the statements of records into one log: numbered, by date, and each statement once.
///
/// Memory: about 60 bytes per record and statement, to recognise repetitions.
struct LogAssembler {
    private let options: ImportOptions
    private let files: [String]
    private let write: ([UInt8]) throws -> Void
    private var output: [UInt8] = []
    private var seq: Int64 = 0
    private var identities: [Fingerprint: Known] = [:]
    private var statements: Set<Fingerprint> = []
    private(set) var remarks = LimitedRemarks()
    /// The number of repeated statements.
    private(set) var repeated = 0

    /// An earlier record.
    private struct Known {
        var content: Fingerprint
        var facts: Int32
        var file: UInt32, line: UInt32
    }

    /// Creates an assembler.
    ///
    /// - Parameters:
    ///   - files: The names of the files by number.
    ///   - write: Receives the bytes of the log, piece by piece.
    init(options: ImportOptions, files: [String], write: @escaping ([UInt8]) throws -> Void) {
        self.options = options
        self.files = files
        self.write = write
    }

    /// The number of written events.
    var events: Int { Int(seq) }

    /// Writes the log; without records, writes nothing.
    ///
    /// - Parameter environment: The environment that the first line states.
    mutating func assemble(
        _ sorter: inout SourceSorter, app: String?, _ environment: Environment? = nil
    ) throws {
        let earliest = sorter.earliest
        try sorter.finish()
        while let (key, packed) = try sorter.next() {
            let source = UnpackedSource(packed)
            let at = options.recordedAt ?? key.date ?? earliest ?? Timestamp(milliseconds: 0)
            if seq == 0 { try open(app, environment, at, hasDate: earliest != nil, source) }
            try append(source, at: at)
        }
        try write(output)
    }

    /// Writes the first line.
    private mutating func open(
        _ app: String?, _ environment: Environment?, _ at: Timestamp, hasDate: Bool,
        _ source: UnpackedSource
    ) throws {
        if !hasDate, options.recordedAt == nil {
            remark(
                .note, source,
                "no date found to record these rows under: used 1970; pass --recorded-at")
        }
        let opened = LogOpened<Written>(schema: 1, app: app, writer: options.writer)
        let line = try LineWriter.line(
            of: Event(seq: 1, at: at, environment: environment, .logOpened(opened)))
        seq = 1
        output += line
        output.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ source: UnpackedSource, at: Timestamp) throws {
        let known = identities[source.identity]
        let isRepeated = known.map { $0.content == source.content } ?? false
        if !isRepeated || source.recordsEachArrival { try append(source.received, at: at) }
        if let known, isRepeated {
            if source.recordsEachArrival || source.received.isEmpty && !source.isStatement {
                remark(
                    .note, source,
                    "the same content as at \(shown(known)); its facts are recorded once")
            } else {
                repeated += 1
            }
            return
        }
        if let known {
            remark(
                .note, source,
                "differs from \(shown(known)), which has the same identifier; recorded both")
        }
        let first = Int(known?.facts ?? 0)
        identities[source.identity] = Known(
            content: source.content, facts: Int32(clamping: first + source.facts.count),
            file: UInt32(clamping: source.file), line: UInt32(clamping: source.place.line))
        for (statement, line) in source.facts {
            if let statement, !statements.insert(statement).inserted {
                repeated += 1
                continue
            }
            try append(first == 0 ? line : LogAssembler.renumbered(line, by: first), at: at)
        }
    }

    private func shown(_ known: Known) -> String {
        "\(EscapedText.escape(files[Int(known.file)])):\(known.line)"
    }

    /// Writes a line with its number and its time.
    private mutating func append(_ line: ArraySlice<UInt8>, at: Timestamp) throws {
        guard !line.isEmpty else { return }
        seq += 1
        output += #"{"seq":\#(seq),"at":"\#(at.text)""#.utf8
        output += line.dropFirst(PackedSource.beginning.count)
        output.append(UInt8(ascii: "\n"))
        if output.count >= 1 << 16 {
            try write(output)
            output.removeAll(keepingCapacity: true)
        }
    }

    /// The line with a later number in its `id`, for a notification whose identifier was used
    /// before.
    private static func renumbered(_ line: ArraySlice<UInt8>, by first: Int) -> ArraySlice<UInt8> {
        let decoded = line.withUnsafeBytes { LineDecoder().decodeWritten($0) }
        guard case .event(var event) = decoded, let id = event.id,
            let mark = id.lastIndex(of: "#"), let number = Int(id[id.index(after: mark)...])
        else { return line }
        event.id = id[...mark] + "\(number + first)"
        return (try? LineWriter.line(of: event)).map { $0[...] } ?? line
    }

    private mutating func remark(_ level: Level, _ source: UnpackedSource, _ message: String) {
        let place = ImportPlace(
            file: files[source.file], line: source.place.line, byte: source.place.byte, path: "")
        remarks.add(ImportRemark(level: level, place: place, message: message))
    }
}

extension UnpackedSource {
    /// Whether the source has named statements, which other records may repeat.
    fileprivate var isStatement: Bool { facts.contains { $0.statement != nil } }
}
