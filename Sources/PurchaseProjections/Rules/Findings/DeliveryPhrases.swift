import PurchaseEvents

/// Phrases that the findings of the delivery rules share.
enum DeliveryPhrases {
    /// The name of a transaction in a finding.
    static func name(_ transaction: TransactionHandle, _ facts: Facts) -> String {
        "transaction \(facts.text(transaction))"
    }

    /// The note that introduces a transaction: its first purchase, restore or other statement, and
    /// its buyer, whoever owns it now.
    static func stated(_ transaction: TransactionHandle, _ facts: Facts) -> [Finding.Note] {
        let known = facts[transaction]
        var (line, verb) = (known.statedLine, "stated")
        if known.isPurchased {
            (line, verb) = (known.purchasedLine, "purchased")
        } else if known.isRestored {
            (line, verb) = (known.restoredLine, "restored")
        }
        guard line != 0 else { return [] }
        var text = "let \(name(transaction, facts)) be \(verb)"
        text += ": \(facts.describe(known.product))"
        if known.quantity != 1 { text += " ×\(known.quantity)" }
        if let buyer = facts.buyer(of: transaction) { text += " for \(facts.describe(buyer))" }
        return [Finding.Note(line: line, message: text)]
    }

    /// A note on a line; empty if the line is 0.
    static func note(_ line: LineNumber, _ message: String) -> [Finding.Note] {
        line == 0 ? [] : [Finding.Note(line: line, message: message)]
    }

    /// The account that an event affects: the one that the event names, otherwise the transaction's
    /// owner.
    static func account(
        _ event: LogEvent, _ transaction: TransactionHandle, _ facts: Facts
    ) -> AccountHandle? {
        event.account ?? facts.owner(of: transaction)
    }
}
