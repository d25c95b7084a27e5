/// The result of decoding one line: an event, a diagnostic, or blank.
public enum DecodedLine<S: Spelling>: Sendable {
    /// The event that the line holds.
    case event(Event<S>)
    /// The reason why the line isn't an event: where, what was seen and what was expected.
    case notUnderstood(Diagnostic)
    /// The line is empty or has only white space.
    case blank
}

extension DecodedLine: Equatable {}

/// The kind of a decoded line, without the event.
enum LineKind {
    case event
    case notUnderstood(Diagnostic)
    case blank
}

/// Decodes lines one at a time, into events or diagnostics (event-log.md, 1 and 5).
///
/// An ordinary line takes one pass over its bytes and no allocation. Only one reader may use a
/// decoder at a time.
public final class LineDecoder {
    /// The maximum length of a line in bytes, without its newline.
    public static let maximumLineLength = 65_536

    /// The names of the events decoded so far.
    public let names: NameTable
    private let key: HashKey
    /// The notes on the line decoded last, such as unknown keys.
    public private(set) var notes: [Diagnostic] = []
    /// The tokens of the line, in memory that Swift doesn't check for exclusive access.
    private let tokens: UnsafeMutablePointer<Tokens>
    private let shapes = LineShapes()
    private let keys = KeyPredictor()
    private let times = TimeCache()
    private let allKeys = EventType.keySets

    /// Creates a decoder that adds the names it reads to a table.
    public convenience init(names: NameTable = NameTable()) {
        self.init(names: names, key: .ofProcess)
    }

    init(names: NameTable = NameTable(), key: HashKey) {
        self.names = names
        self.key = key
        tokens = .allocate(capacity: 1)
        tokens.initialize(to: Tokens())
    }

    deinit {
        tokens.deinitialize(count: 1)
        tokens.deallocate()
        keys.deallocate()
        times.deallocate()
    }

    /// Decodes a line without its newline; names become handles of ``names``.
    public func decode(_ line: UnsafeRawBufferPointer) -> DecodedLine<Interned> {
        decoded(line, with: InternedNameDecoder(names))
    }

    /// Decodes a line into `event`, which holds the line's event only if the result is `.event`.
    func decode(
        _ line: UnsafeRawBufferPointer, into event: UnsafeMutablePointer<LogEvent>
    ) -> LineKind {
        decode(line, into: event, with: InternedNameDecoder(names))
    }

    /// Decodes a line without its newline; names become strings.
    public func decodeWritten(_ line: UnsafeRawBufferPointer) -> DecodedLine<Written> {
        decoded(line, with: WrittenNameDecoder())
    }

    package func event(on line: ArraySlice<UInt8>) -> Event<Written>? {
        line.withUnsafeBytes { bytes in
            if case .event(let event) = decodeWritten(bytes) { event } else { nil }
        }
    }

    package func decodeFingerprinted(_ line: UnsafeRawBufferPointer) -> DecodedLine<Fingerprinted> {
        decoded(line, with: FingerprintedNameDecoder(hashKey: key))
    }

    func decodeCarefully(_ line: UnsafeRawBufferPointer) -> DecodedLine<Interned> {
        decoded(line, with: InternedNameDecoder(names), skippingFastPath: true)
    }

    private func decoded<Names: NameDecoder>(
        _ line: UnsafeRawBufferPointer, with nameDecoder: Names, skippingFastPath: Bool = false
    ) -> DecodedLine<Names.S> {
        withPlace(of: Event<Names.S>.self) { place in
            guard let place = place.baseAddress else { return .blank }
            place.initialize(to: Names.blank)
            let kind = decode(
                line, into: place, with: nameDecoder, skippingFastPath: skippingFastPath)
            if case .event = kind { return .event(place.move()) }
            place.deinitialize(count: 1)
            if case .notUnderstood(let diagnostic) = kind { return .notUnderstood(diagnostic) }
            return .blank
        }
    }

    @inline(__always)
    private func decode<Names: NameDecoder>(
        _ line: UnsafeRawBufferPointer, into place: UnsafeMutablePointer<Event<Names.S>>,
        with nameDecoder: Names, skippingFastPath: Bool = false
    ) -> LineKind {
        if tokens.pointee.mayHaveExtras { reset() }
        if !skippingFastPath,
            let scanned = shapes.find(line, into: tokens.pointee.byKey) ?? scanQuickly(line)
        {
            tokens.pointee.take(scanned)
        } else {
            do {
                reset()
                tokens.pointee.mayHaveExtras = true
                guard try scanCarefully(line) else { return .blank }
            } catch {
                notes.removeAll()
                return .notUnderstood(error)
            }
        }
        let values = LineValues(
            line: line, scratch: tokens.pointee.scratch.bytes, tokens: tokens.pointee.byKey,
            isPlain: tokens.pointee.isPlain, times: times, present: tokens.pointee.present)
        var fields = LineFields(values: values, nameDecoder: nameDecoder)
        make(place, from: &fields, tokens.pointee.type)
        if let problem = fields.values.problem {
            notes.removeAll()
            return .notUnderstood(diagnostic(of: problem, in: line))
        }
        tokens.pointee.areValuesCanonical = fields.values.areCanonical
        guard tokens.pointee.mayHaveExtras, let wrong = tokens.pointee.wrongNumber else {
            return .event
        }
        notes.removeAll()
        return .notUnderstood(wrong)
    }

    /// Scans an ordinary line of an unknown shape, or returns `nil` if the line isn't ordinary.
    @inline(never)
    private func scanQuickly(_ line: UnsafeRawBufferPointer) -> FastScanner.Scanned? {
        let tokens = tokens.pointee.byKey
        guard let scanned = FastScanner.scan(line, into: tokens, keys) else { return nil }
        shapes.learn(line, scanned, tokens)
        return scanned
    }

    @inline(never)
    private func reset() {
        tokens.pointee.reset()
        notes.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    var mayHaveNotes: Bool { tokens.pointee.mayHaveExtras }

    /// The range of the content in the line decoded last, or `nil` if the line isn't canonical.
    ///
    /// The range goes from the quote before `type` to the comma before `"chain"`, or to the closing
    /// brace.
    package func canonicalContent(
        _ line: UnsafeRawBufferPointer, _ type: EventType
    ) -> Range<Int>? {
        guard tokens.pointee.areValuesCanonical else { return nil }
        if !tokens.pointee.isPlain { return carefulContent(line, type) }
        return tokens.pointee.isOrdered ? content(line) : nil
    }

    /// The range of a key's value in the line decoded last, with the quotes of a string.
    package func place(of key: Key) -> Range<Int>? {
        guard tokens.pointee.present.contains(key) else { return nil }
        return tokens.pointee[key].range
    }

    /// Packs the statement of the line decoded last, whose content must be canonical, to a place
    /// with ``StatementPacker/room(for:)``; returns the number of bytes. The event is the line's,
    /// perhaps with handles of another table than ``names``.
    func packStatement(
        _ line: UnsafeRawBufferPointer, of event: UnsafePointer<LogEvent>,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard let start = line.baseAddress else { return 0 }
        return StatementPacker.pack(event, start, tokens.pointee.byKey, to: place)
    }

    /// The packed statement of an event whose line isn't canonical: that of the line as a writer
    /// would write it; only the type, if the line were too long.
    package static func packedStatement(of event: LogEvent, _ line: UnsafeRawBufferPointer)
        -> [UInt8]
    {
        let decoder = LineDecoder()
        guard case .event(let read) = decoder.decodeWritten(line),
            let written = try? LineWriter.line(of: read)
        else { return [StatementPacker.rank(of: event.type)] }
        return written.withUnsafeBytes { written in
            _ = decoder.decodeWritten(written)
            return decoder.packedStatement(written, of: event)
        }
    }

    func packedStatement(_ line: UnsafeRawBufferPointer, of event: LogEvent) -> [UInt8] {
        [UInt8](
            unsafeUninitializedCapacity: StatementPacker.room(for: line.count)
        ) { place, count in
            guard let place = place.baseAddress else { return }
            count = withUnsafePointer(to: event) { packStatement(line, of: $0, to: place) }
        }
    }

    private func carefulContent(_ line: UnsafeRawBufferPointer, _ type: EventType) -> Range<Int>? {
        guard tokens.pointee.scratch.count == 0, tokens.pointee.unknown.isEmpty, notes.isEmpty,
            line.last == UInt8(ascii: "}"), !EscapedText.holdsUnsafe(line)
        else { return nil }
        var last = 0
        // The length of the canonical line: each key with its quotes, colon and comma, and each
        // value.
        var count = 1
        for field in type.canonicalFields where tokens.pointee.present.contains(field.key) {
            let token = tokens.pointee[field.key]
            guard token.start > last else { return nil }
            last = token.start
            count &+= token.count &+ field.key.wireLength &+ 4
        }
        return count == line.count ? content(line) : nil
    }

    @inline(__always)
    private func content(_ line: UnsafeRawBufferPointer) -> Range<Int> {
        let start = tokens.pointee[.type].start &- Key.type.wireLength &- 3
        let hasChain = tokens.pointee.present.contains(.chain)
        let end = hasChain ? tokens.pointee[.chain].start &- 9 : line.count &- 1
        return start..<end
    }

    /// Scans a line of any form; returns `false` for a blank line.
    private func scanCarefully(_ line: UnsafeRawBufferPointer) throws(Diagnostic) -> Bool {
        guard line.count <= LineDecoder.maximumLineLength else { throw LineDecoder.lineTooLong }
        let hasMark = line.starts(with: [0xEF, 0xBB, 0xBF])
        let start = hasMark ? 3 : 0
        if line[start...].allSatisfy(JSONReader.isSpace) { return false }
        try CarefulScanner.scan(line, from: start, into: &tokens.pointee)
        if hasMark {
            notes.append(
                Diagnostic(
                    .byteOrderMark, byte: 1, "a byte order mark; a log is UTF-8 without one"))
        }
        for (start, count) in tokens.pointee.unknown {
            let name = UnsafeRawBufferPointer(rebasing: line[(start + 1)..<(start + count - 1)])
            notes.append(
                Diagnostic(
                    .unknownKey, byte: start + 1,
                    "the format has no key `\(EscapedText.excerpt(name))`; it is kept but ignored"))
        }
        if line.last == 0x0D {
            notes.append(
                Diagnostic(
                    .carriageReturn, byte: line.count,
                    "a carriage return before the end of the line; a line ends in a newline alone"))
        }
        return true
    }

    package static let lineTooLong = Diagnostic(
        .lineTooLong, byte: maximumLineLength + 1, "expected at most \(maximumLineLength) bytes")

    /// The keys of the envelope that most lines lack.
    private static let rareKeys = KeySet([.id, .source, .environment, .signedAt])

    /// Makes the event from the fields, or a mix of two lines if a field has a problem; `known` is
    /// the type if the scanner found it.
    @inline(__always)
    private func make<Names>(
        _ event: UnsafeMutablePointer<Event<Names.S>>, from fields: inout LineFields<Names>,
        _ known: EventType?
    ) {
        let present = fields.values.present
        let type: EventType
        if let known, known != .logOpened {
            type = known
        } else {
            guard let stated = fields.type() else { return }
            type = stated
        }
        let seq: Int64 = fields.required(.seq)
        let at: Timestamp = fields.required(.at)
        let isPlain = present.isDisjoint(from: LineDecoder.rareKeys)
        let id = isPlain ? nil : fields.id()
        let source: NotificationID<Names.S>? = isPlain ? nil : fields.optional(.source)
        let (account, device) = fields.recorder()
        let environment: Environment? = isPlain ? nil : fields.optional(.environment)
        let signedAt: Timestamp? = isPlain ? nil : fields.optional(.signedAt)
        event.pointee.readFact(type, from: &fields)
        fields.checkChain()
        if fields.values.problem != nil { return }
        event.pointee.become(
            seq: seq, at: at, id: id, source: source, account: account, device: device,
            environment: environment, signedAt: signedAt, type: type,
            transaction: fields.transaction, payment: fields.payment, product: fields.product)
        if !present.isSubset(of: allKeys[Int(type.rawValue)]) { noteForeignKeys(&fields, type) }
    }

    /// Adds a note for each key that the format has, but not for this type.
    private func noteForeignKeys<Names>(_ fields: inout LineFields<Names>, _ type: EventType) {
        tokens.pointee.mayHaveExtras = true
        let (line, present) = (fields.values.line, fields.values.present)
        for key in Key.allCases where present.contains(key) && !type.allKeys.contains(key) {
            let token = tokens.pointee[key]
            let value = UnsafeRawBufferPointer(rebasing: line[token.range])
            if let (code, expected) = Expectation.ofNumber(value, token.form) {
                return fields.fail(code, key, expected)
            }
            let start = startOfKey(before: token.start, in: line)
            notes.append(
                Diagnostic(
                    .unknownKey, byte: start + 1,
                    "`\(type.wireName)` has no key `\(key.wireName)`; it is kept but ignored"))
        }
        notes.sort { $0.byte < $1.byte }
    }

    /// The position where the key of a value begins; no known key contains a quote.
    private func startOfKey(before value: Int, in line: UnsafeRawBufferPointer) -> Int {
        let quotes = line[..<value].indices.reversed().lazy.filter {
            line[$0] == UInt8(ascii: "\"")
        }
        return quotes.dropFirst().first ?? value
    }

    private func diagnostic(
        of problem: FieldProblem, in line: UnsafeRawBufferPointer
    ) -> Diagnostic {
        let name = problem.key.wireName
        guard problem.code != .missingKey else {
            return Diagnostic(
                .missingKey, byte: max(1, line.count),
                "expected the key `\(name)`, \(problem.expected.words), seen none")
        }
        let token = tokens.pointee[problem.key]
        let value = UnsafeRawBufferPointer(rebasing: line[token.range])
        return Diagnostic(
            problem.code, byte: token.start + 1,
            "`\(name)`: expected \(problem.expected.words), seen \(EscapedText.excerpt(value))")
    }
}

extension LineFields {
    /// The type of the event, or `nil` if it is missing, unknown, or of a newer schema.
    fileprivate mutating func type() -> EventType? {
        guard values.has(.type) else {
            fail(.missingKey, .type, .text)
            return nil
        }
        guard let bytes = values.string(.type, .text) else { return nil }
        guard let type = EventType.names.find(bytes) else {
            fail(.unknownType, .type, .eventType)
            return nil
        }
        if type == .logOpened, isNewer() {
            fail(.newerSchema, .schema, .schema)
            return nil
        }
        return type
    }

    /// Whether the line states a newer schema; the field's own check reports an invalid schema.
    private func isNewer() -> Bool {
        var copy = values
        return copy.has(.schema) && copy.integer(.schema) > 1 && copy.problem == nil
    }
}
