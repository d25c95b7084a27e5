/// Reads the fields of one fact by their keys, in the canonical order: what a fact's type lists
/// here is its schema, for decoding and for ``EventType/schema`` alike.
protocol FieldReader<S> {
    associatedtype S: Spelling

    mutating func required<Role>(_ key: Key) throws(FieldProblem) -> Identifier<Role, S>
    mutating func optional<Role>(_ key: Key) throws(FieldProblem) -> Identifier<Role, S>?
    mutating func required(_ key: Key) throws(FieldProblem) -> Timestamp
    mutating func optional(_ key: Key) throws(FieldProblem) -> Timestamp?
    mutating func required(_ key: Key) throws(FieldProblem) -> Int64
    mutating func optional(_ key: Key) throws(FieldProblem) -> Int64?
    mutating func optional(_ key: Key) throws(FieldProblem) -> Bool?
    mutating func optional(_ key: Key) throws(FieldProblem) -> Currency?
    mutating func required<Word: ClosedList>(_ key: Key) throws(FieldProblem) -> Word
    mutating func optional<Word: ClosedList>(_ key: Key) throws(FieldProblem) -> Word?
    mutating func text(_ key: Key) throws(FieldProblem) -> S.Text?
    mutating func required(_ key: Key) throws(FieldProblem) -> S.Text
    mutating func error(_ key: Key) throws(FieldProblem) -> ErrorWord<S>?
    mutating func required(_ key: Key) throws(FieldProblem) -> ErrorWord<S>
    mutating func id() throws(FieldProblem) -> S.Key?
}

extension FieldReader {
    mutating func optional(_ key: Key) throws(FieldProblem) -> S.Text? { try text(key) }

    mutating func required(_ key: Key) throws(FieldProblem) -> S.Text {
        guard let text = try text(key) else { throw FieldProblem(.missingKey, key, .text) }
        return text
    }

    mutating func optional(_ key: Key) throws(FieldProblem) -> ErrorWord<S>? { try error(key) }

    mutating func required(_ key: Key) throws(FieldProblem) -> ErrorWord<S> {
        guard let error = try error(key) else { throw FieldProblem(.missingKey, key, .text) }
        return error
    }
}

/// What a field should have been.
enum Expectation: Sendable, Hashable {
    case name, text, time, integer, flag, currency, eitherOr, chain
    case word([String])
    case range(ClosedRange<Int64>)
    case nameLength, nameCharacters, textLength
    case schema

    var words: String {
        switch self {
        case .name: "a name, as a string"
        case .text: "text, as a string"
        case .time: "a time such as 2026-02-20T09:00:00.000Z"
        case .integer: "an integer"
        case .flag: "true or false"
        case .currency: "three capital letters"
        case .eitherOr: "a transaction or a payment, one of the two"
        case .chain: "64 lower-case hex digits"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .range(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .nameLength: "1 to 255 bytes"
        case .nameCharacters: "a name without control characters"
        case .textLength: "at most 4096 bytes"
        case .schema: "1, the newest that this reader knows"
        }
    }
}

extension Expectation {
    /// What the format expected in the place of a number that is no integer or too large a one, and
    /// how that is told; `nil` for a number that it has (event-log.md, 1).
    static func ofNumber(
        _ number: UnsafeRawBufferPointer, _ form: TokenForm
    ) -> (DiagnosticCode, Expectation)? {
        if form == .fraction { return (.wrongKind, .integer) }
        guard form == .integer, number.count > 15 else { return nil }
        let range = -Key.largestInteger...Key.largestInteger
        let value = Int64(String(decoding: number, as: UTF8.self))
        let isWithin = value.map { range.contains($0) } ?? false
        return isWithin ? nil : (.outOfRange, .range(range))
    }
}

/// What is wrong with a field; the decoder adds where it stands and what was seen.
struct FieldProblem: Error {
    var code: DiagnosticCode
    var key: Key
    var expected: Expectation

    init(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation) {
        self.code = code
        self.key = key
        self.expected = expected
    }
}

extension Key {
    /// What the integers of a key may be (event-log.md, 1).
    var range: ClosedRange<Int64> {
        switch self {
        case .seq, .level, .schema: 1...Key.largestInteger
        case .quantity: 1...Int64(Int32.max)
        case .percent: 0...100_000
        case .bytes, .total: 0...Key.largestInteger
        case .version: 1...2
        case .at, .type, .id, .source, .account, .device, .environment, .signedAt, .app, .writer,
            .chained, .text, .sha256, .file, .product, .kind, .group, .period, .price, .currency,
            .hosted,
            .family, .payment, .payer, .transaction, .original, .purchasedAt,
            .originalPurchasedAt, .expiresAt, .ownership, .offer, .error, .code, .outcome,
            .status, .store, .download, .state, .place, .until, .reason, .receipt, .cancelledAt,
            .upgraded, .by, .resubscribed, .recovered, .retrying, .graceExpiresAt, .next,
            .effect, .consent, .notification, .name, .subtype, .secret, .signature, .content,
            .publishedAt, .from, .chain:
            -Key.largestInteger...Key.largestInteger
        }
    }

    /// 2^53 − 1, the largest integer that every JSON reader takes.
    static let largestInteger: Int64 = 9_007_199_254_740_991
}
