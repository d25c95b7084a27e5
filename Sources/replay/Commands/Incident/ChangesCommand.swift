import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay changes`: shows the history of answers, line by line.
struct ChangesCommand: ToolCommand {
    static let name = "changes"
    static let operands = [
        Operand(name: "PROJECTION", values: .oneOf(ProjectionCatalogue.all.map { $0.name })), .logs,
    ]
    static let options: [Option] = [
        .format([.text, .json]), .accountOfRows, .asOf, .untilSeq, .until, .threads,
    ]

    let projection: any Projection.Type
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        projection = try given.first { ProjectionCatalogue.find($0) }
        input = try LogArguments(given, skipping: 1)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try LogInMemory(input, session) else { return .undetermined }
        let changes = try RowChanges(
            projection, in: log.lines, asOf: input.instant,
            threads: input.threads ?? session.host.cores)
        if let account = input.account, !changes.names(account: account) {
            session.tell("no line names the account `\(account.escaped)`")
        }
        let isJSON = input.format == .json
        let all = try changes.map(account: input.account) { change in
            (line: change.line, text: isJSON ? ChangeJSON.members(change) : ChangeText.text(change))
        }
        let decoder = LineDecoder()
        var line = 0
        var event: Event<Written>?
        for change in all {
            if change.line != line {
                line = change.line
                event = log.lines.event(line, decoder)
                if !isJSON { try session.output.line(ChangeText.heading(line, event, session)) }
            }
            try session.output.line(
                isJSON ? ChangeJSON.text(line, event, change.text) : change.text)
        }
        return log.isUnderstood ? .well : .undetermined
    }
}

private enum ChangeJSON {
    /// The members that describe the change, without braces.
    static func members(_ change: RowEvent) -> String {
        let changes = change.changes
        var members = "\"row\":\(RowJSON.text(of: change.identity?.fields ?? []))"
        if change.before != nil {
            let before = changes.compactMap { RowField($0.key, $0.before) }
            members += ",\"before\":\(RowJSON.text(of: before))"
        }
        if change.after != nil {
            let after = changes.compactMap { RowField($0.key, $0.after) }
            members += ",\"after\":\(RowJSON.text(of: after))"
        }
        return members
    }

    static func text(_ line: Int, _ event: Event<Written>?, _ members: String) -> String {
        var object = JSONText()
        object.add("line", line)
        object.add("seq", event?.seq)
        object.add("at", event?.at.text)
        return "\(object.text.dropLast()),\(members)}"
    }
}

/// Changes for human readers: the line and its event, then each row with its changed keys.
private enum ChangeText {
    static func heading(_ line: Int, _ event: Event<Written>?, _ session: ToolSession) -> String {
        let number = TextFormat.right(line, 4)
        guard let event else { return "\(number)  not understood" }
        let words = EventWords.words(event).escaped
        return "\(number)  \(TextFormat.second(event.at))  \(session.style.strong(words))"
    }

    static func text(_ change: RowEvent) -> String {
        let identity = change.identity?.fields ?? []
        let names = identity.map { "\($0.key) \(value($0.value))" }.joined(separator: ", ")
        let row = names.isEmpty ? "no account" : names
        var changes = change.changes
        let verb = change.before == nil ? "appears" : change.after == nil ? "vanishes" : "changes"
        if change.before == nil || change.after == nil {
            changes.removeAll { one in identity.contains { $0.key == one.key } }
        }
        let lines = changes.map { one in
            let (before, after) = values(one)
            if change.before == nil { return "          \(one.key): \(after)" }
            return "          \(one.key): \(before) → \(after)"
        }
        return (["      \(verb): \(row)"] + (change.after == nil ? [] : lines))
            .joined(separator: "\n")
    }

    /// The value before and the value after; of two lists, only the elements that differ, with `…`
    /// in the place of those that are the same at the beginning and at the end.
    private static func values(_ change: RowChange) -> (before: String, after: String) {
        guard case .list(let before) = change.before, case .list(let after) = change.after else {
            return (change.before.map(value) ?? "-", change.after.map(value) ?? "-")
        }
        let (old, new) = (before.map(RowJSON.text(of:)), after.map(RowJSON.text(of:)))
        let isSame = { (pair: (String, String)) in pair.0.isSame(as: pair.1) }
        let first = zip(old, new).prefix(while: isSame).count
        let rest = zip(old.dropFirst(first).reversed(), new.dropFirst(first).reversed())
        let last = rest.prefix(while: isSame).count
        let dots = (first: first > 0 ? ["…"] : [], last: last > 0 ? ["…"] : [])
        let texts = [old, new].map { list in
            (dots.first + list.dropFirst(first).dropLast(last) + dots.last).joined(separator: ",")
        }
        return ("[\(texts[0])]".escaped, "[\(texts[1])]".escaped)
    }

    private static func value(_ value: RowValue) -> String { ReasonWords.value(value).escaped }
}
