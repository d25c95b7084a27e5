import PurchaseEvents
import PurchaseIncidents

/// `replay redact`: replaces the names in a log, so that the log can be shared.
struct RedactCommand: ToolCommand {
    static let name = "redact"
    static let operands = [Operand.log]
    static let options: [Option] = [.keyFile, .products, .shift, .chained, .threads]

    static let largestKey = 64 << 10

    let keyPath: String
    let replacesProducts: Bool
    let shift: Int64
    let isChained: Bool
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        guard let path = given.value(.keyFile) else {
            throw UsageError(
                "`replay redact` needs --key-file=FILE, a file of at least "
                    + "\(RedactionKey.leastLength) bytes")
        }
        keyPath = path
        replacesProducts = given.has(.products)
        shift = try RedactCommand.shift(given)
        isChained = given.has(.chained)
        input = try LogArguments(given)
        try given.expectOneInput(input.paths + [keyPath])
    }

    private static func shift(_ given: ParsedArguments) throws(UsageError) -> Int64 {
        guard let text = given.value(.shift) else { return 0 }
        let most = Redaction.largestShift
        guard let days = Int64(text), (-most...most).contains(days) else {
            throw UsageError(
                "`--shift`: expected a whole number of days from -\(most) to \(most), seen "
                    + "`\(text)`")
        }
        return days
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let key = try key(session)
        guard let log = try session.oneLog(input.paths) else { return .undetermined }
        var redaction = Redaction(key)
        redaction.replacesProducts = replacesProducts
        redaction.shift = shift
        redaction.isChained = isChained
        var redactor = Redactor(redaction, threads: input.threads ?? session.host.cores)
        for part in log.parts {
            try ToolError.reading(part.path) {
                try redactor.redact(try part.source()) { try session.output.write($0) }
            }
        }
        try session.output.flush()
        let summary = redactor.summary
        tell(summary, log, session)
        return summary.notUnderstood == 0 ? .well : .undetermined
    }

    private func key(_ session: ToolSession) throws -> RedactionKey {
        let bytes = try session.bytes(
            of: keyPath, atMost: RedactCommand.largestKey,
            advice: "name a file that holds only the key")
        guard let key = RedactionKey(bytes) else {
            throw ToolError.noInput(
                "--key-file: `\(keyPath.escaped)`: expected at least "
                    + "\(RedactionKey.leastLength) bytes, seen \(bytes.count)")
        }
        return key
    }

    private func tell(_ summary: RedactionSummary, _ log: InputLog, _ session: ToolSession) {
        let name = log.name.escaped
        if summary.events + summary.notUnderstood == 0 {
            session.refuse("\(name) holds no line of a log: expected log.opened first")
        }
        if summary.notUnderstood > 0 {
            session.tell(
                "\(summary.notUnderstood.counted("line")) of \(name) not understood or "
                    + #"out of the calendar, replaced by {"type":"redacted"}"#)
        }
        if summary.wasChained, !isChained {
            session.tell(
                "\(name) is chained, the redacted log is not: a rule may find less in it; use "
                    + "--chained to chain it anew")
        } else if isChained, !summary.wasChained, summary.events > 0 {
            session.tell(
                "\(name) is not chained, the redacted log is: a rule may find more in it, as in a "
                    + "log that was written in this order")
        }
        session.tell(
            "\(summary.events.counted("event")) redacted; removed: "
                + "\(summary.texts.counted("text")), " + summary.unknownKeys.counted("unknown key"))
    }
}
