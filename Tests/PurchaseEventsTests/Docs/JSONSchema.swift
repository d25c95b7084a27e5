import PurchaseEvents
import PurchaseProjections

@testable import replay

/// A JSON value of a schema, whose objects keep the order of their keys.
indirect enum SchemaValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([SchemaValue])
    case object([(String, SchemaValue)])

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }

    /// The value as JSON; objects have one key a line.
    func text(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .text(let text): return JSONText.string(text)
        case .number(let number): return String(number)
        case .flag(let flag): return flag ? "true" : "false"
        case .list(let values):
            return "[" + values.map { $0.text(indent: indent) }.joined(separator: ", ") + "]"
        case .object(let members):
            let lines = members.map { key, value in
                "\(inner)\(JSONText.string(key)): \(value.text(indent: inner))"
            }
            return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
    }
}

/// The JSON Schemas in `docs/schema`, made from the lists that the code reads and writes by.
enum JSONSchema {
    /// A whole schema file.
    static func file(
        _ name: String, _ title: String, _ members: [(String, SchemaValue)]
    ) -> String {
        let heading: [(String, SchemaValue)] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("$id", .text("\(Tool.home)/blob/main/docs/schema/\(name).schema.json")),
            ("title", .text(title)), ("type", "object"),
        ]
        return SchemaValue.object(heading + members).text() + "\n"
    }

    /// The schema of an event's line.
    static var event: String {
        let types = EventType.allCases.map { type in
            var then: [(String, SchemaValue)] = [
                ("properties", properties(of: type.schema)),
                ("required", required(of: type.schema)),
            ]
            if type == .queueFinished || type == .queueRemoved {
                let either = ["transaction", "payment"].map { key in
                    SchemaValue.object([("required", .list([.text(key)]))])
                }
                then.append(("oneOf", .list(either)))
            }
            return SchemaValue.object([
                (
                    "if",
                    .object([
                        (
                            "properties",
                            .object([("type", .object([("const", .text(type.wireName))]))])
                        )
                    ])
                ), ("then", .object(then)),
            ])
        }
        let names = EventType.allCases.map { SchemaValue.text($0.wireName) }
        guard case .object(var keys) = properties(of: EventType.envelope) else { return "" }
        keys = keys.map { $0.0 == "type" ? ("type", .object([("enum", .list(names))])) : $0 }
        keys.append(("chain", .object([("type", "string"), ("pattern", "^[0-9a-f]{64}$")])))
        return file(
            "event", "A line of a purchase event log, format 1",
            [
                ("properties", .object(keys)), ("required", required(of: EventType.envelope)),
                ("allOf", .list(types)),
            ])
    }

    private static func properties(of fields: [Field]) -> SchemaValue {
        .object(fields.map { ($0.key.wireName, kind($0.kind)) })
    }

    private static func required(of fields: [Field]) -> SchemaValue {
        .list(fields.filter(\.isRequired).map { .text($0.key.wireName) })
    }

    /// The schema of a kind of value.
    static func kind(_ kind: FieldKind) -> SchemaValue {
        switch kind {
        case .name, .id:
            .object([
                ("type", "string"), ("minLength", .number(1)), ("maxLength", .number(255)),
                ("pattern", #"^[^\u0000-\u001f\u007f-\u009f]*$"#),
            ])
        case .text: .object([("type", "string"), ("maxLength", .number(4096))])
        case .time: time
        case .flag: flag
        case .currency: .object([("type", "string"), ("pattern", "^[A-Z]{3}$")])
        case .integer(let range):
            .object([
                ("type", "integer"), ("minimum", .number(range.lowerBound)),
                ("maximum", .number(range.upperBound)),
            ])
        case .word(let words): .object([("enum", .list(words.map { .text($0) }))])
        }
    }

    static let string = SchemaValue.object([("type", "string")])
    static let flag = SchemaValue.object([("type", "boolean")])
    static let integer = SchemaValue.object([("type", "integer")])
    static let amounts = SchemaValue.object([
        ("type", "object"), ("additionalProperties", integer),
    ])
    /// What a reader takes; a writer writes three decimals and `Z`.
    static let time = SchemaValue.object([
        ("type", "string"),
        (
            "pattern",
            #"^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$"#
        ),
    ])

    static func list(of items: SchemaValue) -> SchemaValue {
        .object([("type", "array"), ("items", items)])
    }

    /// An object that has no other keys.
    static func closed(_ keys: [(String, SchemaValue)], required: [String]) -> [(
        String, SchemaValue
    )] {
        [
            ("properties", .object(keys)), ("required", .list(required.map { .text($0) })),
            ("additionalProperties", false),
        ]
    }

    /// The schema of a finding, or of a line that wasn't understood, as `check --format=json`
    /// prints them.
    static var finding: String {
        let count = SchemaValue.object([("type", "integer"), ("minimum", .number(1))])
        let note = SchemaValue.object(
            [("type", "object")]
                + closed(
                    [("path", string), ("line", count), ("message", string)],
                    required: ["line", "message"]))
        let either = ["rule", "diagnostic"].map { key in
            SchemaValue.object([("required", .list([.text(key)]))])
        }
        let codes = DiagnosticCode.allCases.map { SchemaValue.text($0.rawValue) }
        let levels = Level.allCases.map { SchemaValue.text($0.rawValue) }
        return file(
            "finding", "A finding, or a line that was not understood, of `check --format=json`",
            closed(
                [
                    ("rule", string), ("diagnostic", .object([("enum", .list(codes))])),
                    ("level", .object([("enum", .list(levels))])), ("path", string),
                    ("line", count), ("byte", count), ("seq", integer), ("account", string),
                    ("key", string), ("message", string), ("notes", list(of: note)),
                    ("hint", string), ("stake", amounts),
                ], required: ["level", "path", "line", "message"])
                + [("oneOf", .list(either))])
    }

    /// The schema of a verdict, as `check --verbose --format=json` prints it.
    static var verdict: String {
        let verdicts = Verdict.allCases.map { SchemaValue.text($0.rawValue) }
        let count = SchemaValue.object([("type", "integer"), ("minimum", .number(0))])
        return file(
            "verdict", "The verdict of a rule, of `check --verbose --format=json`",
            closed(
                [
                    ("rule", string), ("verdict", .object([("enum", .list(verdicts))])),
                    ("tested", count), ("findings", count), ("because", list(of: string)),
                ], required: ["rule", "verdict", "tested", "findings"]))
    }
}
