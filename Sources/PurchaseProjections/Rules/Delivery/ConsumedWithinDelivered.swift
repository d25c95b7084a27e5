import PurchaseEvents

/// No more of a consumable is used than was delivered and not withdrawn (G4.11).
///
/// An account owns what was delivered to it; a delivery without an account may be anyone's. A
/// withdrawal takes back its transaction's deliveries from those who got them. Environments never
/// mix (G9.3). Excess use is reported once and does not affect later uses. Once a delivery came
/// before the statement of its transaction, excess uses are judged at the end of the log, because
/// only a later statement says what was delivered. Costs memory for each account and product with a
/// delivery or withdrawal, and four bytes for each transaction.
struct ConsumedWithinDelivered: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "No more of a consumable is consumed than was delivered to the account and not withdrawn. "
        + "A delivery counts in the environment of its transaction, also where that is stated "
        + "later, and a withdrawal takes back its transaction's deliveries, whoever is named; of a "
        + "part, those of the named account first."
    static let evidence = ["G4.11"]
    static let reads = EventTypes(.deliveryDelivered, .deliveryWithdrawn, .deliveryConsumed)

    private var balances = EnvironmentBalances()
    private var recipients = Recipients()
    /// The deliveries and withdrawals of transactions that were delivered before their first
    /// statement, and the excess uses since, by line.
    private var early: [EarlyChange] = []
    private var earlyTransactions: Set<TransactionHandle> = []
    private var waiting: [ExcessUse] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&balances).visit(&recipients).visit(&early).visit(&earlyTransactions)
        visitor.visit(&waiting)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .deliveryConsumed, case .deliveryConsumed(let consumed) = event.fact {
            report.test()
            consume(consumed.product, consumed.quantity ?? 1, event, on: line, facts, &report)
            return
        }
        guard let transaction = event.transaction else { return }
        let isWithdrawal = event.type == .deliveryWithdrawn
        guard let product = facts[transaction].product, !isEarly(transaction) else {
            if !isWithdrawal { earlyTransactions.insert(transaction) }
            if isEarly(transaction) { noteEarly(transaction, event, line.number) }
            return
        }
        guard facts.kind(of: transaction).map({ $0 == .consumable }) ?? true else { return }
        let environment = facts[transaction].environment ?? facts.environment(of: event)
        if isWithdrawal {
            let all = recipients.take(
                transaction, facts[transaction].withdrawnQuantity, from: event.account)
            for (account, count) in all {
                balances[environment].change(product, of: account, by: -count, on: line.number)
            }
        } else {
            let account = facts.account(event, transaction)
            let count = LatestDelivery.of(transaction, facts).count
            recipients.add(account, transaction, count, facts[transaction].deliveredBefore)
            balances[environment].change(product, of: account, by: count, on: line.number)
        }
    }

    private func isEarly(_ transaction: TransactionHandle) -> Bool {
        !earlyTransactions.isEmpty && earlyTransactions.contains(transaction)
    }

    private mutating func noteEarly(
        _ transaction: TransactionHandle, _ event: LogEvent, _ line: LineNumber
    ) {
        var change = EarlyChange(transaction: transaction, account: event.account, line: line)
        if case .deliveryDelivered(let delivered) = event.fact {
            change.isDelivery = true
            change.quantity = delivered.quantity
        } else if case .deliveryWithdrawn(let withdrawn) = event.fact {
            change.quantity = withdrawn.quantity
        }
        early.append(change)
    }

    private mutating func consume(
        _ product: ProductHandle, _ quantity: Int64, _ event: LogEvent,
        on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let environment = facts.environment(of: event)
        let available = balances[environment].available(product, to: event.account)
        let used = min(quantity, max(0, available))
        balances[environment].take(used, of: product, from: event.account)
        guard used < quantity else { return }
        let use = ExcessUse(
            product: product, account: event.account, environment: environment, line: line.number,
            quantity: quantity, lacking: quantity - used,
            latestLine: balances[environment].latestLine(of: product, to: event.account))
        if early.isEmpty { find(use, facts, &report) } else { waiting.append(use) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        guard !waiting.isEmpty else { return }
        var credits = EarlyCredits()
        var next = 0
        for var use in waiting {
            while next < early.count, early[next].line < use.line {
                credits.apply(early[next], facts)
                next += 1
            }
            let available = credits.balances[use.environment].available(
                use.product, to: use.account)
            let used = min(use.lacking, max(0, available))
            credits.balances[use.environment].take(used, of: use.product, from: use.account)
            use.lacking -= used
            if use.lacking > 0 { find(use, facts, &report) }
        }
    }

    private func find(_ use: ExcessUse, _ facts: Facts, _ report: inout Report) {
        let name = facts.names.text(of: use.product)
        if let reason = facts.incompleteReason {
            return report.cannotTell("how many of \(name) were delivered is unknown; \(reason)")
        }
        report.find(
            at: use.line, facts, account: use.account, key: name,
            "\(facts.describe(use.account)) consumes \(use.quantity) of \(name): expected at most "
                + "the \(use.quantity - use.lacking) left of what was delivered to it and not "
                + "withdrawn",
            notes: Finding.note(
                use.latestLine, "let the latest delivery or withdrawal of \(name) be this"),
            hint: "the account used more than it was given: look for other sources of the product, "
                + "or for deliveries missing from the log")
    }
}

private struct ExcessUse: Sendable {
    var product: ProductHandle
    var account: AccountHandle?
    var environment: Environment
    var line: LineNumber
    /// The quantity used, and the part of it that nothing covers.
    var quantity: Int64, lacking: Int64
    /// The line of the latest delivery or withdrawal of the product; 0 if there is none.
    var latestLine: LineNumber
}

/// A delivery or withdrawal of a transaction that was delivered before its first statement.
private struct EarlyChange: Sendable {
    var transaction: TransactionHandle
    var account: AccountHandle?
    var line: LineNumber
    var isDelivery = false
    var quantity: Int64?
}

/// The accounts that got what was delivered of each transaction since its last withdrawal.
private struct Recipients: Sendable, Snapshotted {
    /// The account of each transaction's latest delivery, by ``IndexLists/key(_:)``.
    private var latest = DenseTable<UInt32>(0)
    private var several: [TransactionHandle: Portions] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&latest).visit(&several) }

    /// Records a delivery, and how much was delivered before.
    mutating func add(
        _ account: AccountHandle?, _ transaction: TransactionHandle, _ count: Int64, _ before: Int64
    ) {
        let (key, known) = (IndexLists.key(account), latest[transaction.index])
        latest[transaction.index] = key
        guard before > 0, known != 0, known != key || several[transaction] != nil else { return }
        if several[transaction] == nil { several[transaction] = Portions(known, before) }
        several[transaction]?.add(count, to: key)
    }

    /// Removes and returns what the accounts got of a transaction, `count` in all: first that of
    /// the account which the withdrawal names, then that of those who got it first.
    mutating func take(
        _ transaction: TransactionHandle, _ count: Int64, from account: AccountHandle?
    ) -> [(AccountHandle?, Int64)] {
        if several[transaction] != nil {
            let taken = several[transaction]?.take(count, from: IndexLists.key(account)) ?? []
            if several[transaction]?.isEmpty ?? true { several[transaction] = nil }
            return taken.map { (Recipients.account($0), $1) }
        }
        let known = latest[transaction.index]
        return known == 0 || count == 0 ? [] : [(Recipients.account(known), count)]
    }

    private static func account(_ key: UInt32) -> AccountHandle? {
        key < 2 ? nil : AccountID(index: Int(key) - 2)
    }
}

/// The units that each of several accounts got of one transaction, by ``IndexLists/key(_:)``.
private struct Portions: Sendable, SnapshottedElement {
    private var counts: [UInt32: Int64] = [:]
    /// The accounts in the order of their first unit; those before `first` have nothing left.
    private var order: [UInt32] = []
    private var first = 0

    init() {}

    init(_ account: UInt32, _ count: Int64) { add(count, to: account) }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&counts).visit(&order).visit(&first)
    }

    var isEmpty: Bool { first == order.count }

    mutating func add(_ count: Int64, to account: UInt32) {
        if counts[account] == nil { order.append(account) }
        counts[account] = (counts[account] ?? 0).addingSaturating(count)
    }

    /// Takes units from an account, then from the others in order.
    ///
    /// Cost: the number of accounts that have nothing left.
    mutating func take(_ count: Int64, from account: UInt32) -> [(UInt32, Int64)] {
        var left = count
        var taken: [(UInt32, Int64)] = []
        func take(from account: UInt32) {
            let units = min(left, counts[account] ?? 0)
            guard units > 0 else { return }
            counts[account] = (counts[account] ?? 0) - units
            left -= units
            taken.append((account, units))
        }
        take(from: account)
        while first < order.count {
            take(from: order[first])
            guard counts[order[first]] == 0 else { break }
            counts[order[first]] = nil
            first += 1
        }
        return taken
    }
}

/// What transactions that were delivered before their first statement add to the balances.
private struct EarlyCredits {
    var balances = EnvironmentBalances()
    private var recipients = Recipients()
    private var delivered: [TransactionHandle: Int64] = [:]

    /// Applies a delivery or withdrawal, with what the whole log says of its transaction.
    mutating func apply(_ change: EarlyChange, _ facts: Facts) {
        let transaction = change.transaction
        guard let product = facts[transaction].product,
            let environment = facts[transaction].environment,
            facts.kind(of: transaction).map({ $0 == .consumable }) ?? true
        else { return }
        let before = delivered[transaction] ?? 0
        guard change.isDelivery else {
            let count = min(change.quantity ?? before, before)
            delivered[transaction] = before - count
            for (account, count) in recipients.take(transaction, count, from: change.account) {
                balances[environment].change(product, of: account, by: -count, on: change.line)
            }
            return
        }
        let account = change.account ?? facts.owner(of: transaction)
        let rest = max(1, facts[transaction].quantity.subtractingSaturating(before))
        let count = change.quantity ?? rest
        delivered[transaction] = before.addingSaturating(count)
        recipients.add(account, transaction, count, before)
        balances[environment].change(product, of: account, by: count, on: change.line)
    }
}

private struct EnvironmentBalances: Sendable, Snapshotted {
    private var production = UnitBalances(), sandbox = UnitBalances(), xcode = UnitBalances()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&production).visit(&sandbox).visit(&xcode)
    }

    subscript(environment: Environment) -> UnitBalances {
        _read {
            switch environment {
            case .production: yield production
            case .sandbox: yield sandbox
            case .xcode: yield xcode
            }
        }
        _modify {
            switch environment {
            case .production: yield &production
            case .sandbox: yield &sandbox
            case .xcode: yield &xcode
            }
        }
    }
}

private struct UnitBalances: Sendable, Snapshotted {
    private struct Balance: Sendable {
        var units: Int64 = 0
        /// The line of the latest delivery or withdrawal, as long as `units`, so that a snapshot
        /// holds no bytes between the fields.
        var latestLine = 0
    }

    /// The balance of each account and product; deliveries that name no account count under `nil`.
    private var balances = HandleMap(Balance())
    /// The balance of each product over all accounts.
    private var all = DenseTable(Balance())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&balances).visit(&all) }

    /// The line of the latest delivery or withdrawal that an account's balance rests on; 0 if there
    /// is none.
    func latestLine(of product: ProductHandle, to account: AccountHandle?) -> LineNumber {
        guard account != nil else { return LineNumber(all[product.index].latestLine) }
        let own = balances[orEmpty: HandleKey(product, of: account)].latestLine
        let shared = balances[orEmpty: HandleKey(product, of: nil)].latestLine
        return LineNumber(max(own, shared))
    }

    /// Records a delivery, or a withdrawal as a negative change.
    mutating func change(
        _ product: ProductHandle, of account: AccountHandle?, by change: Int64, on line: LineNumber
    ) {
        let purse = HandleKey(product, of: account)
        let before = balances[orEmpty: purse].units
        let after = before.addingSaturating(change)
        balances[orEmpty: purse] = Balance(units: after, latestLine: Int(line))
        // Units that an account used before a refund are not taken from other accounts.
        all[product.index].units.addSaturating(max(0, after) - max(0, before))
        all[product.index].latestLine = Int(line)
    }

    /// The quantity that an account may use; `nil` stands for any account.
    func available(_ product: ProductHandle, to account: AccountHandle?) -> Int64 {
        let left = all[product.index].units
        guard account != nil else { return left }
        let own = balances[orEmpty: HandleKey(product, of: account)].units
        let shared = balances[orEmpty: HandleKey(product, of: nil)].units
        return min(left, own.addingSaturating(max(0, shared)))
    }

    /// Takes an available quantity, first from the account's own balance, then from the unassigned
    /// one.
    mutating func take(_ quantity: Int64, of product: ProductHandle, from account: AccountHandle?) {
        guard quantity > 0 else { return }
        all[product.index].units -= quantity
        let (own, shared) = (HandleKey(product, of: account), HandleKey(product, of: nil))
        let first = min(quantity, max(0, balances[orEmpty: own].units))
        if first > 0 { balances[orEmpty: own].units -= first }
        if first < quantity, own != shared { balances[orEmpty: shared].units -= quantity - first }
    }
}
