/// Reads the fields of one fact by key, in canonical order.
///
/// The reads of a fact's type define its schema, both for decoding and for ``EventType/schema``.
///
/// Reads don't throw. A reader keeps the first problem, and from then on returns placeholders.
protocol FieldReader<S> {
    associatedtype S: Spelling

    static var noName: S.Name { get }
    mutating func required<Role>(_ key: Key) -> Identifier<Role, S>
    mutating func optional<Role>(_ key: Key) -> Identifier<Role, S>?
    mutating func required(_ key: Key) -> Timestamp
    mutating func optional(_ key: Key) -> Timestamp?
    mutating func required(_ key: Key) -> Int64
    mutating func optional(_ key: Key) -> Int64?
    mutating func optional(_ key: Key) -> Bool?
    mutating func optional(_ key: Key) -> Currency?
    mutating func required<Word: ClosedList>(_ key: Key) -> Word
    mutating func optional<Word: ClosedList>(_ key: Key) -> Word?
    mutating func optional(_ key: Key) -> S.Text?
    mutating func required(_ key: Key) -> S.Text
    mutating func optional(_ key: Key) -> ErrorWord<S>?
    mutating func required(_ key: Key) -> ErrorWord<S>
    mutating func id() -> S.Key?
    mutating func fail(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation)
}
