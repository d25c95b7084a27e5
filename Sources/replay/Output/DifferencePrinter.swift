import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Prints differences between two logs as text or as JSON, and counts them.
struct DifferencePrinter {
    private let session: ToolSession
    /// The names of the first and of the second log.
    private let names: [String]
    private let isJSON: Bool
    private var rows = 0, findings = 0, lines = 0

    init(_ session: ToolSession, names: [String], _ format: OutputFormat) {
        (self.session, self.names) = (session, names)
        isJSON = format == .json
    }

    var hasDifferences: Bool { rows + findings + lines > 0 }

    var summary: String {
        "\(rows.counted("row")), \(findings.counted("finding")) and \(lines.counted("line")) differ"
    }

    mutating func write(_ difference: LogDifference) throws {
        switch difference {
        case .row(let row):
            rows += 1
            try session.output.line(isJSON ? json(row) : text(row))
        case .finding(let finding, let presence):
            findings += 1
            try session.output.line(isJSON ? json(finding, presence) : text(finding, presence))
        case .line(let number, let bytes, let presence):
            lines += 1
            let line = String(decoding: bytes, as: UTF8.self)
            try session.output.line(
                isJSON
                    ? json(number, line, presence)
                    : "\(sign(presence)) \(place(number, presence)): \(line.escaped)")
        }
    }

    private func sign(_ presence: LogDifference.Presence?) -> String {
        switch presence {
        case .appears: "+"
        case .vanishes: "-"
        case nil: "~"
        }
    }

    private func name(_ presence: LogDifference.Presence) -> String {
        presence == .vanishes ? names[0] : names[1]
    }

    private func place(_ line: Int, _ presence: LogDifference.Presence) -> String {
        "\(name(presence).escaped):\(line)"
    }

    private func text(_ row: RowDifference) -> String {
        let heading = "\(sign(row.presence)) \(row.projection)"
        guard row.presence == nil else {
            let members = (row.before + row.after).map { "\($0.key)=\(plain($0.text))" }
            return ([heading] + members).joined(separator: " ")
        }
        let key = row.key.map { "\($0.key)=\(plain($0.text))" }
        let changed = row.before.map(\.key)
        let keys = changed + row.after.map(\.key).filter { !changed.contains($0) }
        let changes = keys.map { key in
            let (before, after) = (value(of: key, in: row.before), value(of: key, in: row.after))
            return "\(key) \(before) → \(after)"
        }
        return ([heading] + key).joined(separator: " ") + ": " + changes.joined(separator: ", ")
    }

    private func value(of key: String, in members: [RowDifference.Member]) -> String {
        members.first { $0.key == key }.map { plain($0.text) } ?? "none"
    }

    /// A simple JSON string without its quotes; any other JSON stays unchanged.
    private func plain(_ text: String) -> String {
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 2 else { return text }
        let inner = text.dropFirst().dropLast()
        let isSimple = inner.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x3D }
        return isSimple ? String(inner) : text
    }

    private func text(_ finding: Finding, _ presence: LogDifference.Presence) -> String {
        "\(sign(presence)) \(place(Int(finding.line), presence)): \(finding.level.rawValue): "
            + "[\(finding.rule)] \(finding.message.escaped)"
    }

    private func json(_ row: RowDifference) -> String {
        var object = JSONText()
        object.add("diff", "row")
        object.add("change", row.presence?.rawValue ?? "changes")
        object.add("show", row.projection)
        if row.presence == nil { object.add("key", raw: json(row.key)) }
        if row.presence != .appears { object.add("before", raw: json(row.before)) }
        if row.presence != .vanishes { object.add("after", raw: json(row.after)) }
        return object.text
    }

    private func json(_ members: [RowDifference.Member]) -> String {
        var object = JSONText()
        for member in members { object.add(member.key, raw: member.text) }
        return object.text
    }

    private func json(_ finding: Finding, _ presence: LogDifference.Presence) -> String {
        var object = JSONText()
        object.add("diff", "finding")
        object.add("change", presence.rawValue)
        object.add("rule", finding.rule)
        object.add("level", finding.level.rawValue)
        object.add("path", name(presence))
        object.add("line", Int(finding.line))
        object.add("seq", finding.seq)
        object.add("account", finding.account)
        object.add("key", finding.key)
        object.add("message", finding.message)
        return object.text
    }

    private func json(_ number: Int, _ line: String, _ presence: LogDifference.Presence) -> String {
        var object = JSONText()
        object.add("diff", "line")
        object.add("change", presence.rawValue)
        object.add("path", name(presence))
        object.add("line", number)
        object.add("text", line)
        return object.text
    }
}
