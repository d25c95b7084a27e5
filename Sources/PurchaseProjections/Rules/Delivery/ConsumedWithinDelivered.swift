import PurchaseEvents

/// No more of a consumable is used up than was delivered and not withdrawn (G4.11).
///
/// What an account has is what was delivered to it; what was delivered to nobody in particular may
/// be anybody's. What is found too much is not held against later uses. Costs memory for each
/// account and product of which something is left.
struct ConsumedWithinDelivered: Rule {
    static let id = "consumed-within-delivered"
    static let level = Level.warning
    static let statement =
        "No more of a consumable is consumed than was delivered to the account and not withdrawn."
    static let evidence = ["G4.11"]
    static let reads = EventTypes(.deliveryDelivered, .deliveryWithdrawn, .deliveryConsumed)

    /// What each account has left of a product; the absent account has what nobody is named for.
    private var purses = HandleMap<Int64>(0)
    /// What is left of a product in all, whoever has it.
    private var left = DenseTable<Int64>(0)
    /// The line of the latest delivery or withdrawal of a product.
    private var latest = DenseTable<LineNumber>(0)

    init() {}

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
        let purse = HandleKey(product, of: DeliveryWords.account(event, transaction, facts))
        let (before, after) = add(change, purse)
        // What one account used before it was refunded is not taken from the others.
        left[product.index] = saturatingSum(left[product.index], max(0, after) - max(0, before))
        latest[product.index] = line.number
    }

    /// Adds to what is in a purse; what there was before, and what there is now.
    @discardableResult
    private mutating func add(_ change: Int64, _ purse: HandleKey) -> (Int64, Int64) {
        let before = purses[purse] ?? 0
        let after = saturatingSum(before, change)
        if after != before { purses[purse] = after == 0 ? nil : after }
        return (before, after)
    }

    private mutating func consume(
        _ product: ProductID<Interned>, _ quantity: Int64, _ event: Event<Interned>,
        on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let own = HandleKey(product, of: event.account)
        let shared = HandleKey(product, of: nil)
        var available = left[product.index]
        if event.account != nil {
            let reach = saturatingSum((purses[own] ?? 0), max(0, (purses[shared] ?? 0)))
            available = min(available, reach)
        }
        let used = min(quantity, max(0, available))
        take(used, own, shared)
        left[product.index] = left[product.index] - used
        guard used < quantity else { return }
        let name = facts.names.text(of: product)
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("how many of \(name) were delivered is unknown; \(missed)")
        }
        report.find(
            event, on: line, facts, key: name,
            "\(facts.words(event.account)) consumes \(quantity) of \(name): expected at most the "
                + "\(max(0, available)) left of what was delivered to it and not withdrawn",
            notes: DeliveryWords.note(
                latest[product.index], "let the latest delivery or withdrawal of \(name) be this"),
            hint: "the account used more than it was given: look at what else gives it, or at "
                + "deliveries that the log lacks")
    }

    /// Takes from an account's own first, then from what nobody is named for.
    private mutating func take(_ quantity: Int64, _ own: HandleKey, _ shared: HandleKey) {
        let first = min(quantity, max(0, (purses[own] ?? 0)))
        add(-first, own)
        guard own != shared else { return }
        add(first - quantity, shared)
    }
}
