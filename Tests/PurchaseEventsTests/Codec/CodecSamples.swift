import Testing

@testable import PurchaseEvents

/// A line generated from the schema of a type, so that every type has samples.
struct LineSample: Sendable, CustomStringConvertible {
    let type: EventType
    /// The members in the order of writing: key and JSON value.
    var members: [(key: String, value: String)]

    var text: String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    var description: String { text }

    /// A sample with the chosen optional keys; required keys are always included.
    init(_ type: EventType, where isTaken: (Field) -> Bool) {
        self.type = type
        let fields = type.canonicalFields.filter { isTaken($0) || type.requires($0) }
        members = fields.map { ($0.key.wireName, LineSample.value($0, of: type)) }
    }

    /// A sample with only the required keys.
    static func minimal(_ type: EventType) -> LineSample { LineSample(type) { _ in false } }

    /// A sample with every key that a line of the type may have together, except `chain`.
    static func full(_ type: EventType) -> LineSample {
        LineSample(type) { $0.key != .chain && !(type.isOfEntry && $0.key == .payment) }
    }

    /// The minimal sample, the full one, one for each optional key, and one for each word of each
    /// list.
    static func all(_ type: EventType) -> [LineSample] {
        var samples = [minimal(type), full(type)]
        for field in type.canonicalFields where field.key != .chain {
            if !type.isOfEntry || field.key != .payment {
                samples.append(LineSample(type) { $0.key == field.key })
            }
            guard case .word(let words) = field.kind else { continue }
            samples += words.map { full(type).setting(field.key, to: "\"\($0)\"") }
        }
        if type.isOfEntry {
            samples.append(minimal(type).without(.transaction).adding(.payment, "\"payment-1\""))
        }
        return samples
    }

    /// A valid value of a field.
    static func value(_ field: Field, of type: EventType) -> String {
        switch field.kind {
        case .name, .id: "\"\(field.key.wireName)-1\""
        case .text:
            field.key == .type
                ? "\"\(type.wireName)\""
                : field.key == .chain ? "\"\(String(repeating: "0f", count: 32))\"" : "\"a text\""
        case .time: "\"2026-02-20T09:00:00.000Z\""
        case .flag: "true"
        case .currency: "\"EUR\""
        case .integer(let range): range.contains(1) ? "1" : "\(range.lowerBound)"
        case .word(let words): "\"\(words[0])\""
        }
    }

    func without(_ key: Key) -> LineSample {
        var other = self
        other.members.removeAll { $0.key == key.wireName }
        return other
    }

    func adding(_ key: Key, _ value: String) -> LineSample {
        var other = self
        other.members.append((key.wireName, value))
        return other
    }

    /// The sample with another value of a key; a missing key is added in its place.
    func setting(_ key: Key, to value: String) -> LineSample {
        let present = Set(members.map(\.key))
        var other = LineSample(type) { present.contains($0.key.wireName) || $0.key == key }
        for index in other.members.indices {
            let name = other.members[index].key
            other.members[index].value =
                name == key.wireName
                ? value : members.first { $0.key == name }?.value ?? other.members[index].value
        }
        if type.isOfEntry, key == .payment { return other.without(.transaction) }
        return other
    }
}

extension EventType {
    /// Whether the type names either a transaction or a payment.
    var isOfEntry: Bool { self == .queueFinished || self == .queueRemoved }

    /// Whether a sample must have the field; for an entry, the transaction is used.
    func requires(_ field: Field) -> Bool {
        field.isRequired || (isOfEntry && field.key == .transaction)
    }
}

/// The result of decoding a line, with its notes.
struct Decoded {
    var line: DecodedLine<Written>
    var notes: [Diagnostic]

    init(_ bytes: [UInt8]) {
        let decoder = LineDecoder()
        line = bytes.withUnsafeBytes { decoder.decodeWritten($0) }
        notes = decoder.notes
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// The event, or `nil` if the line isn't one.
    var event: Event<Written>? {
        if case .event(let event) = line { event } else { nil }
    }

    /// The reason why the line isn't an event.
    var diagnostic: Diagnostic? {
        if case .notUnderstood(let diagnostic) = line { diagnostic } else { nil }
    }

    /// `event`, `blank` or the diagnostic's code, followed by the notes.
    var outcome: String {
        let word =
            switch line {
            case .event: "event"
            case .blank: "blank"
            case .notUnderstood(let diagnostic): diagnostic.code.rawValue
            }
        return ([word] + notes.map(\.code.rawValue)).joined(separator: " ")
    }
}

/// A `log.noted` line with further members; they include the text if there is one.
func noted(_ members: String) -> String {
    "{\"seq\":1,\"at\":\"2026-02-20T09:00:00.000Z\",\"type\":\"log.noted\",\(members)}"
}
