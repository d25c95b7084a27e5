import PurchaseEvents

/// Maps rows of a table to events: for each kind of row, the type of the event, and the column or
/// constant for each key of the event (importing.md, 4).
public struct RowMapping: Hashable, Sendable {
    /// One kind of row and its event.
    public struct EventMapping: Hashable, Sendable {
        /// The type of the event.
        public var type: EventType
        /// The column of each key that comes from a column.
        public var columns: [Key: String]
        /// The value of each key that is the same in every row.
        public var constants: [Key: String]
        /// The conditions; a row must meet all of them.
        public var conditions: [Condition]

        /// Creates the mapping of one kind of row.
        public init(
            type: EventType, columns: [Key: String], constants: [Key: String] = [:],
            conditions: [Condition] = []
        ) {
            self.type = type
            self.columns = columns
            self.constants = constants
            self.conditions = conditions
        }
    }

    /// A condition on a row: a column has one of several values, or none of them.
    public struct Condition: Hashable, Sendable {
        /// The name of the column.
        public var column: String
        /// The values, compared exactly; an empty value stands for an empty cell.
        public var values: [String]
        /// Whether the rows that meet the condition are those with none of the values.
        public var isNegated: Bool

        /// Creates a condition.
        public init(column: String, values: [String], isNegated: Bool = false) {
            self.column = column
            self.values = values
            self.isNegated = isNegated
        }
    }

    /// The kinds of rows; a row becomes an event of each kind whose conditions it meets.
    public let events: [EventMapping]
    /// The time zone of times without one, in minutes east of UTC; `nil` refuses such times.
    public let zone: Int64?
    /// The unit of amounts that are whole numbers.
    public let amounts: AmountUnit

    /// Creates a mapping.
    ///
    /// Throws ``RowMappingProblem`` for an empty list of events, a type that rows can't have, a key
    /// that the type doesn't have, a key with both a column and a constant, a required key with
    /// neither, or a constant that the key can't hold. `at` may be missing, because
    /// ``ImportOptions/recordedAt`` can give it.
    public init(
        events: [EventMapping], zone: Int64? = nil, amounts: AmountUnit = .thousandths
    ) throws(RowMappingProblem) {
        guard !events.isEmpty else { throw RowMappingProblem("expected a type of event") }
        let forms = RowForms(times: RowTime(zone: zone), amounts: amounts)
        for event in events { try RowMapping.check(event, forms) }
        self.events = events
        self.zone = zone
        self.amounts = amounts
    }

    /// Whether each event has a column or a constant for its `at`.
    public var namesTimes: Bool {
        events.allSatisfy { $0.columns[.at] != nil || $0.constants[.at] != nil }
    }

    /// The environment that every row states, if the mapping gives each event the same one and it
    /// isn't production.
    var environment: Environment? {
        let stated = Set(events.map { $0.constants[.environment] })
        guard stated.count == 1, let word = stated.first.flatMap(\.self) else { return nil }
        let environment = AppStoreEnvironment.words[word.lowercased()]
        return environment == .production ? nil : environment
    }

    /// The types that rows may have: all except those of the log's own lines.
    public static let types = EventType.allCases.filter {
        $0 != .logOpened && $0 != .logRecovered
    }

    /// The keys that a mapping may set, in the order of the format: all except the position, the
    /// type and the chain value.
    public static let keys: [Key] = {
        let fields = EventType.envelope + types.flatMap(\.schema)
        let named = Set(fields.map(\.key)).subtracting([.seq, .type])
        return Key.allCases.filter(named.contains)
    }()

    /// The fields of a type that a mapping may set, in canonical order.
    static func fields(of type: EventType) -> [Field] {
        (EventType.envelope + type.schema).filter { $0.key != .seq && $0.key != .type }
    }

    var forms: RowForms { RowForms(times: RowTime(zone: zone), amounts: amounts) }

    private static func check(_ event: EventMapping, _ forms: RowForms) throws(RowMappingProblem) {
        let type = event.type.wireName
        guard types.contains(event.type) else {
            throw RowMappingProblem("`\(type)` is a log's own line, not an event of a row")
        }
        let fields = fields(of: event.type)
        let own = Set(fields.map(\.key))
        for key in keys where !own.contains(key) {
            guard event.columns[key] == nil, event.constants[key] == nil else {
                let names = fields.map(\.key.wireName).joined(separator: ", ")
                throw RowMappingProblem(
                    "`\(type)` has no key `\(key.wireName)`; its keys are \(names)", key: key)
            }
        }
        for field in fields {
            let name = field.key.wireName
            let (column, constant) = (event.columns[field.key], event.constants[field.key])
            if column != nil, constant != nil {
                throw RowMappingProblem(
                    "`\(name)` has a column and a constant: give one of them", key: field.key)
            }
            if field.isRequired, column == nil, constant == nil, field.key != .at {
                throw RowMappingProblem(
                    "`\(type)` needs a column or a constant for `\(name)`", key: field.key)
            }
            if let constant { _ = try RowConstant(constant, of: field, forms) }
        }
    }
}

/// A problem of a mapping.
public struct RowMappingProblem: Error, Hashable, Sendable {
    /// What was seen, and what was expected; control characters are escaped.
    public var message: String
    /// The key with the problem, or `nil` if the problem isn't about one key.
    public var key: Key?

    init(_ message: String, key: Key? = nil) {
        self.message = message
        self.key = key
    }
}

/// A constant, as the bytes of its value in a line.
struct RowConstant: Sendable {
    let bytes: [UInt8]
    /// The time, if the value is a time.
    let time: Timestamp?

    init(_ text: String, of field: Field, _ forms: RowForms) throws(RowMappingProblem) {
        var buffer = LineBuffer()
        let bytes = Array(text.utf8)
        let problem = bytes.withUnsafeBytes {
            CellValue.append($0, of: field.key, field.kind, forms, to: &buffer)
        }
        if let problem {
            throw RowMappingProblem("`\(field.key.wireName)`: \(problem)", key: field.key)
        }
        self.bytes = Array(buffer.written)
        time = field.kind == .time ? bytes.withUnsafeBytes { forms.times.time($0) } : nil
    }
}

extension RowMapping {
    /// A time zone such as `Z`, `+01:00`, `+0100` or `+01`, in minutes east of UTC; `nil` for any
    /// other text.
    public static func zone(_ text: String) -> Int64? { RowTime.zone(Array(text.utf8)) }
}
