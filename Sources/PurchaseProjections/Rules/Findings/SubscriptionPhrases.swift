import PurchaseEvents

/// Descriptions and notes for findings about subscriptions, refunds and uses.
extension Facts {
    /// An account; `nil` reads "an account that is not named".
    func describe(_ account: AccountHandle?) -> String {
        account.map { "account \(names.text(of: $0))" } ?? "an account that is not named"
    }

    func describe(_ target: Use.Target) -> String {
        switch target {
        case .content(let content): "content \(names.text(of: content))"
        case .product(let product): "product \(names.text(of: product))"
        }
    }

    /// A product; `nil` reads "a product that is not named".
    func describe(_ product: ProductHandle?) -> String {
        product.map { names.text(of: $0) } ?? "a product that is not named"
    }

    /// A note on the statement that attests a transaction.
    func attested(_ transaction: TransactionHandle) -> Finding.Note {
        let facts = self[transaction]
        let attested = attestedLine(of: transaction)
        let line = attested == 0 ? facts.statedLine : attested
        let isPurchase = line == facts.purchasedLine || line == facts.renewalLine
        let verb = isPurchase ? "purchased" : line == facts.listedLine ? "stated" : "restored"
        var message = "let transaction \(text(transaction)) be \(verb): \(describe(facts.product))"
        if let buyer = buyer(of: transaction) { message += " for \(describe(buyer))" }
        if let start = facts.purchasedAt { message += ", from \(start.text)" }
        if let end = facts.expiresAt { message += " to \(end.text)" }
        return Finding.Note(line: line, message: message)
    }

    /// Notes on the statements that attest transactions, by line.
    func attested(_ transactions: [TransactionHandle]) -> [Finding.Note] {
        transactions.map { attested($0) }.sorted { $0.line < $1.line }
    }

    /// A note on the line at which a refund or revocation became known.
    func refunded(_ transaction: TransactionHandle) -> Finding.Note {
        let facts = self[transaction]
        return refunded(transaction, on: facts.refundedLine, as: facts.refund?.cancelledAt)
    }

    /// Notes on the refunds and revocations, known at a use, of transactions that would have
    /// allowed the use; one for each refund.
    func refunded(_ transactions: [TransactionHandle], for use: Use) -> [Finding.Note] {
        var known: [KnownRefund] = []
        for transaction in transactions {
            if let refund = knownRefund(of: transaction, at: use.line, use.at),
                !known.contains(refund)
            {
                known.append(refund)
            }
        }
        return known.map { refunded($0.transaction, on: $0.line, as: $0.cancelledAt) }
    }

    private func refunded(
        _ transaction: TransactionHandle, on line: LineNumber, as date: Timestamp?
    ) -> Finding.Note {
        var message = "then transaction \(text(transaction)) was "
        message += self[transaction].refundKind == .revoked ? "revoked" : "refunded"
        if let date { message += " as of \(date.text)" }
        return Finding.Note(line: line, message: message)
    }

    /// Notes on the access that had ended at a use; empty if there was none.
    func notes(onEnded access: Access?) -> [Finding.Note] {
        guard let access else { return [] }
        var note = attested(access.transaction)
        note.message += access.endsInGrace ? ", and by grace to \(access.end.text)" : ""
        return [note]
    }
}
