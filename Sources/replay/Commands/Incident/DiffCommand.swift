import PurchaseEvents
import PurchaseIncidents

/// `replay diff`: shows how two logs differ in meaning.
struct DiffCommand: ToolCommand {
    static let name = "diff"
    static let operands = [Operand(name: "A", values: .path), Operand(name: "B", values: .path)]
    static let options: [Option] = [.format([.text, .json]), .asOfBoth, .threads]

    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        input = try LogArguments(given)
        guard input.paths.count == 2 else {
            throw UsageError("`replay diff` compares two logs, seen \(input.paths.count)")
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        var logs: [InputLog] = []
        for path in input.paths {
            let log = try session.oneLog([path], isReadAgain: true, keepingEmpty: false)
            guard let log else { return .undetermined }
            logs.append(log)
        }
        let comparison = try LogComparison(
            logs[0].logParts, logs[1].logParts, asOf: input.instant,
            threads: input.threads ?? session.host.cores)
        let counts = comparison.counts
        session.refuseBlank(counts.before, logs[0])
        session.refuseBlank(counts.after, logs[1])
        if counts.before.isBlank || counts.after.isBlank { return .undetermined }
        var printer = DifferencePrinter(session, names: logs.map(\.name), input.format)
        try comparison.differences { try printer.write($0) }
        try session.output.flush()
        session.latestFold = comparison
        session.tellNotUnderstood(counts.before, in: logs[0])
        session.tellNotUnderstood(counts.after, in: logs[1])
        session.tell("\(printer.summary), as of \(TextFormat.time(comparison.instant))")
        if printer.hasDifferences { return .violated }
        let misses = counts.before.notUnderstood + counts.after.notUnderstood
        return misses > 0 ? .undetermined : .well
    }
}
