import PurchaseEvents
import PurchaseIncidents

/// `replay edit`: prints a log with lines dropped, changed, inserted or moved.
struct EditCommand: ToolCommand {
    static let name = "edit"
    static let operands = [Operand.log]
    static let options: [Option] = [.drop, .setKey, .insert, .move]

    let edits: [LogEdit]
    private let editor: LogEditor
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        var edits: [LogEdit] = []
        for (option, value) in given.all([.drop, .setKey, .insert, .move]) {
            guard let edit = EditCommand.edit(option, value) else {
                throw UsageError(
                    "`--\(option.name)`: expected \(option.value ?? "a value") with lines from 1, "
                        + "seen `\(value)`")
            }
            edits.append(edit)
        }
        self.edits = edits
        do throws(EditProblem) {
            editor = try LogEditor(edits)
        } catch {
            throw UsageError("\(error)")
        }
        input = try LogArguments(given)
    }

    private static func edit(_ option: Option, _ value: String) -> LogEdit? {
        if option.name == Option.drop.name {
            let ends = value.parts(around: "-")
            guard let first = line(ends[0]), let last = line(ends[ends.count - 1]), first <= last
            else { return nil }
            return .drop(first...last)
        }
        let parts = value.parts(around: ":")
        guard parts.count == 2, let place = line(parts[0]) else { return nil }
        switch option.name {
        case Option.move.name: return line(parts[1]).map { .move(line: place, before: $0) }
        case Option.insert.name: return .insert(before: place, json: parts[1])
        case _:
            let members = parts[1].parts(around: "=")
            guard members.count == 2, !members[0].isEmpty else { return nil }
            return .set(line: place, key: members[0], value: members[1])
        }
    }

    /// A line number of at most 15 digits, counted from 1; `nil` for any other text.
    private static func line(_ text: String) -> Int? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let line = Int(text), line > 0
        else { return nil }
        return line
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let log = try session.oneLog(
            input.paths, isReadAgain: editor.readsTwice, keepingEmpty: false)
        guard let log else { return .undetermined }
        let summary: LogEditor.Summary
        do {
            summary = try editor.edit(log.logParts) { try session.output.write($0) }
        } catch let problem as EditProblem {
            throw UsageError("\(log.name): \(problem)")
        }
        try session.output.flush()
        if summary.wasBlank { session.refuseBlank(log) }
        tell(summary, log.name.escaped, session)
        return summary.notUnderstood > 0 ? .undetermined : .well
    }

    private func tell(_ summary: LogEditor.Summary, _ log: String, _ session: ToolSession) {
        if summary.wasChained { session.tell("\(log) is chained; the edited log is not") }
        if summary.notUnderstood > 0 {
            session.tell(
                "\(summary.notUnderstood.counted("line")) not understood, kept "
                    + "unchanged: `replay check \(log)` says why")
        }
        if summary.blank > 0 { session.tell("\(summary.blank.counted("blank line")) kept") }
    }
}
