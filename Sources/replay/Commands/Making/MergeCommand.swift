import PurchaseEvents
import PurchaseIncidents

/// `replay merge`: merges several logs into one.
struct MergeCommand: ToolCommand {
    static let name = "merge"
    static let operands = [Operand.logs]

    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) { input = try LogArguments(given) }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let logs = try session.logs(input.paths, apart: true)
        guard !logs.isEmpty else { return .undetermined }
        let summary = try LogMerger(logs.map(\.logParts)).merge { try session.output.write($0) }
        try session.output.flush()
        for (log, isBlank) in zip(logs, summary.wereBlank) where isBlank {
            session.refuseBlank(log)
        }
        tell(summary, logs.map(\.name.escaped), session)
        return summary.conflicting == 0 && summary.notUnderstood == 0 ? .well : .undetermined
    }

    private func tell(_ summary: LogMerger.Summary, _ names: [String], _ session: ToolSession) {
        for (name, wasChained) in zip(names, summary.wereChained) where wasChained {
            session.tell("\(name) is chained; the merged log is not")
        }
        for (name, environment) in zip(names, summary.namedEnvironments) {
            guard let environment else { continue }
            session.tell(
                "\(name): lines that named no environment now name \(environment.rawValue), "
                    + "because the logs differ in it")
        }
        for left in summary.leftOut {
            session.tell(
                "\(names[left.log]): \(left.key) `\(left.value.escaped)` is not in the "
                    + "merged log.opened, because the logs differ in it")
        }
        if summary.repeated > 0 {
            session.tell(
                "\(summary.repeated.counted("event")) left out, because an equal one has "
                    + "the same id")
        }
        for conflict in summary.conflicts {
            session.tell(
                "\(names[conflict.log]):\(conflict.line): another event with the id "
                    + "`\(conflict.id.escaped)` has different content; both are kept")
        }
        if summary.conflicting > summary.conflicts.count {
            session.tell(
                "\(summary.conflicting.counted("event")) in all with the id of an event "
                    + "that has different content")
        }
        if summary.notUnderstood > 0 {
            session.tell("\(summary.notUnderstood.counted("line")) not understood, kept unchanged")
        }
        if summary.blank > 0 { session.tell("\(summary.blank.counted("blank line")) kept") }
    }
}
