import PurchaseEvents

/// Lists of the subscriptions and purchases of each account.
extension Facts {
    /// Lists a transaction under its owner: the subscription of a period, or any other transaction
    /// itself; also the subscription that it keys.
    ///
    /// Consumables are not listed, because they give no lasting access.
    mutating func list(_ transaction: TransactionHandle) {
        if let keyed = subscriptionIndex(of: transaction) { listSubscription(keyed) }
        let member = transactions[transaction.index].periodOfSubscription
        if member != 0 { return listSubscription(Int(member) - 1) }
        guard kind(of: transaction) != .consumable else { return }
        let key = IndexLists.key(owner(of: transaction))
        let listKey = transactions[transaction.index].listKey
        guard listKey != key else { return }
        purchasesByAccount.put(UInt32(transaction.index), under: key, before: listKey)
        transactions[transaction.index].listKey = key
    }

    mutating func listSubscription(_ index: Int) {
        let key = IndexLists.key(owner(of: subscriptions[index]))
        let listKey = subscriptions[index].listKey
        guard listKey != key else { return }
        subscriptionsByAccount.put(UInt32(index), under: key, before: listKey)
        subscriptions[index].listKey = key
    }

    /// Lists a transaction and everything that has the same owner: the subscription that it keys,
    /// and the purchases and restores under its original.
    ///
    /// Costs a few look-ups, and the number of transactions under the original that are new to the
    /// owner.
    mutating func listFamily(of transaction: TransactionHandle, isMoved: Bool = false) {
        let original = original(of: transaction)
        let before = listKeys(of: original)
        if let subscription = subscriptionIndex(of: original) { listSubscription(subscription) }
        let index = transaction.index
        if transactions[index].statedLine != 0, transactions[index].periodOfSubscription == 0 {
            list(transaction)
        }
        if original != transaction { relist(under: transaction) { $0[transaction].account } }
        if isMoved || listKeys(of: original) != before,
            transactions[original.index].statedLine != 0
        {
            list(original)
        }
        relist(under: original) { $0.owner(of: original) }
    }

    /// Lists the purchases and restores under an original that are new to the account.
    private mutating func relist(
        under original: TransactionHandle, _ owner: (borrowing Facts) -> AccountHandle?
    ) {
        let family = UInt32(original.index)
        guard !transactionsByOriginal.isEmpty(under: family) else { return }
        // A family that comes back to an account brings only what is new since it left.
        let account = HandleKey(family, IndexLists.key(owner(self)))
        let mark = record.pointee.listedFamilies[account] ?? 0
        for value in transactionsByOriginal.values(under: family, since: mark) {
            list(TransactionHandle(index: Int(value)))
        }
        record.pointee.listedFamilies[account] = transactionsByOriginal.mark(of: family)
    }

    /// The list keys of an original's subscription and of the original itself; 0 if not listed.
    private func listKeys(of original: TransactionHandle) -> (UInt32, UInt32) {
        (
            subscriptionIndex(of: original).map { subscriptions[$0].listKey } ?? 0,
            transactions[original.index].listKey
        )
    }

    /// Records the original of a transaction that is not a period, if a statement newly names it.
    mutating func recordOriginal(
        _ transaction: TransactionHandle, unless before: TransactionHandle?
    ) {
        guard transactions[transaction.index].periodOfSubscription == 0,
            let original = transactions[transaction.index].original, original != before
        else { return }
        transactionsByOriginal.add(UInt32(transaction.index), under: UInt32(original.index))
        nameOwner(by: transaction)
        if transactions[transaction.index].isStatedInProduction,
            let subscription = subscriptionIndex(of: original)
        {
            subscriptions[subscription].isOfProduction = true
        }
    }

    mutating func listPurchases(of payment: PaymentHandle) {
        guard !record.pointee.purchasesWithoutAccount.isEmpty(under: UInt32(payment.index)) else {
            return
        }
        for value in record.pointee.purchasesWithoutAccount.values(under: UInt32(payment.index)) {
            listFamily(of: TransactionHandle(index: Int(value)), isMoved: true)
        }
    }

    /// Moves a subscription, and the purchases and restores under its original, to another account.
    mutating func link(
        _ index: Int, in environment: Environment, to account: AccountHandle?, _ line: LineNumber,
        at instant: Timestamp
    ) {
        let before = subscriptions[index].linkedAccount
        subscriptions[index].change(in: environment) { $0.link(to: account, line, at: instant) }
        listSubscription(index)
        listFamily(
            of: subscriptions[index].original, isMoved: subscriptions[index].linkedAccount != before
        )
    }

    /// The indices of the subscriptions that an account owns; `nil` stands for no known owner.
    func subscriptionIndices(of account: AccountHandle?) -> [Int] {
        subscriptionsByAccount.values(under: IndexLists.key(account)).map { Int($0) }.filter {
            owner(of: subscriptions[$0]) == account
        }
    }

    /// Whether an account owns a listed subscription, or may have owned it at a line of the
    /// log.
    func isHeld(
        _ subscription: SubscriptionFacts, by account: AccountHandle?, at number: LineNumber
    ) -> Bool {
        subscription.linkedLine > number || owner(of: subscription) == account
    }

    /// Whether an account owns a listed purchase that is not a period, or may have owned it at a
    /// line of the log.
    func isHeld(
        _ purchase: TransactionHandle, by account: AccountHandle?, at number: LineNumber
    ) -> Bool {
        guard self[purchase].periodOfSubscription == 0 else { return false }
        let original = original(of: original(of: purchase))
        if let subscription = subscriptionIndex(of: original),
            subscriptions[subscription].linkedLine > number
        {
            return true
        }
        return owner(of: purchase) == account
    }

    /// The purchases other than periods that an account owns; known consumables are left out.
    func purchases(of account: AccountHandle?) -> [TransactionHandle] {
        purchasesByAccount.values(under: IndexLists.key(account)).lazy
            .map { TransactionHandle(index: Int($0)) }
            .filter { isHeld($0, by: account, at: .max) }
    }

    /// Whether a purchase may grant something in an environment (G9.3).
    ///
    /// The purchase must be attested in the environment. In production, the purchase must not
    /// restore one that only a test environment attests.
    func mayGrant(_ purchase: TransactionHandle, in environment: Environment) -> Bool {
        guard self[purchase].isStated(in: environment) else { return false }
        return environment != .production || testPurchase(restoredBy: purchase) == nil
    }
}
