import PurchaseEvents
import PurchaseProjections

/// Prints an answer to a refund request for a reader: each value, why, and the lines of the log.
struct ConsumptionText {
    private let output: Output
    private let style: Style

    private static let most = 5

    init(_ session: ToolSession) { (output, style) = (session.output, session.style) }

    func write(
        _ answer: ConsumptionAnswer, _ transaction: TransactionHandle, _ history: ConsumptionHistory
    ) throws {
        try writeHeading(transaction, history)
        let width = answer.values.map { $0.key.count }.max() ?? 0
        for value in answer.values {
            let key = style.strong(TextFormat.padded(value.key, width))
            try output.line("\n\(key)  \(value.text ?? style.faint("(left out)"))")
            try output.line("  \(style.faint(value.reason.escaped))")
            let lines = value.lines.suffix(ConsumptionText.most)
            let others = value.linesLeftOut + value.lines.count - lines.count
            if others > 0 {
                try output.line("  \(style.faint("\(others.counted("earlier line")), and"))")
            }
            for line in lines { try write(line) }
        }
    }

    private func writeHeading(
        _ transaction: TransactionHandle, _ history: ConsumptionHistory
    ) throws {
        let facts = history.facts
        let known = facts[transaction]
        var rows = [("transaction", facts.names.text(of: transaction))]
        if let product = known.product {
            var words = facts.names.text(of: product)
            if known.quantity != 1 { words += " ×\(known.quantity)" }
            if let kind = facts.kind(of: transaction) { words += ", \(EventWords.words(kind))" }
            rows.append(("product", words))
        }
        if let owner = facts.owner(of: transaction) {
            rows.append(("account", facts.names.text(of: owner)))
        }
        let width = rows.map { $0.0.count }.max() ?? 0
        for (name, value) in rows {
            try output.line("\(style.strong(TextFormat.padded(name, width)))  \(value.escaped)")
        }
        for entry in [history.stated, history.requested].compactMap({ $0 }) { try write(entry) }
    }

    private func write(_ entry: ConsumptionHistory.Entry) throws {
        let words = entry.words.escaped
        try output.line(
            "\(TextFormat.right(entry.line, 6))  \(TextFormat.second(entry.at))  \(words)")
    }
}
