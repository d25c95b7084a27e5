import PurchaseEvents

/// The transactions whose identifiers Xcode's test environment used again, for another purchase,
/// and the accounts that either purchase names.
struct ReusedIdentifiers: Snapshotted {
    fileprivate(set) var transactions: Set<TransactionHandle> = []
    fileprivate(set) var accounts: Set<AccountHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&transactions).visit(&accounts)
    }
}

extension Facts {
    /// Notes a statement of Xcode's test environment that gives a known transaction another product
    /// or purchase date; call it before the facts take the statement.
    mutating func noteReuse(
        of transaction: TransactionHandle, for product: ProductHandle, by event: LogEvent
    ) {
        let isOther = self[transaction].product.map { $0 != product } ?? false
        guard isOther || disagreement?.before.purchasedAt != nil else { return }
        record.pointee.reused.transactions.insert(transaction)
        for account in [owner(of: transaction), event.account].compactMap({ $0 }) {
            record.pointee.reused.accounts.insert(account)
        }
    }

    /// The level of a finding about a transaction: a note if its identifier was used again,
    /// otherwise `nil`, the rule's own level.
    func levelOfReuse(of transaction: TransactionHandle) -> Level? {
        record.pointee.reused.transactions.contains(transaction) ? .note : nil
    }

    /// Why it is unknown what an account had bought by a use; `nil` unless an identifier of its
    /// purchases was used again.
    func reuseHides(_ use: Use) -> String? {
        let reused = record.pointee.reused.accounts
        guard use.environment == .xcode, use.account.map(reused.contains) ?? !reused.isEmpty else {
            return nil
        }
        return "Xcode's test environment used transaction identifiers of \(describe(use.account)) "
            + "again, and what the first ones bought is no longer known"
    }
}
