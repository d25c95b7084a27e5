import PurchaseEvents

extension RowMapping {
    /// Reads a mapping from JSON; docs/reconcile.md lists the keys.
    ///
    /// Throws ``RowMappingProblem`` with the place in the document, such as `events[1].columns`.
    public init(json: [UInt8]) throws(RowMappingProblem) {
        let document = try RowMapping.document(json)
        let top = try MappingObject(
            document, "", ["zone", "amounts", "where", "unless", "columns", "set", "events"])
        let shared = (try top.keys("columns"), try top.keys("set"))
        let filter = try RowMapping.conditions(top)
        var zone: Int64?
        if let text = try top.text("zone") {
            zone = RowTime.zone(Array(text.utf8))
            guard zone != nil else {
                throw top.problem("zone", "expected a zone such as +01:00, seen `\(text)`")
            }
        }
        var amounts = AmountUnit.thousandths
        if let text = try top.text("amounts") {
            guard let unit = AmountUnit(rawValue: text) else {
                throw top.problem("amounts", "expected units, cents or thousandths, seen `\(text)`")
            }
            amounts = unit
        }
        guard let elements = document["events"]?.elements else {
            throw top.problem("events", "expected an array of objects")
        }
        var events: [EventMapping] = []
        for (index, element) in elements.enumerated() {
            var event = try RowMapping.event(element, "events[\(index)]", shared)
            event.conditions = filter + event.conditions
            events.append(event)
        }
        do throws(RowMappingProblem) {
            try self.init(events: events, zone: zone, amounts: amounts)
        } catch {
            throw top.problem("events", error.message)
        }
    }

    private static func document(_ json: [UInt8]) throws(RowMappingProblem) -> JSONValue {
        var (found, problem) = (Result<JSONValue, RowMappingProblem>?.none, JSONProblem?.none)
        JSONReader.read(json) { part in
            switch part {
            case .document(let value) where found == nil: found = .success(value)
            case .problem(let next, _): problem = problem ?? next
            case .document, .emptyArray: found = .failure(RowMappingProblem("expected one object"))
            }
        }
        if let problem {
            let line = BytePlaces(of: json).place(of: problem.offset).line
            throw RowMappingProblem("line \(line): \(problem.message)")
        }
        guard let found else { throw RowMappingProblem("expected an object, seen nothing") }
        return try found.get()
    }

    private static func event(
        _ value: JSONValue, _ path: String, _ shared: (columns: [Key: String], set: [Key: String])
    ) throws(RowMappingProblem) -> EventMapping {
        let object = try MappingObject(value, path, ["type", "where", "unless", "columns", "set"])
        guard let name = try object.text("type") else {
            throw object.problem("type", "expected the type of an event")
        }
        guard let type = EventType(wireName: name) else {
            throw object.problem("type", "no type is called `\(name)`")
        }
        var columns = try object.keys("columns")
        var constants = try object.keys("set")
        for key in fields(of: type).map(\.key) where columns[key] == nil && constants[key] == nil {
            columns[key] = shared.columns[key]
            constants[key] = shared.set[key]
        }
        return EventMapping(
            type: type, columns: columns, constants: constants, conditions: try conditions(object))
    }

    private static func conditions(
        _ object: MappingObject
    ) throws(RowMappingProblem) -> [Condition] {
        var conditions: [Condition] = []
        for key in ["where", "unless"] {
            for member in try object.members(key) {
                let values = member.value.elements ?? [member.value]
                let texts = values.compactMap(\.plainText)
                guard !texts.isEmpty, texts.count == values.count else {
                    throw object.problem(
                        "\(key).\(member.key)", "expected a text or an array of texts")
                }
                conditions.append(
                    Condition(column: member.key, values: texts, isNegated: key == "unless"))
            }
        }
        return conditions
    }
}

/// An object of a mapping, whose keys are all known.
private struct MappingObject {
    private let value: JSONValue
    private let path: String

    init(_ value: JSONValue, _ path: String, _ known: [String]) throws(RowMappingProblem) {
        self.value = value
        self.path = path
        guard let members = value.members else {
            throw problem(nil, "expected an object, seen \(value.kindWords)")
        }
        var seen: Set<String> = []
        for member in members {
            guard known.contains(member.key) else {
                throw problem(
                    member.key, "unknown; expected one of \(known.joined(separator: ", "))")
            }
            guard seen.insert(member.key).inserted else { throw problem(member.key, "seen twice") }
        }
    }

    func problem(_ key: String?, _ message: String) -> RowMappingProblem {
        let place = [path, key ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
        return RowMappingProblem(
            EscapedText.escape(place.isEmpty ? message : "\(place): \(message)"))
    }

    func text(_ key: String) throws(RowMappingProblem) -> String? {
        guard let found = value[key] else { return nil }
        guard case .string(let text) = found.content else {
            throw problem(key, "expected a string, seen \(found.kindWords)")
        }
        return text
    }

    func members(_ key: String) throws(RowMappingProblem) -> [JSONValue.Member] {
        guard let found = value[key] else { return [] }
        guard let members = found.members else {
            throw problem(key, "expected an object, seen \(found.kindWords)")
        }
        return members
    }

    /// The texts of an object whose keys are event keys.
    func keys(_ key: String) throws(RowMappingProblem) -> [Key: String] {
        var texts: [Key: String] = [:]
        for member in try members(key) {
            guard let named = RowMapping.keys.first(where: { $0.wireName == member.key }) else {
                throw problem("\(key).\(member.key)", "no event has this key")
            }
            guard let text = member.value.plainText else {
                throw problem(
                    "\(key).\(member.key)", "expected a text, seen \(member.value.kindWords)")
            }
            guard texts.updateValue(text, forKey: named) == nil else {
                throw problem("\(key).\(member.key)", "seen twice")
            }
        }
        return texts
    }
}
