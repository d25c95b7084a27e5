import PurchaseEvents

/// Descriptions of transactions, payments and owners, for findings that must be clear on their own.
extension Facts {
    /// The text " of account …" for an owner; empty if the account is unknown.
    func ownerSuffix(_ account: AccountHandle?) -> String {
        account.map { " of \(describe($0))" } ?? ""
    }

    /// A transaction with its product and buyer.
    func describe(_ transaction: TransactionHandle) -> String {
        let product = self[transaction].product.map { " of \(names.text(of: $0))" } ?? ""
        let buyer = buyer(of: transaction).map { " for \(describe($0))" } ?? ""
        return "transaction \(text(transaction))\(product)\(buyer)"
    }

    /// The account that a transaction was bought for, whoever owns the transaction now.
    ///
    /// This is the account in the transaction's own statements, otherwise the owner of its
    /// subscription; `nil` if unknown, or if the subscription was linked later.
    func buyer(of transaction: TransactionHandle) -> AccountHandle? {
        let known = self[transaction]
        if let account = known.account { return account }
        let linked = subscription(of: transaction)?.linkedLine ?? 0
        return linked > known.statedLine ? nil : owner(of: transaction)
    }

    /// A payment with its product and account.
    func describe(_ payment: PaymentHandle) -> String {
        let product = self[payment].product.map { " for \(names.text(of: $0))" } ?? ""
        return "payment \(names.text(of: payment))\(product)\(ownerSuffix(self[payment].account))"
    }

    /// The level of a repeated identifier: a note in Xcode's test environment, which reuses
    /// identifiers; otherwise `nil`, the rule's own level.
    func levelOfReuse(_ event: LogEvent) -> Level? {
        environment(of: event) == .xcode ? .note : nil
    }

    /// The note on a payment's first request; empty if the log has none or the finding is on that
    /// line.
    func requested(_ payment: PaymentHandle, besides line: LineNumber) -> [Finding.Note] {
        let requested = self[payment].requestedLine
        guard requested != 0, requested != line else { return [] }
        return [Finding.Note(line: requested, message: "let \(describe(payment)) be requested")]
    }
}

/// Phrases of findings that several launches or restores share.
enum FindingPhrases {
    /// The launches or restores after the first, counted; `nil` if there is only one.
    static func others(of count: Int) -> String? {
        count > 1 ? "\(count - 1) later one\(count == 2 ? "" : "s")" : nil
    }
}
