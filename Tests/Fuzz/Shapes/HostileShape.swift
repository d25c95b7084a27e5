/// An input that nests or repeats one thing many times, which a careless reader is slow to read, or
/// recurses on until its stack overflows.
struct HostileShape: Sendable {
    /// The fuzz target that reads an input.
    enum Reader: String, CaseIterable, Sendable {
        case certificates, messages, payloads, json, imports = "import", rows, mappings, rules
    }

    let name: String
    let reader: Reader
    /// Whether the size of the input grows like the count; other inputs nest at most a few times,
    /// because each level multiplies their size.
    let grows: Bool
    /// The input with a number of levels or repetitions.
    let bytes: @Sendable (Int) -> [UInt8]

    init(
        _ reader: Reader, _ name: String, grows: Bool = true,
        _ bytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        (self.name, self.reader, self.grows, self.bytes) = (name, reader, grows, bytes)
    }

    /// A shape that repeats a text between a beginning and an end.
    init(
        _ reader: Reader, _ name: String, _ unit: String, after beginning: String = "",
        before end: String = ""
    ) {
        self.init(reader, name) { count in
            var bytes = Array(beginning.utf8)
            let unit = Array(unit.utf8)
            bytes.reserveCapacity(bytes.count + unit.count * count + end.utf8.count)
            for _ in 0..<count { bytes += unit }
            return bytes + Array(end.utf8)
        }
    }

    /// All shapes: nesting of every kind, then long runs of each separator for each reader of text.
    static let all = nested + runs

    /// Nesting of every kind.
    static let nested =
        MessageShapes.all + [
            HostileShape(.payloads, "payloads in payloads", grows: false) { count in
                JWSShape.nested(min(count, 12))
            },
            HostileShape(.imports, "payloads in payloads", grows: false) { count in
                JWSShape.nested(min(count, 12))
            },
            HostileShape(.imports, "bodies in bodies", grows: false) { count in
                JWSShape.bodies(min(count, 12))
            },
            HostileShape(.imports, "receipts in requests in receipts", grows: false) { count in
                MessageShapes.requests(min(count, 12))
            },
            HostileShape(.imports, "objects that don't end", "{\"a\":[\n"),
            HostileShape(
                .imports, "lines in objects that don't end", "{},\n",
                after: String(repeating: "{\"a\":[\n", count: 63)),
            HostileShape(
                .rows, "dropped lines and rows", "a\"b,\"c\nx,y,1\n", after: "a,b,c\n"),
            HostileShape(.rows, "lines after a quote", "x,y,1\n", after: "a,b,c\n\""),
            HostileShape(.mappings, "lines that aren't JSON", "{\"a\"\n"),
            HostileShape(.rules, "parentheses, one a line", "(\n", after: values),
            HostileShape(
                .rules, "values in parentheses", "v,\n", after: values + "(", before: "v)"),
            HostileShape(
                .rules, "conditions", "device != d and\n", after: "rule a: note\neach * where "),
            HostileShape(
                .rules, "clauses", " and\nafter app.launched of the same device",
                after: "rule a: note\neach app.opened after app.opened"),
        ]
        + [Reader.json, .imports, .rows, .mappings, .rules].flatMap { reader in
            let key = reader == .rows ? "{\"a\":" : ""
            return [
                HostileShape(reader, "arrays in arrays", "[", after: key),
                HostileShape(reader, "objects in objects", "{\"a\":"),
                HostileShape(reader, "both, one a line", "{\"a\":[\n"),
            ]
        }

    private static let values = "rule a: note\neach app.launched where device in "

    private static let separators = [
        ("commas", ","), ("quotes", "\""), ("carriage returns", "\r"), ("ends of line", "\n"),
        ("both ends of line", "\r\n"), ("tabs", "\t"), ("semicolons", ";"), ("spaces", " "),
        ("colons", ":"), ("dots", "."), ("equals signs", "="), ("hyphens", "-"), ("digits", "0"),
        ("closing brackets", "]"), ("closing braces", "}"), ("parentheses", "("),
        ("backslashes", "\\"), ("comments", "#"), ("bytes of no text", "\u{0}"),
        ("quotes in cells and cells in quotes", "a\"b,\"c"), ("cells in quotes", ",\"a\""),
        ("doubled quotes", "\"\""), ("empty objects", "{}"), ("empty texts", "\"\","),
        ("payloads", "eyJ.a.b"), ("receipts", "MIIBBBBBBBBBBBBB"),
    ]

    /// Long runs of each separator.
    static let runs = [Reader.json, .imports, .rows, .mappings, .rules].flatMap { reader in
        let header = reader == .rows ? "a,b,c\n" : ""
        return separators.flatMap { name, unit in
            [
                HostileShape(reader, name, unit, after: header),
                HostileShape(reader, "\(name), one a line", unit + "\n", after: header),
                HostileShape(
                    reader, "\(name) in a text", unit, after: "{\"a\":\"", before: "\"}"),
            ]
        }
    }
}

#if SHAPES
    import Foundation

    /// Writes the shapes to files for the scripts: `shapes FOLDER COUNT READER...`.
    @main enum WriteShapes {
        static func main() throws {
            let arguments = CommandLine.arguments
            guard arguments.count > 3, let count = Int(arguments[2]) else {
                throw CocoaError(.featureUnsupported)
            }
            for shape in HostileShape.all where arguments[3...].contains(shape.reader.rawValue) {
                let name = shape.name.replacing(" ", with: "-").replacing(",", with: "")
                try Data(shape.bytes(count)).write(
                    to: URL(filePath: "\(arguments[1])/\(shape.reader.rawValue)-\(name)"))
            }
        }
    }
#endif
