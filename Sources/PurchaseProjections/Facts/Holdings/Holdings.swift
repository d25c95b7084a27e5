import PurchaseEvents

/// Lists of indices by key, stored as linked lists: an entry takes eight bytes, a key four.
///
/// Lists of accounts keep entries that moved to another account, so readers check the current
/// owner.
struct Holdings: Sendable {
    private struct Cell: Sendable {
        var value: UInt32
        var next: UInt32
    }

    private var cells = DenseTable(Cell(value: 0, next: 0))
    private var heads = DenseTable<UInt32>(0)

    /// The number of entries in all lists.
    var count: Int { cells.count }

    /// The key of an account's list, never 0; `nil` stands for an unknown account.
    static func key(_ account: AccountID<Interned>?) -> UInt32 {
        account.map { UInt32($0.index) + 2 } ?? 1
    }

    /// Adds a value to a list; with `once`, only if the list does not contain it.
    mutating func add(_ value: UInt32, under key: UInt32, once: Bool) {
        if once, contains(under: key, where: { $0 == value }) { return }
        cells.append(Cell(value: value, next: heads[Int(key)]))
        heads[Int(key)] = UInt32(cells.count)
    }

    /// Whether any value of a list meets a condition; tests the latest values first.
    func contains(under key: UInt32, where condition: (UInt32) -> Bool) -> Bool {
        var next = heads[Int(key)]
        while next != 0 {
            let cell = cells[Int(next) - 1]
            if condition(cell.value) { return true }
            next = cell.next
        }
        return false
    }

    /// Whether a list is empty, as most are.
    @inline(__always)
    func isEmpty(under key: UInt32) -> Bool { heads[Int(key)] == 0 }

    /// The values of a list, latest first.
    func values(under key: UInt32) -> [UInt32] {
        var values: [UInt32] = []
        _ = contains(under: key) {
            values.append($0)
            return false
        }
        return values
    }
}

extension Facts {
    /// Lists a transaction under its owner: the transaction's line, or the transaction itself if it
    /// is no period. Consumables are not listed because they give no lasting access.
    mutating func list(_ transaction: TransactionID<Interned>) {
        let member = transactions[transaction.index].memberOf
        if member != 0 { return listLine(Int(member) - 1) }
        guard kind(of: transaction) != .consumable else { return }
        let key = Holdings.key(owner(of: transaction))
        let holder = transactions[transaction.index].holder
        guard holder != key else { return }
        heldPurchases.add(UInt32(transaction.index), under: key, once: holder != 0)
        transactions[transaction.index].holder = key
    }

    /// Lists a subscription line under its owner.
    mutating func listLine(_ index: Int) {
        let key = Holdings.key(owner(of: lines[index].original))
        let holder = lines[index].holder
        guard holder != key else { return }
        heldLines.add(UInt32(index), under: key, once: holder != 0)
        lines[index].holder = key
    }

    /// Lists a transaction and everything that has the same owner: the line that it keys, and the
    /// purchases and restores under its original.
    ///
    /// Costs a few look-ups; if the owner changed, also the number of transactions under the
    /// original.
    mutating func listFamily(of transaction: TransactionID<Interned>, isMoved: Bool = false) {
        let original = original(of: transaction)
        let before = holders(of: original)
        if let line = lineIndex(of: original) { listLine(line) }
        let index = transaction.index
        if transactions[index].statedLine != 0, transactions[index].memberOf == 0 {
            list(transaction)
        }
        guard isMoved || holders(of: original) != before else { return }
        if transactions[original.index].statedLine != 0 { list(original) }
        guard !kin.isEmpty(under: UInt32(original.index)) else { return }
        for value in kin.values(under: UInt32(original.index)) {
            list(TransactionID<Interned>(index: Int(value)))
        }
    }

    /// The list keys of an original's line and of the original itself; 0 if not listed.
    private func holders(of original: TransactionID<Interned>) -> (UInt32, UInt32) {
        (
            lineIndex(of: original).map { lines[$0].holder } ?? 0,
            transactions[original.index].holder
        )
    }

    /// Records a newly named original of a transaction that is no period.
    mutating func joinKin(
        _ transaction: TransactionID<Interned>, unless before: TransactionID<Interned>?
    ) {
        guard transactions[transaction.index].memberOf == 0,
            let original = transactions[transaction.index].original, original != before
        else { return }
        kin.add(UInt32(transaction.index), under: UInt32(original.index), once: false)
        if transactions[transaction.index].isStatedInProduction,
            let line = lineIndex(of: original)
        {
            lines[line].isOfProduction = true
        }
    }

    /// Lists the purchases of a payment once its account is known.
    mutating func claim(_ payment: PaymentID<Interned>) {
        guard !unclaimed.isEmpty(under: UInt32(payment.index)) else { return }
        for value in unclaimed.values(under: UInt32(payment.index)) {
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
        heldLines.values(under: Holdings.key(account)).compactMap {
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

    /// Whether an account owns a listed purchase that is no period, or may have owned it at a line
    /// of the log.
    func isHeld(
        _ purchase: TransactionID<Interned>, by account: AccountID<Interned>?,
        at number: LineNumber
    ) -> Bool {
        guard self[purchase].memberOf == 0 else { return false }
        let original = original(of: original(of: purchase))
        if let line = lineIndex(of: original), lines[line].linkedLine > number { return true }
        return owner(of: purchase) == account
    }

    /// The purchases that are no periods and that an account owns, or owned until a link after the
    /// given line of the log; known consumables are left out.
    func purchases(
        of account: AccountID<Interned>?, at line: LineNumber = .max
    ) -> [TransactionID<Interned>] {
        heldPurchases.values(under: Holdings.key(account)).compactMap {
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

    /// Whether a purchase may grant something in an environment: it is attested there, and in
    /// production it does not restore a purchase that only a test environment attests (G9.3).
    func mayGrant(
        _ purchase: TransactionID<Interned>, in environment: Environment
    ) -> Bool {
        guard isAttested(purchase, in: environment) else { return false }
        return environment != .production || testPurchase(restoredBy: purchase) == nil
    }
}
