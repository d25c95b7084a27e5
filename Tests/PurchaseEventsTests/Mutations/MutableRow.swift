import Foundation
import PurchaseEvents

/// An event of a log, open for mutation: its type and its values by key, as text.
///
/// It is created from a decoded event and written as a canonical line. A key that the type doesn't
/// have can't be set, so every line of a mutant is understood.
struct MutableRow: Equatable, Sendable {
    let type: EventType
    private var values: [Key: String] = [:]
    /// The canonical line after `seq`, kept because most events of a mutant are unchanged.
    private var tail: [UInt8] = []

    /// Creates a row from a decoded event.
    init(_ event: Event<Written>) throws {
        type = event.type
        let line = Data(try LineWriter.line(of: event))
        let object = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
        for field in fields {
            guard let value = object[field.key.wireName] else { continue }
            switch field.kind {
            case .flag: values[field.key] = (value as? Bool).map { $0 ? "true" : "false" }
            case .integer: values[field.key] = (value as? Int).map { "\($0)" }
            case .name, .id, .text, .time, .currency, .word: values[field.key] = value as? String
            }
        }
        values[.seq] = nil
        spell()
    }

    /// Creates an event next to another one, with the required values.
    init(_ type: EventType, besides other: MutableRow, _ values: [Key: String]) {
        self.type = type
        self.values = values
        self.values[.type] = type.wireName
        for key in [Key.at, .account, .device, .environment] where values[key] == nil {
            self.values[key] = other[key]
        }
        spell()
    }

    private static let fields = EventType.allCases.map { EventType.envelope + $0.schema }

    private var fields: [Field] { MutableRow.fields[Int(type.rawValue)] }

    static func == (left: MutableRow, right: MutableRow) -> Bool {
        left.tail == right.tail && left[.seq] == right[.seq]
    }

    /// The value of a key; `nil` if absent.
    subscript(key: Key) -> String? { values[key] }

    /// The kind of a key's value; `nil` if the type has no such key.
    func kind(of key: Key) -> FieldKind? { fields.first { $0.key == key }?.kind }

    /// The event with another value; `nil` if the type has no such key, requires the key, or has
    /// the value already.
    func saying(_ value: String?, for key: Key) -> MutableRow? {
        guard let field = fields.first(where: { $0.key == key }), values[key] != value,
            value != nil || !field.isRequired
        else { return nil }
        var row = self
        row.values[key] = value
        row.spell()
        return row
    }

    /// The event with a value, unchecked.
    func with(_ changes: [Key: String?]) -> MutableRow {
        var row = self
        for (key, value) in changes where kind(of: key) != nil { row.values[key] = value }
        row.spell()
        return row
    }

    func number(_ key: Key) -> Int64? { values[key].flatMap { Int64($0) } }

    func time(_ key: Key) -> Timestamp? { values[key].flatMap { Timestamp(dayOrTime: $0) } }

    /// The transaction or payment that the event is about, with its role.
    var subject: String? {
        values[.transaction].map { "transaction \($0)" } ?? values[.payment].map { "payment \($0)" }
    }

    /// The canonical line at a position, unless the event states its own `seq`.
    func line(_ seq: Int) -> [UInt8] { Array("{\"seq\":\(self[.seq] ?? "\(seq)")".utf8) + tail }

    private mutating func spell() {
        let members = fields.compactMap { field -> String? in
            guard field.key != .seq, let value = values[field.key] else { return nil }
            let name = "\"\(field.key.wireName)\":"
            switch field.kind {
            case .integer, .flag: return name + value
            case .name, .id, .text, .time, .currency, .word:
                return name + "\"\(MutableRow.escaped(value))\""
            }
        }
        tail = Array(("," + members.joined(separator: ",") + "}\n").utf8)
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}

extension [MutableRow] {
    func dropping(_ index: Int) -> [MutableRow] {
        var rows = self
        rows.remove(at: index)
        return rows
    }

    func inserting(_ added: MutableRow..., at index: Int) -> [MutableRow] {
        Array(self[..<index] + added + self[index...])
    }

    /// The log with the event at a place replaced; empty if there is no replacement.
    func replacing(_ index: Int, by row: MutableRow?) -> [[MutableRow]] {
        guard let row else { return [] }
        var rows = self
        rows[index] = row
        return [rows]
    }

    /// The log with an event moved; each place keeps its time.
    func moving(_ index: Int, to place: Int) -> [MutableRow] {
        var rows = self
        rows.insert(rows.remove(at: index), at: place)
        return zip(rows, self).map { $0[.at] == $1[.at] ? $0 : $0.with([.at: $1[.at]]) }
    }
}
