import PurchaseEvents

/// The sentences that the proofs of the delivery rules share.
enum DeliveryWords {
    /// A transaction, named.
    static func name(_ transaction: TransactionID<Interned>, _ facts: Facts) -> String {
        "transaction \(facts.text(transaction))"
    }

    /// Let: what the App Store first said of a transaction, the queue's word before others', and
    /// of whom, whoever owns it since.
    static func stated(
        _ transaction: TransactionID<Interned>, _ facts: Facts
    ) -> [Finding.Note] {
        let known = facts[transaction]
        var (line, verb) = (known.statedLine, "stated")
        if known.isPurchased {
            (line, verb) = (known.purchasedLine, "purchased")
        } else if known.isRestored {
            (line, verb) = (known.restoredLine, "restored")
        }
        guard line != 0 else { return [] }
        var text = "let \(name(transaction, facts)) be \(verb)"
        text += ": \(facts.words(known.product))"
        if known.quantity != 1 { text += " ×\(known.quantity)" }
        if let buyer = facts.buyer(of: transaction) { text += " for \(facts.words(buyer))" }
        return [Finding.Note(line: line, message: text)]
    }

    /// A line of a proof, where there is such a line.
    static func note(_ line: LineNumber, _ message: String) -> [Finding.Note] {
        line == 0 ? [] : [Finding.Note(line: line, message: message)]
    }

    /// Who lost or gained by an event of a transaction: the account it names, else the owner.
    static func account(
        _ event: Event<Interned>, _ transaction: TransactionID<Interned>, _ facts: Facts
    ) -> AccountID<Interned>? {
        event.account ?? facts.owner(of: transaction)
    }
}
