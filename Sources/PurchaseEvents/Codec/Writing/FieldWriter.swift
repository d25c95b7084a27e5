/// Takes the fields of an event in the canonical order of their keys: a ``MemberWriter`` writes
/// them all as a line; ``Fact/value(of:)`` keeps one of them.
package protocol FieldWriter<S>: ~Copyable {
    associatedtype S: Spelling

    /// Takes the `id` of the event; a writer of facts never gets one.
    mutating func write(id: S.Key?) throws(WritingProblem)
    mutating func write<Role>(_ key: Key, _ name: Identifier<Role, S>?) throws(WritingProblem)
    mutating func write(_ key: Key, _ text: S.Text?) throws(WritingProblem)
    mutating func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem)
    mutating func write(_ key: Key, _ value: Int64?) throws(WritingProblem)
    mutating func write(_ key: Key, _ flag: Bool?) throws(WritingProblem)
    mutating func write(_ key: Key, _ currency: Currency?) throws(WritingProblem)
    mutating func write<Word: ClosedList>(_ key: Key, _ word: Word?) throws(WritingProblem)
}

extension FieldWriter where Self: ~Copyable {
    package mutating func write(id: S.Key?) throws(WritingProblem) {}

    package mutating func write(_ key: Key, _ error: ErrorWord<S>?) throws(WritingProblem) {
        try write(key, error?.text)
    }
}
