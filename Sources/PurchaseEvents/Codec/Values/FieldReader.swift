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
