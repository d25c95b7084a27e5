import PurchaseEvents

/// `replay seal`: a checkpoint of a chained log, to be kept elsewhere.
struct SealCommand: ToolCommand {
    static let name = "seal"
    static let summary = "print a checkpoint of a log, to be kept elsewhere"
    static let operands = "LOG"
    static let options: [Option] = [.threads]
    static let details = """
        A checkpoint is three lines: the log's app and the time at which it was opened, the number
        of its lines, and the chain value of the last of them, which stands for every byte before
        it. Keep it where who can write the log can't, and hold the log against it later:

          replay seal app.jsonl > app.checkpoint
          replay verify --checkpoint=app.checkpoint app.jsonl

        Nothing is printed of a log that is damaged or unchained. Of one that ends within a line
        the whole lines are sealed, with status 2.
        """

    let threads: Int?
    let paths: [String]

    init(_ given: Given) throws(UsageError) {
        threads = try given.threads()
        paths = try given.logs()
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try session.oneLog(paths, for: SealCommand.name) else {
            return .undetermined
        }
        let check = try ChainRun(session, threads).check(log)
        // Standard error has no colour.
        let verdict = check.line(Style.plain)
        switch check.verdict {
        case .intact, .torn: break
        case .damaged, .rolledBack, .unchained:
            session.tell(verdict)
            return check.status
        }
        guard let origin = check.origin else {
            session.tell(
                "\(EscapedText.escape(log.name)):1: expected log.opened: the log starts in the "
                    + "middle, so its origin isn't known")
            return .undetermined
        }
        guard check.chain.lines > 0 else {
            session.tell(verdict)
            return check.status
        }
        let text = Checkpoint(origin: origin, chain: check.chain).text
        try session.output.write(Array(text.utf8))
        if check.verdict != .intact { session.tell(verdict) }
        return check.status == .well && session.hasRefused ? .undetermined : check.status
    }
}
