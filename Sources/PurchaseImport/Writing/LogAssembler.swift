import PurchaseEvents

/// Writes the lines of records into one log: numbered, by date, records with equal dates in input
/// order, and each statement once.
///
/// Memory: about 60 bytes per record and statement, to recognise repetitions, and for each
/// subscription with an open change of plan and refunded transaction. A content is kept as its
/// fingerprint.
struct LogAssembler: ~Copyable {
    private let options: ImportOptions
    private let files: [String]
    private let write: ([UInt8]) throws -> Void
    private var output = LineBuffer()
    private var seq: Int64 = 0
    /// The latest record of each identity.
    private var identities: [Fingerprint: Known] = [:]
    /// The earlier records of the identities that came with several contents.
    private var earlier: [RecordKey: Known] = [:]
    private var statements: Set<Fingerprint> = []
    /// The plan that each subscription with an open change is to renew with.
    private var openChanges: [Fingerprint: Fingerprint] = [:]
    /// The version of each refund that isn't reversed, by the fingerprint of the transaction.
    private var refunds: [Fingerprint: Fingerprint] = [:]
    private(set) var remarks = LimitedRemarks()
    /// The number of repeated statements and rows.
    private(set) var repeated = 0

    private struct Known {
        var content: Fingerprint
        var facts: Int32
        var file: UInt32, line: UInt32
    }

    private struct RecordKey: Hashable {
        var identity: Fingerprint, content: Fingerprint
    }

    /// `files` are the names of the files by number.
    init(options: ImportOptions, files: [String], write: @escaping ([UInt8]) throws -> Void) {
        self.options = options
        self.files = files
        self.write = write
    }

    var events: Int { Int(seq) }

    /// Writes the log, whose first line states the environment; without records, writes nothing.
    mutating func assemble(
        _ sorter: inout SourceSorter, app: String?, _ environment: Environment? = nil
    ) throws {
        identities.reserveCapacity(sorter.count)
        let earliest = sorter.earliest
        try sorter.finish()
        while let (key, packed) = try sorter.next() {
            let at = options.recordedAt ?? key.date ?? earliest ?? Timestamp(milliseconds: 0)
            try packed.withUnsafeBytes { bytes in
                let source = UnpackedSource(bytes)
                if seq == 0 {
                    try open(app, environment, at, hasDate: earliest != nil, source.head)
                }
                try append(source, at: at)
            }
        }
        try write(Array(output.written))
    }

    /// Writes the first line.
    private mutating func open(
        _ app: String?, _ environment: Environment?, _ at: Timestamp, hasDate: Bool,
        _ head: PackedSource.Head
    ) throws {
        if !hasDate, options.recordedAt == nil {
            remark(
                .note, head,
                "no date found to record these rows under: used 1970; pass --recorded-at")
        }
        let opened = LogOpened<Written>(schema: 1, app: app, writer: options.writer)
        let line = try LineWriter.line(
            of: Event(seq: 1, at: at, environment: environment, .logOpened(opened)))
        try line.dropFirst(PackedSource.beginning.count).withUnsafeBytes { try append($0, at: at) }
    }

    private mutating func append(_ source: UnpackedSource, at: Timestamp) throws {
        let head = source.head
        let latest = identities[head.identity]
        let repeated = known(head, latest)
        let isRepeated = repeated != nil
        var lines = source
        if let received = lines.next()?.line, !isRepeated || head.repetition == .arrives {
            try append(received, at: at)
        }
        if let known = repeated ?? latest {
            switch head.repetition {
            case .counted where isRepeated, .row where isRepeated:
                self.repeated += 1
                return
            case .noted where isRepeated, .arrives where isRepeated:
                return remark(
                    .note, head,
                    "the same content as at \(shown(known)); its facts are recorded once")
            case .row:
                return remark(
                    .error, head,
                    "this row has the same `id` as \(shown(known)) but different content; "
                        + "skipped the row")
            case .noted, .counted, .arrives:
                remark(
                    .note, head,
                    "differs from \(shown(known)), which has the same identifier; recorded both")
            }
        }
        let first = Int(latest?.facts ?? 0)
        if let latest {
            earlier[RecordKey(identity: head.identity, content: latest.content)] = latest
        }
        identities[head.identity] = Known(
            content: head.content, facts: Int32(clamping: first + Int(head.facts)),
            file: head.file, line: head.line)
        while let (statement, change, line) = lines.next() {
            if let change, change.effect == .settlesOpen, !settles(change) { continue }
            if let statement, !statements.insert(statement).inserted {
                self.repeated += 1
                continue
            }
            if first == 0 {
                try append(line, at: at)
            } else {
                try LogAssembler.renumbered(line, by: first).withUnsafeBytes {
                    try append($0, at: at)
                }
            }
            if let change, note(change) {
                let reversal = LogAssembler.reversal(by: line, number: first + Int(head.facts) + 1)
                try reversal.withUnsafeBytes { try append($0, at: at) }
            }
        }
    }

    /// Whether a statement that a subscription keeps its plan takes an open change back; without
    /// such a change, or after it was made, the statement says nothing new.
    private mutating func settles(_ plan: StatedChange) -> Bool {
        let next = openChanges.removeValue(forKey: plan.subject)
        return next != nil && next != plan.value
    }

    /// Notes a change; returns whether it shows that a refund was reversed, which no record states.
    private mutating func note(_ change: StatedChange) -> Bool {
        switch change.effect {
        case .opens: openChanges[change.subject] = change.value
        case .settles, .settlesOpen: openChanges[change.subject] = nil
        case .refunds: refunds[change.subject] = change.value
        case .reverses: refunds[change.subject] = nil
        case .showsNoRefund:
            guard let refund = refunds[change.subject], change.isLater(than: refund) else {
                return false
            }
            refunds[change.subject] = nil
            return true
        }
        return false
    }

    /// The earlier record with the same identity and content, if any.
    private func known(_ head: PackedSource.Head, _ latest: Known?) -> Known? {
        guard let latest else { return nil }
        if latest.content == head.content { return latest }
        return earlier[RecordKey(identity: head.identity, content: head.content)]
    }

    private func shown(_ known: Known) -> String {
        "\(EscapedText.escape(files[Int(known.file)])):\(known.line)"
    }

    /// Writes a line with its number and its time.
    private mutating func append(_ line: UnsafeRawBufferPointer, at: Timestamp) throws {
        guard !line.isEmpty else { return }
        seq += 1
        output.append(#"{"seq":"#)
        output.append(number: seq)
        output.append(#","at":"#)
        output.append(at)
        output.append(contentsOf: line.assumingMemoryBound(to: UInt8.self))
        output.append(UInt8(ascii: "\n"))
        if output.count >= 1 << 16 {
            try write(Array(output.written))
            output.removeAll()
        }
    }

    /// The line with a later number in its `id`, for a notification whose identifier was used
    /// before.
    private static func renumbered(_ line: UnsafeRawBufferPointer, by first: Int) -> [UInt8] {
        let whole = PackedSource.beginning + line
        guard var event = LineDecoder().event(on: whole[...]), let id = event.id,
            let mark = id.lastIndex(of: "#"), let number = Int(id[id.index(after: mark)...])
        else { return Array(line) }
        event.id = id[...mark] + "\(number + first)"
        let renumbered = try? LineWriter.line(of: event)
        return Array((renumbered ?? whole).dropFirst(PackedSource.beginning.count))
    }

    /// The line of the reversal that the statement of a transaction makes.
    private static func reversal(by line: UnsafeRawBufferPointer, number: Int) -> [UInt8] {
        let whole = PackedSource.beginning + line
        guard let listed = LineDecoder().event(on: whole[...]), let id = listed.id,
            let transaction = listed.transaction
        else { return [] }
        // A statement outside a notification has one number in every import.
        let event = StoreStatements.reversal(
            listed, id, of: transaction, number: listed.source == nil ? 2 : number)
        let line = try? LineWriter.line(of: event)
        return Array((line ?? []).dropFirst(PackedSource.beginning.count))
    }

    private mutating func remark(_ level: Level, _ head: PackedSource.Head, _ message: String) {
        let place = ImportPlace(
            file: files[Int(head.file)], line: Int(head.line), byte: Int(head.byte))
        remarks.add(level, at: place, message)
    }
}
