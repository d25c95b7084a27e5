import PurchaseEvents

/// `replay seal`: prints a checkpoint of a chained log, to keep elsewhere.
struct SealCommand: ToolCommand {
    static let name = "seal"
    static let operands = [Operand.log]
    static let options: [Option] = [.threads]

    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) { input = try LogArguments(given) }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try session.oneLog(input.paths) else { return .undetermined }
        let check = try ChainRun(session: session, threads: input.threads).check(log)
        // Messages on standard error have no colour.
        let verdict = check.line(Style.plain)
        switch check.verdict {
        case .intact, .torn: break
        case .damaged, .rolledBack, .unchained:
            session.tell(verdict)
            return check.status
        }
        guard let origin = check.origin else {
            session.tell(
                "\(log.name.escaped):1: expected log.opened: without that line the "
                    + "origin of the log is unknown")
            return .undetermined
        }
        guard check.chain.lines > 0 else {
            session.tell(verdict)
            return check.status
        }
        try session.output.write(Checkpoint(origin: origin, chain: check.chain).text.utf8)
        if check.verdict != .intact { session.tell(verdict) }
        return check.status
    }
}
