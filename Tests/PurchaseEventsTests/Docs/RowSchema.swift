import PurchaseEvents
import PurchaseProjections

/// The keys and kinds of a projection's rows, collected from rows.
///
/// A row writes all its keys, also those without a value, so one row tells all of them. Only the
/// keys of the objects in a list need a row whose list isn't empty.
struct RowSchema: RowWriter {
    private var keys: [String] = []
    private var kinds: [String: SchemaValue] = [:]
    private var lists: [String: RowSchema] = [:], objects: [String: RowSchema] = [:]

    /// The schema's members.
    var members: [(String, SchemaValue)] {
        let properties = keys.map { key in
            if let object = objects[key] {
                return (key, SchemaValue.object([("type", "object")] + object.members))
            }
            if let list = lists[key] {
                let object = SchemaValue.object([("type", "object")] + list.members)
                return (key, JSONSchema.list(of: object))
            }
            return (key, kinds[key] ?? JSONSchema.string)
        }
        return JSONSchema.closed(properties, required: [])
    }

    private mutating func add(_ key: StaticString, _ kind: SchemaValue) {
        if kinds.updateValue(kind, forKey: key.description) == nil { keys.append(key.description) }
    }

    mutating func write(_ key: StaticString, _ text: String?) { add(key, JSONSchema.string) }
    mutating func write(_ key: StaticString, _ number: Int64?) { add(key, JSONSchema.integer) }
    mutating func write(_ key: StaticString, _ flag: Bool?) { add(key, JSONSchema.flag) }
    mutating func write(_ key: StaticString, _ time: Timestamp?) { add(key, JSONSchema.time) }

    mutating func write(_ key: StaticString, _ texts: [String]) {
        add(key, JSONSchema.list(of: JSONSchema.string))
    }

    mutating func write(_ key: StaticString, _ amounts: [AccountRow.Amount]) {
        add(key, JSONSchema.amounts)
    }

    mutating func write(_ key: StaticString, _ body: (inout RowSchema) -> Void) {
        add(key, JSONSchema.string)
        body(&objects[key.description, default: RowSchema()])
    }

    mutating func write<Element>(
        _ key: StaticString, _ elements: [Element], _ body: (Element, inout RowSchema) -> Void
    ) {
        add(key, JSONSchema.list(of: JSONSchema.string))
        var list = lists[key.description] ?? RowSchema()
        for element in elements { body(element, &list) }
        lists[key.description] = list
    }
}
