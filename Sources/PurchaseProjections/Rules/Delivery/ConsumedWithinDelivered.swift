import PurchaseEvents

/// No more of a consumable is used than was delivered and not withdrawn (G4.11).
///
/// An account owns what was delivered to it; a delivery without an account may be anyone's.
/// Environments never mix (G9.3). Excess use is reported once and does not affect later uses. Costs
/// memory for each account and product with a delivery or withdrawal.
struct ConsumedWithinDelivered: CatalogueRule {
    static let id = "consumed-within-delivered"
    static let level = Level.warning
    static let statement =
        "No more of a consumable is consumed than was delivered to the account and not withdrawn."
    static let evidence = ["G4.11"]
    static let reads = EventTypes(.deliveryDelivered, .deliveryWithdrawn, .deliveryConsumed)

    private var production = Balances(), sandbox = Balances(), xcode = Balances()

    private subscript(environment: Environment) -> Balances {
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

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .deliveryConsumed, case .deliveryConsumed(let consumed) = event.fact {
            report.test()
            consume(consumed.product, consumed.quantity ?? 1, event, on: line, facts, &report)
            return
        }
        guard let transaction = event.transaction,
            let product = facts[transaction].product,
            facts.kind(of: transaction).map({ $0 == .consumable }) ?? true
        else { return }
        let change =
            event.type == .deliveryWithdrawn
            ? -facts[transaction].withdrawnQuantity : Portion.of(transaction, facts).count
        let environment = facts[transaction].environment ?? facts.environment(of: event)
        self[environment].change(
            product, of: DeliveryPhrases.account(event, transaction, facts), by: change,
            on: line.number)
    }

    private mutating func consume(
        _ product: ProductID<Interned>, _ quantity: Int64, _ event: Event<Interned>,
        on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let environment = facts.environment(of: event)
        let available = self[environment].available(product, to: event.account)
        let used = min(quantity, max(0, available))
        self[environment].take(used, of: product, from: event.account)
        guard used < quantity else { return }
        let name = facts.names.text(of: product)
        if let reason = facts.incompleteReason {
            return report.cannotTell("how many of \(name) were delivered is unknown; \(reason)")
        }
        report.find(
            event, on: line, facts, key: name,
            "\(facts.describe(event.account)) consumes \(quantity) of \(name): expected at most "
                + "the \(max(0, available)) left of what was delivered to it and not withdrawn",
            notes: DeliveryPhrases.note(
                self[environment].latestLine(of: product, to: event.account),
                "let the latest delivery or withdrawal of \(name) be this"),
            hint: "the account used more than it was given: look for other sources of the product, "
                + "or for deliveries missing from the log")
    }
}

/// The balances of consumables in one environment.
private struct Balances: Sendable {
    /// The balance of each account and product; deliveries that name no account count under `nil`.
    private var balances = HandleMap<Int64>(0)
    /// The balance of each product over all accounts.
    private var left = DenseTable<Int64>(0)
    /// The line of the latest delivery or withdrawal for each account and product, and of each
    /// product over all accounts.
    private var latest = HandleMap<LineNumber>(0), latestOfAll = DenseTable<LineNumber>(0)

    /// The line of the latest delivery or withdrawal that an account's balance rests on; 0 if there
    /// is none.
    func latestLine(
        of product: ProductID<Interned>, to account: AccountID<Interned>?
    ) -> LineNumber {
        guard account != nil else { return latestOfAll[product.index] }
        let own = latest[HandleKey(product, of: account)] ?? 0
        return max(own, latest[HandleKey(product, of: nil)] ?? 0)
    }

    /// Records a delivery, or a withdrawal as a negative change.
    mutating func change(
        _ product: ProductID<Interned>, of account: AccountID<Interned>?, by change: Int64,
        on line: LineNumber
    ) {
        let (before, after) = add(change, HandleKey(product, of: account))
        // Units that an account used before a refund are not taken from other accounts.
        left[product.index].addSaturating(max(0, after) - max(0, before))
        latest[HandleKey(product, of: account)] = line
        latestOfAll[product.index] = line
    }

    /// The quantity that an account may use; `nil` stands for any account.
    func available(_ product: ProductID<Interned>, to account: AccountID<Interned>?) -> Int64 {
        guard account != nil else { return left[product.index] }
        let own = balances[HandleKey(product, of: account)] ?? 0
        let shared = balances[HandleKey(product, of: nil)] ?? 0
        return min(left[product.index], own.addingSaturating(max(0, shared)))
    }

    /// Takes an available quantity, first from the account's own balance, then from the unassigned
    /// one.
    mutating func take(
        _ quantity: Int64, of product: ProductID<Interned>, from account: AccountID<Interned>?
    ) {
        left[product.index] = left[product.index] - quantity
        let (own, shared) = (HandleKey(product, of: account), HandleKey(product, of: nil))
        let first = min(quantity, max(0, (balances[own] ?? 0)))
        add(-first, own)
        guard own != shared else { return }
        add(first - quantity, shared)
    }

    /// Adds to a balance; returns the balances before and after.
    @discardableResult
    private mutating func add(_ change: Int64, _ purse: HandleKey) -> (Int64, Int64) {
        let before = balances[purse] ?? 0
        let after = before.addingSaturating(change)
        if after != before { balances[purse] = after == 0 ? nil : after }
        return (before, after)
    }
}
