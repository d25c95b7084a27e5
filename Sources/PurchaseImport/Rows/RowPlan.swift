import PurchaseEvents

/// A mapping applied to the columns of one file: the cell or the constant for each key of an event.
struct RowPlan: Sendable {
    /// The origin of a key's value.
    enum Origin: Sendable {
        case column(Int)
        case constant(RowConstant)
    }

    /// A key of an event.
    struct Step: Sendable {
        let field: Field
        /// The key as written in a line, with the preceding comma.
        let key: [UInt8]
        let origin: Origin
    }

    /// A kind of event to write.
    struct Event: Sendable {
        let type: EventType
        /// For each condition, the cell and its allowed values.
        let conditions: [(column: Int, values: [[UInt8]])]
        let at: Origin?
        let id: Origin?
        /// The keys after `id`, in canonical order.
        let steps: [Step]
    }

    let format: RowFormat
    /// The name of the file in remarks, and its number.
    let file: (name: String, index: Int)
    /// The names of the columns, as text and as bytes.
    let columns: [String], names: [[UInt8]]
    /// False for each column of JSON lines, whose rows may lack columns; empty for other formats.
    let unseen: [Bool]
    let events: [Event]
    let times: RowTime
    let recordedAt: Timestamp?

    /// Creates a plan for a file.
    ///
    /// - Parameter header: The column names of a CSV or TSV file. JSON lines have the columns of
    ///   the mapping.
    /// - Throws: ``RowMappingProblem`` for a column that the file lacks or has twice.
    init(
        _ mapping: RowMapping, _ format: RowFormat, header: [String]?,
        file: (name: String, index: Int), recordedAt: Timestamp?
    ) throws(RowMappingProblem) {
        var named = Set(mapping.events.flatMap { $0.columns.values })
        named.formUnion(mapping.events.flatMap { $0.conditions.map(\.column) })
        let columns = header ?? named.sorted()
        let places = Dictionary(grouping: columns.indices) { columns[$0] }
        for name in named.sorted() {
            let count = places[name]?.count ?? 0
            guard count == 1 else {
                let shown = columns.prefix(40).map { "`\(EscapedText.escape($0))`" }
                throw RowMappingProblem(
                    "expected a column `\(EscapedText.escape(name))`, seen "
                        + (count == 0 ? shown.joined(separator: ", ") : "\(count) of this name"))
            }
        }
        var events: [Event] = []
        for event in mapping.events {
            events.append(try RowPlan.event(event, places, mapping.zone))
        }
        (self.format, self.file, self.columns) = (format, file, columns)
        self.names = columns.map { Array($0.utf8) }
        unseen = format == .jsonLines ? columns.map { _ in false } : []
        self.events = events
        self.recordedAt = recordedAt
        times = RowTime(zone: mapping.zone)
    }

    private static func event(
        _ event: RowMapping.Event, _ places: [String: [Int]], _ zone: Int64?
    ) throws(RowMappingProblem) -> Event {
        var origins: [Key: Origin] = [:]
        var steps: [Step] = []
        for field in RowMapping.fields(of: event.type) {
            let key = field.key
            if let column = event.columns[key].flatMap({ places[$0]?.first }) {
                origins[key] = .column(column)
            } else if let constant = event.constants[key] {
                origins[key] = .constant(try RowConstant(constant, of: field, zone))
            }
            guard let origin = origins[key], key != .at, key != .id else { continue }
            steps.append(
                Step(field: field, key: Array(",\"\(key.wireName)\":".utf8), origin: origin))
        }
        let conditions = event.conditions.compactMap { condition in
            places[condition.column]?.first.map { index in
                (column: index, values: condition.values.map { Array($0.utf8) })
            }
        }
        return Event(
            type: event.type, conditions: conditions, at: origins[.at], id: origins[.id],
            steps: steps)
    }
}
