import PurchaseEvents

/// The units of consumables that accounts consumed, as `delivery.consumed` states them, and the
/// accounts that own the consumables.
package struct ConsumedUnits: Sendable, Snapshotted {
    /// The events that the units depend on besides the facts.
    static let reads = EventTypes(.deliveryDelivered, .deliveryConsumed)

    /// The consumed quantity of each consumable; saturates.
    private var consumed: [Holder: Int64] = [:]
    /// The account of the latest delivery of each purchase whose owner no statement named by then.
    private var recipients: [TransactionHandle: AccountHandle] = [:]

    package mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&consumed).visit(&recipients)
    }

    /// Creates the units at the beginning of a log.
    package init() {}

    /// Reads an event; only consumption in the log's environment counts (G9.3).
    package mutating func observe(_ event: LogEvent, _ facts: Facts) {
        if event.type == .deliveryDelivered { return noteRecipient(event, facts) }
        guard case .deliveryConsumed(let fact) = event.fact,
            facts.environment(of: event) == facts.logEnvironment
        else { return }
        let holder = Holder(account: event.account, product: fact.product)
        consumed[holder, default: 0].addSaturating(fact.quantity ?? 1)
    }

    private mutating func noteRecipient(_ event: LogEvent, _ facts: Facts) {
        guard let account = event.account, let transaction = event.transaction,
            facts.kind(of: transaction).map({ $0 == .consumable }) ?? true,
            facts.owner(of: transaction) == nil
        else { return }
        recipients[transaction] = account
    }

    /// The account that owns a purchase: the one that statements name, otherwise the one that the
    /// app delivered it to.
    func owner(of transaction: TransactionHandle, _ facts: Facts) -> AccountHandle? {
        facts.owner(of: transaction) ?? recipients[transaction]
    }

    /// Whether an account consumed more of a product than it has of its own, so that the rest was
    /// of purchases without a known owner.
    func isConsumedWithoutOwner(_ product: ProductHandle, _ stocks: [ConsumableStock]) -> Bool {
        var excess = consumed.filter { $0.key.product == product && $0.key.account != nil }
        for stock in stocks {
            let used = excess[stock.holder]
            excess[stock.holder] = used?.subtractingSaturating(stock.standing)
        }
        return excess.values.contains { $0 > 0 }
    }

    /// The stocks of all accounts with purchases of a consumable, in no particular order.
    ///
    /// Consumption without an account counts for the only account that bought the product. Cost:
    /// linear in the number of transactions.
    func stocks(_ facts: Facts, asOf instant: Timestamp) -> [ConsumableStock] {
        var stocks = facts.unconsumedStocks(asOf: instant) { owner(of: $0, facts) }
        let holders = ConsumedUnits.holders(of: stocks)
        for place in stocks.indices {
            let holder = stocks[place].holder
            var used = consumed[holder] ?? 0
            if holder.account != nil, holders[holder.product] == 1 {
                let unnamed = Holder(account: nil, product: holder.product)
                used.addSaturating(consumed[unnamed] ?? 0)
            }
            stocks[place].consumed = used
        }
        return stocks
    }

    /// Like ``stocks(_:asOf:)``, with the stocks of accounts that consumed a consumable without a
    /// purchase of it.
    func allStocks(_ facts: Facts, asOf instant: Timestamp) -> [ConsumableStock] {
        var stocks = stocks(facts, asOf: instant)
        let holders = ConsumedUnits.holders(of: stocks)
        let known = Set(stocks.map(\.holder))
        for (holder, used) in consumed
        where !known.contains(holder) && facts[holder.product].kind == .consumable {
            if holder.account == nil, holders[holder.product] == 1 { continue }
            var stock = ConsumableStock(holder)
            stock.consumed = used
            stocks.append(stock)
        }
        return stocks
    }

    /// The number of accounts that bought each product.
    private static func holders(of stocks: [ConsumableStock]) -> [ProductHandle: Int] {
        var holders: [ProductHandle: Int] = [:]
        for stock in stocks { holders[stock.holder.product, default: 0] += 1 }
        return holders
    }
}
