import PurchaseEvents

/// Descriptions of transactions, payments and owners, for findings that must be clear on their own.
extension Facts {
    /// A transaction by its identifier alone.
    func name(_ transaction: TransactionHandle) -> String { "transaction \(text(transaction))" }

    /// The account that an event affects: the one that the event names, otherwise the transaction's
    /// owner.
    func account(_ event: LogEvent, _ transaction: TransactionHandle) -> AccountHandle? {
        event.account ?? owner(of: transaction)
    }

    /// The note that introduces a transaction: its first purchase, restore or other statement, and
    /// its buyer, whoever owns it now.
    func stated(_ transaction: TransactionHandle) -> [Finding.Note] {
        let known = self[transaction]
        var (line, verb) = (known.statedLine, "stated")
        if known.isPurchased {
            (line, verb) = (known.purchasedLine, "purchased")
        } else if known.isRestored {
            (line, verb) = (known.restoredLine, "restored")
        }
        var text = "let \(name(transaction)) be \(verb): \(describe(known.product))"
        if known.quantity != 1 { text += " ×\(known.quantity)" }
        if let buyer = buyer(of: transaction) { text += " for \(describe(buyer))" }
        return Finding.note(line, text)
    }

    /// The text " of account …" for an owner; empty if the account is unknown.
    func ownerSuffix(_ account: AccountHandle?) -> String {
        account.map { " of \(describe($0))" } ?? ""
    }

    func describe(_ transaction: TransactionHandle) -> String {
        let product = self[transaction].product.map { " of \(names.text(of: $0))" } ?? ""
        let buyer = buyer(of: transaction).map { " for \(describe($0))" } ?? ""
        return "\(name(transaction))\(product)\(buyer)"
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
        return requested == line
            ? [] : Finding.note(requested, "let \(describe(payment)) be requested")
    }
}

/// A queue entry as findings name it.
struct EntryText {
    let key: String, name: String
    /// The name with product and account.
    let description: String
    let account: AccountHandle?
    /// The last line that names the entry.
    let line: LineNumber

    /// - Parameter failure: The words before a payment, such as "the failed ".
    init(_ entry: QueueEntry<Interned>, failure: String = "", _ facts: Facts) {
        switch entry {
        case .transaction(let transaction):
            key = facts.text(transaction)
            name = facts.name(transaction)
            description = facts.describe(transaction)
            account = facts.owner(of: transaction)
            line = facts[transaction].namedLine
        case .payment(let payment):
            key = facts.names.text(of: payment)
            name = "\(failure)payment \(key)"
            description = failure + facts.describe(payment)
            account = facts[payment].account
            line = facts[payment].namedLine
        }
    }
}

/// Phrases of findings that several launches or restores share.
enum FindingPhrases {
    /// The launches or restores after the first, counted; `nil` if there is only one.
    static func others(of count: Int) -> String? {
        count > 1 ? "\(count - 1) later one\(count == 2 ? "" : "s")" : nil
    }
}
