package enum FieldKind: Hashable, Sendable {
    case name(NameRole)
    case id
    case text
    case time
    case flag
    /// A code of ISO 4217.
    case currency
    case integer(ClosedRange<Int64>)
    case word([String])
}

package struct Field: Hashable, Sendable {
    package let key: Key
    package let isRequired: Bool
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
        _ = Fact<Written>.read(type, from: &reader)
        return reader.fields
    }

    var allKeys: KeySet { EventType.keySets[Int(rawValue)] }

    /// All fields of a line of the type, in canonical order, with `chain` last.
    var canonicalFields: [Field] { EventType.canonicalFieldLists[Int(rawValue)] }

    private static let canonicalFieldLists: [[Field]] = allCases.map { type in
        envelope + type.schema + [Field(key: .chain, isRequired: false, kind: .text)]
    }

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

    private mutating func require<Value>(
        _ key: Key, _ kind: FieldKind, _ placeholder: Value
    ) -> Value {
        add(key, true, kind)
        return placeholder
    }

    private mutating func allow<Value>(_ key: Key, _ kind: FieldKind) -> Value? {
        add(key, false, kind)
        return nil
    }

    mutating func required<Role>(_ key: Key) -> Identifier<Role, Written> {
        require(key, .name(Role.role), Identifier(""))
    }
    mutating func optional<Role>(_ key: Key) -> Identifier<Role, Written>? {
        allow(key, .name(Role.role))
    }
    mutating func required(_ key: Key) -> Timestamp {
        require(key, .time, Timestamp(milliseconds: 0))
    }
    mutating func optional(_ key: Key) -> Timestamp? { allow(key, .time) }
    mutating func required(_ key: Key) -> Int64 { require(key, .integer(key.range), 0) }
    mutating func optional(_ key: Key) -> Int64? { allow(key, .integer(key.range)) }
    mutating func optional(_ key: Key) -> Bool? { allow(key, .flag) }
    mutating func optional(_ key: Key) -> Currency? { allow(key, .currency) }
    mutating func required<Word: ClosedList>(_ key: Key) -> Word {
        require(key, .word(Word.allCases.map(\.rawValue)), Word.words.first)
    }
    mutating func optional<Word: ClosedList>(_ key: Key) -> Word? {
        allow(key, .word(Word.allCases.map(\.rawValue)))
    }
    mutating func required(_ key: Key) -> String { require(key, .text, "") }
    mutating func optional(_ key: Key) -> String? { allow(key, .text) }
    mutating func required(_ key: Key) -> ErrorWord<Written> { require(key, .text, "") }
    mutating func optional(_ key: Key) -> ErrorWord<Written>? { allow(key, .text) }
    mutating func id() -> String? { nil }
    /// Does nothing: a fact that requires one of two keys has asked for both before it fails.
    mutating func fail(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation) {}
}
