import PurchaseEvents

/// A mapping applied to the columns of one file: the cell or the constant for each key of an event.
struct RowPlan: Sendable {
    enum Origin: Sendable {
        case column(Int)
        case constant(RowConstant)
    }

    struct Step: Sendable {
        let field: Field
        /// The key as written in a line, with the preceding comma.
        let key: [UInt8]
        let origin: Origin
    }

    struct EventPlan: Sendable {
        let type: EventType
        /// For each condition, the cell, its values, and whether it must have none of them.
        let conditions: [(column: Int, values: [[UInt8]], isNegated: Bool)]
        let at: Origin?
        let id: Origin?
        /// The keys after `id`, in canonical order.
        let steps: [Step]

        var columns: [Int] {
            ([at, id] + steps.map(\.origin)).compactMap { origin in
                if case .column(let column) = origin { column } else { nil }
            } + conditions.map(\.column)
        }
    }

    let format: RowFormat
    /// The name of the file in remarks, and its number.
    let file: (name: String, index: Int)
    /// The names of the columns, and for JSON lines the keys below keys that they may stand for.
    let columns: [String], paths: [[String]]
    /// False for each column of JSON lines, whose rows may lack columns; empty for other formats.
    let unseen: [Bool]
    let events: [EventPlan]
    let forms: RowForms
    let recordedAt: Timestamp?

    /// `header` are the column names of a CSV or TSV file; JSON lines have those of the mapping.
    /// Throws for a column that the file lacks or has twice.
    init(
        _ mapping: RowMapping, _ format: RowFormat, header: [String]?,
        file: (name: String, index: Int), recordedAt: Timestamp?
    ) throws(RowMappingProblem) {
        var named = Set(mapping.events.flatMap { $0.columns.values })
        named.formUnion(mapping.events.flatMap { $0.conditions.map(\.column) })
        let columns = header ?? named.sorted()
        let places = Dictionary(grouping: columns.indices) { columns[$0] }
        for name in named.sorted() {
            guard places[name]?.count == 1 else {
                throw RowMappingProblem(RowCells.problem(ofColumn: name, in: columns))
            }
        }
        var events: [EventPlan] = []
        for event in mapping.events {
            events.append(try RowPlan.event(event, places, mapping.forms))
        }
        (self.format, self.file, self.columns) = (format, file, columns)
        paths = columns.map { $0.split(separator: ".").map(String.init) }
        unseen = format == .jsonLines ? columns.map { _ in false } : []
        self.events = events
        self.recordedAt = recordedAt
        forms = mapping.forms
    }

    private static func event(
        _ event: RowMapping.EventMapping, _ places: [String: [Int]], _ forms: RowForms
    ) throws(RowMappingProblem) -> EventPlan {
        var origins: [Key: Origin] = [:]
        var steps: [Step] = []
        for field in RowMapping.fields(of: event.type) {
            let key = field.key
            if let column = event.columns[key].flatMap({ places[$0]?.first }) {
                origins[key] = .column(column)
            } else if let constant = event.constants[key] {
                origins[key] = .constant(try RowConstant(constant, of: field, forms))
            }
            guard let origin = origins[key], key != .at, key != .id else { continue }
            steps.append(
                Step(field: field, key: Array(",\"\(key.wireName)\":".utf8), origin: origin))
        }
        let conditions = event.conditions.compactMap { condition in
            places[condition.column]?.first.map { index in
                (index, condition.values.map { Array($0.utf8) }, condition.isNegated)
            }
        }
        return EventPlan(
            type: event.type, conditions: conditions, at: origins[.at], id: origins[.id],
            steps: steps)
    }
}
