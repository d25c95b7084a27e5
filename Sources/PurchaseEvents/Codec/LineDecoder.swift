/// What a line is: an event, not understood, or blank.
public enum DecodedLine<S: Spelling>: Sendable {
    case event(Event<S>)
    case notUnderstood(Diagnostic)
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
    private var tokens = Tokens()
    private let keys = KeyPredictor()

    /// A decoder that takes names into a table.
    public init(names: NameTable = NameTable()) { self.names = names }

    deinit { keys.deallocate() }

    /// Decodes a line, given without its end of line, with names as handles of ``names``.
    public func decode(_ line: UnsafeRawBufferPointer) -> DecodedLine<Interned> {
        decoded(line, spelledBy: InterningSpeller(tables: names.tables, seed: names.seed))
    }

    /// Decodes a line into a place; `.event` says that there is one now.
    func decode(
        _ line: UnsafeRawBufferPointer, into event: UnsafeMutablePointer<Event<Interned>>
    ) -> LineKind {
        decode(line, into: event, spelledBy: InterningSpeller(tables: names.tables, seed: names.seed))
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
        decoded(line, spelledBy: InterningSpeller(tables: names.tables, seed: names.seed), skippingFastPath: true)
    }

    private func decoded<Spells: Speller>(
        _ line: UnsafeRawBufferPointer, spelledBy speller: Spells, skippingFastPath: Bool = false
    ) -> DecodedLine<Spells.S> {
        withUnsafeTemporaryAllocation(of: Event<Spells.S>.self, capacity: 1) { place in
            guard let place = place.baseAddress else { return .blank }
            switch decode(
                line, into: place, spelledBy: speller, skippingFastPath: skippingFastPath)
            {
            case .event: return .event(place.move())
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
        if hasLeftovers { reset() }
        if !skippingFastPath, let present = FastScanner.scan(line, into: tokens.byKey, keys) {
            tokens.present = present
        } else {
            do {
                hasLeftovers = true
                tokens.reset()
                guard try scanCarefully(line) else { return .blank }
            } catch {
                notes.removeAll()
                return .notUnderstood(error)
            }
        }
        let fields = LineFields(
            line: line, scratch: tokens.scratch.bytes, tokens: tokens.byKey,
            present: tokens.present, speller: speller)
        do {
            place.initialize(to: try event(fields))
            return .event
        } catch {
            notes.removeAll()
            return .notUnderstood(diagnostic(of: error, in: line))
        }
    }

    /// Whether the line before left more behind than tokens.
    private var hasLeftovers = false

    @inline(never)
    private func reset() {
        tokens.reset()
        notes.removeAll(keepingCapacity: true)
        hasLeftovers = false
    }

    /// Where the line that was decoded last, an event of a type, holds its statement: from the
    /// quote of `"type"` up to `chain` or the closing brace; `nil` where it isn't canonical.
    public func canonicalStatement(
        _ line: UnsafeRawBufferPointer, _ type: EventType
    ) -> Range<Int>? {
        guard tokens.scratch.count == 0, tokens.unknown.isEmpty, notes.isEmpty,
            line.last == UInt8(ascii: "}"), !hasLeftovers || !EscapedText.holdsUnsafe(line)
        else { return nil }
        var place = UInt32(0)
        // The bytes of a canonical line: each key with its quotes, colon and comma, each value.
        var count = 1
        for field in type.canonicalFields where tokens.present.contains(field.key) {
            let token = tokens[field.key]
            guard token.start > place else { return nil }
            place = token.start
            count &+= Int(token.count) &+ field.key.wireLength &+ 4
            let isOrdinary =
                switch field.kind {
                case .time: isCanonicalTime(line, token)
                case .integer:
                    line[Int(token.start)] != UInt8(ascii: "-")
                        || line[Int(token.start) &+ 1] != UInt8(ascii: "0")
                case .text, .name, .id, .flag, .currency, .word: true
                }
            guard isOrdinary else { return nil }
        }
        guard count == line.count else { return nil }
        let start = Int(tokens[.type].start) &- Key.type.wireLength &- 3
        let chain = tokens.present.contains(.chain) ? Int(tokens[.chain].start) &- 9 : nil
        return start..<(chain ?? line.count &- 1)
    }

    /// Whether a time, known to be one, has the canonical form: three decimals, `T`, `Z`, and no
    /// second 60.
    @inline(__always)
    private func isCanonicalTime(_ line: UnsafeRawBufferPointer, _ token: Token) -> Bool {
        let start = Int(token.start)
        return token.count == 26 && line[start &+ 24] == UInt8(ascii: "Z")
            && line[start &+ 11] == UInt8(ascii: "T") && line[start &+ 18] != UInt8(ascii: "6")
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
        try CarefulScanner.scan(line, from: start, into: &tokens)
        if hasMark {
            notes.append(
                Diagnostic(
                    .byteOrderMark, byte: 1, "a byte order mark; a log is UTF-8 without one"))
        }
        for key in tokens.unknown {
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

    @inline(__always)
    private func event<Spells>(
        _ lineFields: LineFields<Spells>
    ) throws(FieldProblem) -> Event<Spells.S> {
        var fields = lineFields
        let type = try fields.type()
        let event = Event<Spells.S>(
            seq: try fields.required(.seq), at: try fields.required(.at), id: try fields.id(),
            source: try fields.optional(.source), account: try fields.optional(.account),
            device: try fields.optional(.device), environment: try fields.optional(.environment),
            signedAt: try fields.optional(.signedAt), try Fact(type, from: &fields))
        try fields.checkChain()
        if !fields.present.isSubset(of: type.allKeys) { noteForeignKeys(fields, type) }
        return event
    }

    /// Notes the keys that the format has, but not for this type.
    private func noteForeignKeys<Spells>(_ fields: LineFields<Spells>, _ type: EventType) {
        hasLeftovers = true
        for key in Key.allCases where fields.present.contains(key) && !type.allKeys.contains(key) {
            let token = tokens[key]
            notes.append(
                Diagnostic(
                    .unknownKey, byte: Int(token.start) + 1,
                    "`\(type.wireName)` has no key `\(key.wireName)`; it is kept and not read"))
        }
    }

    private func note(unknownKey bytes: UnsafeRawBufferPointer, _ key: (start: Int, count: Int)) {
        let name = EscapedText.excerpt(
            UnsafeRawBufferPointer(rebasing: bytes[1..<key.count - 1]))
        notes.append(
            Diagnostic(
                .unknownKey, byte: key.start + 1,
                "the format has no key `\(name)`; it is kept and not read"))
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
        let token = tokens[problem.key]
        let value = UnsafeRawBufferPointer(
            rebasing: line[Int(token.start)..<Int(token.start) + Int(token.count)])
        return Diagnostic(
            problem.code, byte: Int(token.start) + 1,
            "`\(name)`: expected \(problem.expected.words), seen \(EscapedText.excerpt(value))")
    }
}

extension LineFields {
    /// The type of the event; a log of a newer schema is told by its first line.
    fileprivate func type() throws(FieldProblem) -> EventType {
        let expected = Expectation.word(["the types of event-log.md"])
        guard present.contains(.type) else { throw FieldProblem(.missingKey, .type, .text) }
        let token = tokens[Int(Key.type.rawValue)]
        guard let type = EventType.names.find(try string(token, .type, .text)) else {
            throw FieldProblem(.unknownType, .type, expected)
        }
        if type == .logOpened, isNewer() { throw FieldProblem(.newerSchema, .schema, .schema) }
        return type
    }

    /// Whether the schema is a later one; one that is wrong is told of in its turn.
    private func isNewer() -> Bool {
        do {
            let schema: Int64? = try optional(.schema)
            return schema.map { $0 > 1 } ?? false
        } catch {
            return false
        }
    }
}
