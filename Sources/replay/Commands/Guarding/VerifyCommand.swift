import PurchaseEvents

/// `replay verify`: shows whether a chained log is unchanged.
struct VerifyCommand: ToolCommand {
    static let name = "verify"
    static let operands = [Operand.logs]
    static let options: [Option] = [.checkpoint, .expectHead, .threads]

    let checkpointPath: String?
    let head: Digest?
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        checkpointPath = given.value(.checkpoint)
        head = try given.value(.expectHead).map { typed throws(UsageError) in
            guard let head = Digest(hex: typed) else {
                throw UsageError(
                    "`--expect-head`: expected 64 lower-case hex digits, seen `\(typed)`")
            }
            return head
        }
        input = try LogArguments(given)
        try given.expectOneInput(input.paths + [checkpointPath].compactMap { $0 })
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let expectation = ChainExpectation(checkpoint: try checkpoint(session), head: head)
        let logs: [InputLog]
        if expectation == ChainExpectation() {
            logs = try session.logs(input.paths, keepingEmpty: true)
        } else {
            let log = try session.oneLog(input.paths)
            logs = log.map { [$0] } ?? []
        }
        var statuses: Set<ToolStatus> = []
        for log in logs {
            let check = try ChainRun(session: session, threads: input.threads).check(
                log, expecting: expectation)
            try session.output.line(check.line(session.style))
            statuses.insert(check.status)
        }
        if statuses.contains(.violated) { return .violated }
        return statuses.contains(.undetermined) ? .undetermined : .well
    }

    private func checkpoint(_ session: ToolSession) throws(ToolError) -> Checkpoint? {
        guard let checkpointPath else { return nil }
        let bytes = try session.bytes(of: checkpointPath, upTo: 1 << 16)
        do {
            return try Checkpoint(bytes)
        } catch {
            throw .noInput(
                "`\(checkpointPath.escaped)` is not a checkpoint, three lines as "
                    + "`replay seal` prints them: \(error)")
        }
    }
}
