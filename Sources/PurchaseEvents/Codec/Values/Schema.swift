/// The kind of value that a key takes.
package enum FieldKind: Hashable, Sendable {
    /// A name of a role.
    case name(NameRole)
    /// The `id` of an event.
    case id
    case text
    case time
    /// `true` or `false`.
    case flag
    /// A code of ISO 4217.
    case currency
    /// An integer within a range.
    case integer(ClosedRange<Int64>)
    /// One of these words.
    case word([String])
}

/// One key of an event type, as event-log.md lists it.
package struct Field: Hashable, Sendable {
    package let key: Key
    /// Whether every line of the type must have the key.
    package let isRequired: Bool
    /// The kind of the key's value.
    package let kind: FieldKind
}

extension EventType {
    /// The keys of the type's own fact, in canonical order.
    package var schema: [Field] { EventType.schemas[Int(rawValue)] }

    /// The keys that any event may have, in canonical order, except `chain`, which comes last.
    package static let envelope: [Field] = {
        var reader = SchemaReader()
        reader.add(.seq, true, .integer(Key.seq.range))
        reader.add(.at, true, .time)
        reader.add(.type, true, .text)
        reader.add(.id, false, .id)
        reader.add(.source, false, .name(.notification))
        reader.add(.account, false, .name(.account))
        reader.add(.device, false, .name(.device))
        reader.add(.environment, false, .word(Environment.allCases.map(\.rawValue)))
        reader.add(.signedAt, false, .time)
        return reader.fields
    }()

    private static let schemas: [[Field]] = allCases.map { type in
        var reader = SchemaReader()
        _ = Fact<Written>(type, from: &reader)
        return reader.fields
    }

    /// Every key that a line of the type may have.
    var allKeys: KeySet { EventType.keySets[Int(rawValue)] }

    /// All fields of a line of the type, in canonical order, with `chain` last.
    var canonicalFields: [Field] { EventType.canonicalFieldLists[Int(rawValue)] }

    private static let canonicalFieldLists: [[Field]] = allCases.map { type in
        envelope + type.schema + [Field(key: .chain, isRequired: false, kind: .text)]
    }

    /// ``allKeys`` of every type, by the type's number.
    static let keySets: [KeySet] = allCases.map { type in
        KeySet((envelope + type.schema).map(\.key) + [.chain])
    }
}

/// Collects the fields that a fact asks for, without reading a line.
private struct SchemaReader: FieldReader {
    typealias S = Written

    static let noName = ""

    var fields: [Field] = []

    mutating func add(_ key: Key, _ isRequired: Bool, _ kind: FieldKind) {
        fields.append(Field(key: key, isRequired: isRequired, kind: kind))
    }

    mutating func required<Role>(_ key: Key) -> Identifier<Role, Written> {
        add(key, true, .name(Role.role))
        return Identifier("")
    }

    mutating func optional<Role>(_ key: Key) -> Identifier<Role, Written>? {
        add(key, false, .name(Role.role))
        return nil
    }

    mutating func required(_ key: Key) -> Timestamp {
        add(key, true, .time)
        return Timestamp(milliseconds: 0)
    }

    mutating func optional(_ key: Key) -> Timestamp? {
        add(key, false, .time)
        return nil
    }

    mutating func required(_ key: Key) -> Int64 {
        add(key, true, .integer(key.range))
        return 0
    }

    mutating func optional(_ key: Key) -> Int64? {
        add(key, false, .integer(key.range))
        return nil
    }

    mutating func optional(_ key: Key) -> Bool? {
        add(key, false, .flag)
        return nil
    }

    mutating func optional(_ key: Key) -> Currency? {
        add(key, false, .currency)
        return nil
    }

    mutating func required<Word: ClosedList>(_ key: Key) -> Word {
        add(key, true, .word(Word.allCases.map(\.rawValue)))
        return Word.words.first
    }

    mutating func optional<Word: ClosedList>(_ key: Key) -> Word? {
        add(key, false, .word(Word.allCases.map(\.rawValue)))
        return nil
    }

    mutating func text(_ key: Key) -> String? {
        add(key, false, .text)
        return nil
    }

    mutating func required(_ key: Key) -> String {
        add(key, true, .text)
        return ""
    }

    mutating func error(_ key: Key) -> ErrorWord<Written>? {
        add(key, false, .text)
        return nil
    }

    mutating func required(_ key: Key) -> ErrorWord<Written> {
        add(key, true, .text)
        return ""
    }

    mutating func id() -> String? { nil }

    /// Does nothing: a fact that requires one of two keys has asked for both before it fails.
    mutating func fail(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation) {}
}
