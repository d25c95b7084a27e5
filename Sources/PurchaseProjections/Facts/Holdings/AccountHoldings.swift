import PurchaseEvents

/// Lists of the subscription lines and purchases of each account.
extension Facts {
    /// Lists a transaction under its owner: the line of a period, or any other transaction itself.
    ///
    /// Consumables are not listed, because they give no lasting access.
    mutating func list(_ transaction: TransactionID<Interned>) {
        let member = transactions[transaction.index].periodOfLine
        if member != 0 { return listLine(Int(member) - 1) }
        guard kind(of: transaction) != .consumable else { return }
        let key = IndexLists.key(owner(of: transaction))
        let listKey = transactions[transaction.index].listKey
        guard listKey != key else { return }
        purchasesByAccount.put(UInt32(transaction.index), under: key, before: listKey)
        transactions[transaction.index].listKey = key
    }

    /// Lists a subscription line under its owner.
    mutating func listLine(_ index: Int) {
        let key = IndexLists.key(owner(of: lines[index].original))
        let listKey = lines[index].listKey
        guard listKey != key else { return }
        linesByAccount.put(UInt32(index), under: key, before: listKey)
        lines[index].listKey = key
    }

    /// Lists a transaction and everything that has the same owner: the line that it keys, and the
    /// purchases and restores under its original.
    ///
    /// Costs a few look-ups; if the owner changed, also the number of transactions under the
    /// original.
    mutating func listFamily(of transaction: TransactionID<Interned>, isMoved: Bool = false) {
        let original = original(of: transaction)
        let before = listKeys(of: original)
        if let line = lineIndex(of: original) { listLine(line) }
        let index = transaction.index
        if transactions[index].statedLine != 0, transactions[index].periodOfLine == 0 {
            list(transaction)
        }
        guard isMoved || listKeys(of: original) != before else { return }
        if transactions[original.index].statedLine != 0 { list(original) }
        let family = UInt32(original.index)
        guard !transactionsByOriginal.isEmpty(under: family) else { return }
        // A family that comes back to an account brings only what is new since it left.
        let account = HandleKey(family, IndexLists.key(owner(of: original)))
        let mark = record.pointee.listedFamilies[account] ?? 0
        for value in transactionsByOriginal.values(under: family, since: mark) {
            list(TransactionID<Interned>(index: Int(value)))
        }
        record.pointee.listedFamilies[account] = transactionsByOriginal.mark(of: family)
    }

    /// The list keys of an original's line and of the original itself; 0 if not listed.
    private func listKeys(of original: TransactionID<Interned>) -> (UInt32, UInt32) {
        (
            lineIndex(of: original).map { lines[$0].listKey } ?? 0,
            transactions[original.index].listKey
        )
    }

    /// Records the original of a transaction that is not a period, if a statement newly names it.
    mutating func recordOriginal(
        _ transaction: TransactionID<Interned>, unless before: TransactionID<Interned>?
    ) {
        guard transactions[transaction.index].periodOfLine == 0,
            let original = transactions[transaction.index].original, original != before
        else { return }
        transactionsByOriginal.add(
            UInt32(transaction.index), under: UInt32(original.index))
        nameOwner(by: transaction)
        if transactions[transaction.index].isStatedInProduction,
            let line = lineIndex(of: original)
        {
            lines[line].isOfProduction = true
        }
    }

    /// Lists the purchases of a payment once its account is known.
    mutating func listPurchases(of payment: PaymentID<Interned>) {
        guard !purchasesWithoutAccount.isEmpty(under: UInt32(payment.index)) else { return }
        for value in purchasesWithoutAccount.values(under: UInt32(payment.index)) {
            listFamily(of: TransactionID<Interned>(index: Int(value)), isMoved: true)
        }
    }

    /// Moves a line, and the purchases and restores under its original, to another account.
    mutating func link(
        _ index: Int, in environment: Environment, to account: AccountID<Interned>?,
        _ line: LineNumber
    ) {
        let before = lines[index].linkedAccount
        lines[index][environment].link(to: account, line)
        listLine(index)
        listFamily(of: lines[index].original, isMoved: lines[index].linkedAccount != before)
    }

    /// The lines that an account owns, or owned until a link after the given line of the log; `nil`
    /// stands for lines without a known owner.
    func lines(of account: AccountID<Interned>?, at line: LineNumber = .max) -> [LineFacts] {
        linesByAccount.values(under: IndexLists.key(account)).compactMap {
            isHeld(lines[Int($0)], by: account, at: line) ? lines[Int($0)] : nil
        }
    }

    /// Whether an account owns a listed subscription line, or may have owned it at a line of the
    /// log.
    func isHeld(
        _ line: LineFacts, by account: AccountID<Interned>?, at number: LineNumber
    ) -> Bool {
        line.linkedLine > number || owner(of: line.original) == account
    }

    /// Whether an account owns a listed purchase that is not a period, or may have owned it at a
    /// line of the log.
    func isHeld(
        _ purchase: TransactionID<Interned>, by account: AccountID<Interned>?,
        at number: LineNumber
    ) -> Bool {
        guard self[purchase].periodOfLine == 0 else { return false }
        let original = original(of: original(of: purchase))
        if let line = lineIndex(of: original), lines[line].linkedLine > number { return true }
        return owner(of: purchase) == account
    }

    /// The purchases other than periods that an account owns, or owned until a link after the given
    /// line of the log; known consumables are left out.
    func purchases(
        of account: AccountID<Interned>?, at line: LineNumber = .max
    ) -> [TransactionID<Interned>] {
        purchasesByAccount.values(under: IndexLists.key(account)).compactMap {
            let transaction = TransactionID<Interned>(index: Int($0))
            return isHeld(transaction, by: account, at: line) ? transaction : nil
        }
    }

    /// Whether a statement in an environment attests a transaction (G9.3).
    func isAttested(
        _ transaction: TransactionID<Interned>, in environment: Environment
    ) -> Bool {
        self[transaction].isStated(in: environment)
    }

    /// Whether a purchase may grant something in an environment (G9.3).
    ///
    /// The purchase must be attested in the environment. In production, the purchase must not
    /// restore one that only a test environment attests.
    func mayGrant(
        _ purchase: TransactionID<Interned>, in environment: Environment
    ) -> Bool {
        guard isAttested(purchase, in: environment) else { return false }
        return environment != .production || testPurchase(restoredBy: purchase) == nil
    }
}
