import PurchaseEvents

/// Lists of lines or purchases, one list an account, and one for what no account is said of.
///
/// What moves to another account stays in the old list too, so whoever reads a list asks who owns
/// what is in it. An entry costs eight bytes, an account four.
struct Holdings: Sendable {
    private struct Cell: Sendable {
        var value: UInt32
        var next: UInt32
    }

    private var cells = DenseTable(Cell(value: 0, next: 0))
    private var heads = DenseTable<UInt32>(0)

    /// How many entries there are.
    var count: Int { cells.count }

    /// The key of an account's list; never 0.
    static func key(_ account: AccountID<Interned>?) -> UInt32 {
        account.map { UInt32($0.index) + 2 } ?? 1
    }

    /// Adds a value to a list; with `once` only where the list doesn't have it.
    mutating func add(_ value: UInt32, under key: UInt32, once: Bool) {
        if once, contains(under: key, where: { $0 == value }) { return }
        cells.append(Cell(value: value, next: heads[Int(key)]))
        heads[Int(key)] = UInt32(cells.count)
    }

    /// Whether a value of a list meets a condition; the latest are asked first.
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

    /// The values of a list, the latest first.
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
    /// Lists a transaction under the account that it belongs to: its line, or itself where it is
    /// no period. Consumables aren't listed: they give access to nothing.
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

    /// Lists a line under the account that it belongs to.
    mutating func listLine(_ index: Int) {
        let key = Holdings.key(owner(of: lines[index].original))
        let holder = lines[index].holder
        guard holder != key else { return }
        heldLines.add(UInt32(index), under: key, once: holder != 0)
        lines[index].holder = key
    }

    /// Lists what a transaction gives, and what belongs to whom it belongs: the line that it keys,
    /// and what was bought or restored under its original.
    ///
    /// Costs a few look-ups, and only where somebody else owns it now the number of its kin.
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

    /// Where the line of an original is listed, and where it is itself.
    private func holders(of original: TransactionID<Interned>) -> (UInt32, UInt32) {
        (
            lineIndex(of: original).map { lines[$0].holder } ?? 0,
            transactions[original.index].holder
        )
    }

    /// Notes that a transaction that is no period names an original which it didn't before.
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

    /// Lists what a payment bought, as soon as it is known whose payment it is.
    mutating func claim(_ payment: PaymentID<Interned>) {
        guard !unclaimed.isEmpty(under: UInt32(payment.index)) else { return }
        for value in unclaimed.values(under: UInt32(payment.index)) {
            listFamily(of: TransactionID<Interned>(index: Int(value)), isMoved: true)
        }
    }

    /// Moves a line, and what was bought or restored under its original, to another account.
    mutating func link(
        _ index: Int, in environment: Environment, to account: AccountID<Interned>?,
        _ line: LineNumber
    ) {
        let before = lines[index].linkedAccount
        lines[index][environment].link(to: account, line)
        listLine(index)
        listFamily(of: lines[index].original, isMoved: lines[index].linkedAccount != before)
    }

    /// The lines that belong to an account, or that did before they were linked to another one
    /// after a line of the log; `nil`: the lines of which no fact says whose they are.
    func lines(of account: AccountID<Interned>?, at line: LineNumber = .max) -> [LineFacts] {
        heldLines.values(under: Holdings.key(account)).compactMap {
            isHeld(lines[Int($0)], by: account, at: line) ? lines[Int($0)] : nil
        }
    }

    /// Whether a listed line belongs to an account, or may have at a line of the log.
    func isHeld(
        _ line: LineFacts, by account: AccountID<Interned>?, at number: LineNumber
    ) -> Bool {
        line.linkedLine > number || owner(of: line.original) == account
    }

    /// Whether a listed purchase is no period, and belongs to an account, or may have at a line of
    /// the log.
    func isHeld(
        _ purchase: TransactionID<Interned>, by account: AccountID<Interned>?,
        at number: LineNumber
    ) -> Bool {
        guard self[purchase].memberOf == 0 else { return false }
        let original = original(of: original(of: purchase))
        if let line = lineIndex(of: original), lines[line].linkedLine > number { return true }
        return owner(of: purchase) == account
    }

    /// The purchases that are no periods and belong to an account, or did before they were linked
    /// to another one after a line of the log; consumables are left out where they are known.
    func purchases(
        of account: AccountID<Interned>?, at line: LineNumber = .max
    ) -> [TransactionID<Interned>] {
        heldPurchases.values(under: Holdings.key(account)).compactMap {
            let transaction = TransactionID<Interned>(index: Int($0))
            return isHeld(transaction, by: account, at: line) ? transaction : nil
        }
    }

    /// Whether a statement of an environment attests a transaction (G9.3).
    func isAttested(
        _ transaction: TransactionID<Interned>, in environment: Environment
    ) -> Bool {
        self[transaction].isStated(in: environment)
    }

    /// Whether a purchase may grant something in an environment: one that is attested there, and
    /// in production restores none that tests alone attest (G9.3).
    func mayGrant(
        _ purchase: TransactionID<Interned>, in environment: Environment
    ) -> Bool {
        guard isAttested(purchase, in: environment) else { return false }
        return environment != .production || testPurchase(restoredBy: purchase) == nil
    }
}
