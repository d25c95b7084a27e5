import PurchaseEvents
import PurchaseProjections

/// `replay consumption`: answers the App Store's question about a purchase whose refund a customer
/// asked for.
struct ConsumptionCommand: ToolCommand {
    static let name = "consumption"
    static let operands = [Operand(name: "TRANSACTION", values: .text), .log]
    static let options: [Option] = [
        .format([.text, .json]), .consented, .sampleContent, .consumed, .prefer, .untilSeq,
        .until, .threads,
    ]

    let transaction: String
    let choices: ConsumptionAnswer.Choices
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        guard let transaction = given.operands.first else {
            throw UsageError("`replay consumption` needs a transaction and a log: TRANSACTION LOG")
        }
        self.transaction = transaction
        input = try LogArguments(given, skipping: 1)
        try given.atMost(2)
        choices = ConsumptionAnswer.Choices(
            hasSampleContent: given.has(.sampleContent),
            consumed: try given.number(.consumed, in: 0...ConsumptionBody.whole),
            preference: given.value(.prefer).flatMap {
                ConsumptionBody.RefundPreference(rawValue: $0)
            })
        guard given.has(.consented) else {
            throw UsageError(
                "the App Store takes no answer without the customer's consent: ask the customer, "
                    + "and add --consented if they agree")
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try session.oneLog(input.paths, keepingEmpty: false) else {
            return .undetermined
        }
        let pass = LogPass(session: session, log: log, input: input)
        let reader = pass.reader()
        var history = ConsumptionHistory(of: transaction, names: reader.decoder.names)
        let (counts, _) = try pass.read(reader, Progress(session, [log])) { lines in
            for line in lines { history.observe(line) }
        }
        guard !counts.isBlank else { return .undetermined }
        session.tellNotUnderstood(counts, in: log)
        guard let transaction = history.transaction, history.facts[transaction].namedLine != 0
        else { throw unknown(history.facts, log) }
        guard history.hasAppEvents else {
            session.tell(
                "\(log.name.escaped) has nothing that the app or its server recorded, "
                    + "so it doesn't say whether the purchase was delivered: merge the app's log "
                    + "into it, or import the rows of what was delivered")
            return .undetermined
        }
        let answer = try ConsumptionAnswer(transaction, history, choices)
        if input.format == .json {
            try session.output.line(answer.body.json)
        } else {
            try ConsumptionText(session).write(answer, transaction, history)
        }
        try session.output.flush()
        tellDoubts(transaction, history, answer, log, session)
        session.latestFold = history
        return counts.notUnderstood == 0 ? .well : .undetermined
    }

    private func tellDoubts(
        _ transaction: TransactionHandle, _ history: ConsumptionHistory,
        _ answer: ConsumptionAnswer, _ log: InputLog, _ session: ToolSession
    ) {
        let facts = history.facts
        let name = log.name.escaped
        if facts[transaction].refund != nil {
            session.tell(
                "note: the purchase is already refunded (line \(facts[transaction].refundedLine)): "
                    + "the App Store has decided")
        }
        if let environment = facts[transaction].environment, environment != facts.logEnvironment {
            session.tell(
                "note: the purchase is of \(environment.rawValue), and the log of "
                    + "\(facts.logEnvironment.rawValue)")
        }
        if facts.startsInTheMiddle, answer.body.deliveryStatus != .delivered {
            session.tell(
                "note: \(name) starts in the middle: an earlier delivery would not be in it")
        }
        if let consumed = choices.consumed, (1...100).contains(consumed) {
            session.tell(
                "note: --consumed=\(ConsumptionBody.words(consumed)): "
                    + "\(ConsumptionBody.whole) is all")
        }
    }

    private func unknown(_ facts: Facts, _ log: InputLog) -> ToolError {
        let typed = transaction.escaped
        var message = "no line of \(log.name.escaped) names the transaction `\(typed)`"
        let payment = facts.names.find(PaymentID<Written>(transaction))
        if let payment, let bought = facts[payment].purchase {
            let name = facts.names.text(of: bought).escaped
            message += ": it is a payment, which bought the transaction `\(name)`"
        } else {
            let known = facts.knownTransactions.filter { facts[$0].namedLine != 0 }
                .map { facts.names.text(of: $0) }
            if let nearest = NearestWord.find(transaction, in: known),
                nearest.hasPrefix(transaction) || NearestWord.distance(transaction, nearest) <= 3
            {
                message += ": did you mean `\(nearest.escaped)`?"
            }
        }
        return ToolError.noInput(message)
    }
}
