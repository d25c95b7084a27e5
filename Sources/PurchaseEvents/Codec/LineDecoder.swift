/// What a line is: an event, not understood, or blank.
public enum DecodedLine<S: Spelling>: Sendable {
    /// The event that the line is.
    case event(Event<S>)
    /// Why it is none: where, what was seen and what was expected.
    case notUnderstood(Diagnostic)
    /// Nothing but white space.
    case blank
}

extension DecodedLine: Equatable {}

/// What a line was decoded as, without the event.
enum LineKind {
    case event
    case notUnderstood(Diagnostic)
    case blank
}

/// Turns lines into events or diagnostics, a line at a time (event-log.md, 1 and 5).
///
/// An ordinary line costs one pass over its bytes and allocates nothing. A decoder belongs to one
/// reader at a time.
public final class LineDecoder {
    /// The most bytes that a line may have, its end of line not counted.
    public static let maximumLineLength = 65_536

    /// The names of the events that were decoded.
    public let names: NameTable
    /// The notes on the line that was decoded last: unknown keys and the like.
    public private(set) var notes: [Diagnostic] = []
    /// The tokens of the line, where no access to them is checked.
    private let tokens: UnsafeMutablePointer<Tokens>
    private let packer = StatementPacker()
    private let shapes = LineShapes()
    private let keys = KeyPredictor()
    private let times = TimeCache()
    /// The keys that lines of each type may have.
    private let allKeys = EventType.keySets

    /// A decoder that takes names into a table.
    public init(names: NameTable = NameTable()) {
        self.names = names
        tokens = .allocate(capacity: 1)
        tokens.initialize(to: Tokens())
    }

    deinit {
        tokens.deinitialize(count: 1)
        tokens.deallocate()
        keys.deallocate()
        times.deallocate()
    }

    /// Decodes a line, given without its end of line, with names as handles of ``names``.
    public func decode(_ line: UnsafeRawBufferPointer) -> DecodedLine<Interned> {
        decoded(line, spelledBy: InterningSpeller(names))
    }

    /// Decodes a line into an event: after `.event`, `event` holds the line's.
    func decode(
        _ line: UnsafeRawBufferPointer, into event: UnsafeMutablePointer<Event<Interned>>
    ) -> LineKind {
        decode(
            line, into: event, spelledBy: InterningSpeller(names))
    }

    /// Decodes a line, given without its end of line, with names as strings.
    public func decodeWritten(_ line: UnsafeRawBufferPointer) -> DecodedLine<Written> {
        decoded(line, spelledBy: StringSpeller())
    }

    /// Decodes a line, given without its end of line, with names as fingerprints.
    package func decodeFingerprinted(
        _ line: UnsafeRawBufferPointer
    ) -> DecodedLine<Fingerprinted> {
        decoded(line, spelledBy: FingerprintSpeller())
    }

    /// Decodes as ``decode(_:)`` does, by the careful scanner alone.
    func decodeCarefully(_ line: UnsafeRawBufferPointer) -> DecodedLine<Interned> {
        decoded(
            line, spelledBy: InterningSpeller(names),
            skippingFastPath: true)
    }

    private func decoded<Spells: Speller>(
        _ line: UnsafeRawBufferPointer, spelledBy speller: Spells, skippingFastPath: Bool = false
    ) -> DecodedLine<Spells.S> {
        withUnsafeTemporaryAllocation(of: Event<Spells.S>.self, capacity: 1) { place in
            guard let place = place.baseAddress else { return .blank }
            place.initialize(to: .blank)
            defer { place.deinitialize(count: 1) }
            switch decode(
                line, into: place, spelledBy: speller, skippingFastPath: skippingFastPath)
            {
            case .event: return .event(place.pointee)
            case .notUnderstood(let diagnostic): return .notUnderstood(diagnostic)
            case .blank: return .blank
            }
        }
    }

    @inline(__always)
    private func decode<Spells: Speller>(
        _ line: UnsafeRawBufferPointer, into place: UnsafeMutablePointer<Event<Spells.S>>,
        spelledBy speller: Spells, skippingFastPath: Bool = false
    ) -> LineKind {
        if tokens.pointee.hasLeftovers { reset() }
        if !skippingFastPath,
            let scanned = shapes.find(line, into: tokens.pointee.byKey) ?? scanQuickly(line)
        {
            tokens.pointee.take(scanned)
        } else {
            do {
                reset()
                tokens.pointee.hasLeftovers = true
                guard try scanCarefully(line) else { return .blank }
            } catch {
                notes.removeAll()
                return .notUnderstood(error)
            }
        }
        let values = LineValues(
            line: line, scratch: tokens.pointee.scratch.bytes, tokens: tokens.pointee.byKey,
            present: tokens.pointee.present, isPlain: tokens.pointee.isPlain, times: times)
        var fields = LineFields(values, spelledBy: speller)
        make(place, from: &fields, tokens.pointee.type)
        if let problem = fields.values.problem {
            notes.removeAll()
            return .notUnderstood(diagnostic(of: problem, in: line))
        }
        tokens.pointee.isOrdinary = fields.values.isOrdinary
        guard tokens.pointee.hasLeftovers, let wrong = tokens.pointee.wrongNumber else {
            return .event
        }
        notes.removeAll()
        return .notUnderstood(wrong)
    }

    /// Scans an ordinary line of a shape that isn't known; `nil` where it isn't ordinary.
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

    /// Whether something may be to be said of the line that was decoded last.
    @inline(__always)
    var mayHaveNotes: Bool { tokens.pointee.hasLeftovers }

    /// Where the line that was decoded last, an event of a type, holds its statement: from the
    /// quote of `"type"` up to `chain` or the closing brace; `nil` where it isn't canonical.
    public func canonicalStatement(
        _ line: UnsafeRawBufferPointer, _ type: EventType
    ) -> Range<Int>? {
        guard tokens.pointee.isOrdinary else { return nil }
        if !tokens.pointee.isPlain { return carefulStatement(line, type) }
        return tokens.pointee.isOrdered ? statement(line) : nil
    }

    /// Where the value of a key lies in the line that was decoded last, an event, with the quotes
    /// of a text; `nil` where the line doesn't have the key.
    package func place(of key: Key) -> Range<Int>? {
        guard tokens.pointee.present.contains(key) else { return nil }
        let token = tokens.pointee[key]
        return token.start..<token.start + token.count
    }

    /// Packs the statement that the line decoded last holds at a range (``StatementPacker``), to a
    /// place with room for it; how many bytes it is.
    func packStatement(
        _ line: UnsafeRawBufferPointer, _ range: Range<Int>,
        of event: UnsafePointer<Event<Interned>>, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let names = StatementNames(event.pointee, names)
        let type = event.pointee.type
        if tokens.pointee.isPlain, let base = line.baseAddress {
            return packer.pack(
                base, tokens.pointee.byKey, tokens.pointee.present, of: type, names, to: place)
        }
        return packer.pack(
            UnsafeRawBufferPointer(rebasing: line[range]), of: type, names, to: place)
    }

    /// The canonical statement of a line that was scanned carefully.
    private func carefulStatement(
        _ line: UnsafeRawBufferPointer, _ type: EventType
    ) -> Range<Int>? {
        guard tokens.pointee.scratch.count == 0, tokens.pointee.unknown.isEmpty, notes.isEmpty,
            line.last == UInt8(ascii: "}"), !EscapedText.holdsUnsafe(line)
        else { return nil }
        var last = 0
        // The bytes of a canonical line: each key with its quotes, colon and comma, each value.
        var count = 1
        for field in type.canonicalFields where tokens.pointee.present.contains(field.key) {
            let token = tokens.pointee[field.key]
            guard token.start > last else { return nil }
            last = token.start
            count &+= token.count &+ field.key.wireLength &+ 4
        }
        return count == line.count ? statement(line) : nil
    }

    @inline(__always)
    private func statement(_ line: UnsafeRawBufferPointer) -> Range<Int> {
        let start = tokens.pointee[.type].start &- Key.type.wireLength &- 3
        let hasChain = tokens.pointee.present.contains(.chain)
        let end = hasChain ? tokens.pointee[.chain].start &- 9 : line.count &- 1
        return start..<end
    }

    /// Scans any line; `false` where it is blank.
    private func scanCarefully(_ line: UnsafeRawBufferPointer) throws(Diagnostic) -> Bool {
        guard line.count <= LineDecoder.maximumLineLength else {
            throw LineDecoder.lineTooLong
        }
        let hasMark = line.starts(with: [0xEF, 0xBB, 0xBF])
        let start = hasMark ? 3 : 0
        let isBlank = line[start...].allSatisfy {
            $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D
        }
        if isBlank { return false }
        try CarefulScanner.scan(line, from: start, into: &tokens.pointee)
        if hasMark {
            notes.append(
                Diagnostic(
                    .byteOrderMark, byte: 1, "a byte order mark; a log is UTF-8 without one"))
        }
        for key in tokens.pointee.unknown {
            note(unknownKey: UnsafeRawBufferPointer(rebasing: line[key.start...]), key)
        }
        if line.last == 0x0D {
            notes.append(
                Diagnostic(
                    .carriageReturn, byte: line.count,
                    "a carriage return before the end of the line; a line ends in one byte"))
        }
        return true
    }

    /// What is said of a line of more than ``maximumLineLength`` bytes.
    public static let lineTooLong = Diagnostic(
        .lineTooLong, byte: maximumLineLength + 1, "expected at most \(maximumLineLength) bytes")

    /// The keys of the envelope that most lines don't have.
    private static let rareKeys = KeySet([.id, .source, .environment, .signedAt])

    /// Makes the event of the fields, of a type that the scanner may have found already; where
    /// there is a problem with a field, the fields know it and the event stays as it was.
    @inline(__always)
    private func make<Spells>(
        _ event: UnsafeMutablePointer<Event<Spells.S>>, from fields: inout LineFields<Spells>,
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
        let source: NotificationID<Spells.S>? = isPlain ? nil : fields.optional(.source)
        let (account, device) = fields.recorder()
        let environment: Environment? = isPlain ? nil : fields.optional(.environment)
        let signedAt: Timestamp? = isPlain ? nil : fields.optional(.signedAt)
        let fact = Fact(type, from: &fields)
        fields.checkChain()
        if fields.values.problem != nil { return }
        event.pointee.become(
            seq: seq, at: at, id: id, source: source, account: account, device: device,
            environment: environment, signedAt: signedAt, fact, type: type,
            transaction: fields.transaction, payment: fields.payment, product: fields.product)
        if !present.isSubset(of: allKeys[Int(type.rawValue)]) {
            noteForeignKeys(&fields, type)
        }
    }

    /// Notes the keys that the format has, but not for this type.
    private func noteForeignKeys<Spells>(_ fields: inout LineFields<Spells>, _ type: EventType) {
        tokens.pointee.hasLeftovers = true
        let (line, present) = (fields.values.line, fields.values.present)
        for key in Key.allCases where present.contains(key) && !type.allKeys.contains(key) {
            let token = tokens.pointee[key]
            let value = UnsafeRawBufferPointer(
                rebasing: line[token.start..<token.start + token.count])
            if let (code, expected) = Expectation.ofNumber(value, token.form) {
                return fields.fail(code, key, expected)
            }
            let start = startOfKey(before: token.start, in: line)
            notes.append(
                Diagnostic(
                    .unknownKey, byte: start + 1,
                    "`\(type.wireName)` has no key `\(key.wireName)`; it is kept but not read"))
        }
        notes.sort { $0.byte < $1.byte }
    }

    /// Where the key of a value begins: a key that the format has holds no quote between its own.
    private func startOfKey(before value: Int, in line: UnsafeRawBufferPointer) -> Int {
        let quotes = line[..<value].indices.reversed().lazy.filter {
            line[$0] == UInt8(ascii: "\"")
        }
        return quotes.dropFirst().first ?? value
    }

    private func note(unknownKey bytes: UnsafeRawBufferPointer, _ key: (start: Int, count: Int)) {
        let name = EscapedText.excerpt(
            UnsafeRawBufferPointer(rebasing: bytes[1..<key.count - 1]))
        notes.append(
            Diagnostic(
                .unknownKey, byte: key.start + 1,
                "the format has no key `\(name)`; it is kept but not read"))
    }

    /// Says where a problem stands in the line, and what was seen there.
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
        let value = UnsafeRawBufferPointer(
            rebasing: line[token.start..<token.start + token.count])
        return Diagnostic(
            problem.code, byte: token.start + 1,
            "`\(name)`: expected \(problem.expected.words), seen \(EscapedText.excerpt(value))")
    }
}

extension LineFields {
    /// The type of the event; a log of a newer schema is told by its first line.
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

    /// Whether the schema is a later one; one that is wrong is reported in its turn.
    private func isNewer() -> Bool {
        var copy = values
        return copy.has(.schema) && copy.integer(.schema) > 1 && copy.problem == nil
    }
}
