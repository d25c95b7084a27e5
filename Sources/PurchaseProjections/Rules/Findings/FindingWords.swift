import PurchaseEvents

/// How findings say what something is and whose: who reads one has no source at hand.
extension Facts {
    /// Whose something is, to stand behind its name; nothing where no account is named.
    func whose(_ account: AccountID<Interned>?) -> String {
        account.map { " of \(words($0))" } ?? ""
    }

    /// A transaction, what it bought and for whom.
    func words(_ transaction: TransactionID<Interned>) -> String {
        let product = self[transaction].product.map { " of \(names.text(of: $0))" } ?? ""
        let buyer = buyer(of: transaction).map { " for \(words($0))" } ?? ""
        return "transaction \(text(transaction))\(product)\(buyer)"
    }

    /// Whom a transaction was bought for, whoever owns it since: whom its own statements name, else
    /// the owner of its line, where that was linked to nobody since.
    func buyer(of transaction: TransactionID<Interned>) -> AccountID<Interned>? {
        let known = self[transaction]
        if let account = known.account { return account }
        let line = lineIndex(of: original(of: transaction)).map { lines[$0] }
        return line.map { $0.linkedLine > known.statedLine } == true
            ? nil : owner(of: transaction)
    }

    /// A payment, what it asks for and whose it is.
    func words(_ payment: PaymentID<Interned>) -> String {
        let product = self[payment].product.map { " for \(names.text(of: $0))" } ?? ""
        return "payment \(names.text(of: payment))\(product)\(whose(self[payment].account))"
    }

    /// A note where one identifier may be of two transactions, as those of Xcode's test environment
    /// start again; `nil`, the rule's own level, elsewhere.
    func levelOfRepetition(_ event: Event<Interned>) -> Level? {
        environment(of: event) == .xcode ? .note : nil
    }

    /// Let: the first request of a payment, where the log has one and the finding isn't on it.
    func requested(_ payment: PaymentID<Interned>, besides line: LineNumber) -> [Finding.Note] {
        let requested = self[payment].requestedLine
        guard requested != 0, requested != line else { return [] }
        return [Finding.Note(line: requested, message: "let \(words(payment)) be requested")]
    }
}
