import PurchaseEvents
import PurchaseProjections

// Consumables: what is used was delivered (G4.11).
extension SlowChecker {
    static let units: [(id: String, marks: Judge)] = [
        (
            "consumed-within-delivered",
            { log in log.withDeliveriesByTransaction.apart.flatMap { SlowUnits($0).excess } }
        )
    ]

    /// The log with each delivery and withdrawal in the environment of its transaction, whatever
    /// the line itself names; that they differ is a finding of another rule.
    private var withDeliveriesByTransaction: SlowChecker {
        SlowChecker(
            events: events.indices.map { place in
                var event = events[place]
                let types: [EventType] = [.deliveryDelivered, .deliveryWithdrawn]
                guard types.contains(event.type), let id = event.transaction else { return event }
                let before = statementsOf(id, in: events[..<place])
                let statements = before.isEmpty ? statementsOf(id, in: events[...]) : before
                guard !statements.isEmpty else { return event }
                let own = statements.map { $0.environment ?? ofLog }
                event.environment = [.production, .sandbox].first { own.contains($0) } ?? .xcode
                return event
            })
    }

    private func statementsOf(
        _ id: TransactionID<Written>, in part: ArraySlice<Event<Written>>
    ) -> [Event<Written>] {
        part.filter { $0.transaction == id && SlowChecker.statements.contains($0.type) }
    }
}

/// The units of consumables in the order of the log.
private struct SlowUnits {
    /// Units that one account got of one transaction; without an account they may be anyone's.
    private struct Lot {
        var transaction: TransactionID<Written>
        var product: ProductID<Written>
        var account: AccountID<Written>?
        var count: Int64
    }
    private struct Purse: Hashable {
        var product: ProductID<Written>
        var account: AccountID<Written>?
    }

    let log: SlowChecker
    private let whole: SlowLines
    private var lots: [Lot] = []
    /// What each account may still use; less than nothing where used units were withdrawn.
    private var purses: [Purse: Int64] = [:]
    /// What all accounts together may still use.
    private var left: [ProductID<Written>: Int64] = [:]

    init(_ log: SlowChecker) {
        self.log = log
        whole = SlowLines(log)
    }

    /// The uses of more than was delivered and not withdrawn; excess is found once.
    var excess: [SlowChecker.Mark] {
        var units = self
        return log.events.indices.compactMap { place in
            switch log.events[place].fact {
            case .deliveryDelivered(let said): units.deliver(said, place)
            case .deliveryWithdrawn(let said): units.withdraw(said, log.events[place].account)
            case .deliveryConsumed(let said):
                let wanted = said.quantity ?? 1
                let used = units.take(wanted, said.product, log.events[place].account)
                if used < wanted { return SlowChecker.Mark(line: place + 1, level: .warning) }
            case _: break
            }
            return nil
        }
    }

    private mutating func deliver(_ said: DeliveryDelivered<Written>, _ place: Int) {
        let id = said.transaction
        // A delivery counts also where its statement comes later.
        let isStated = log.product(of: id, upTo: place) != nil
        let known = isStated ? place : log.events.count - 1
        guard let product = log.product(of: id, upTo: known),
            log.kind(of: id, upTo: known).map({ $0 == .consumable }) ?? true
        else { return }
        let lines = isStated ? SlowLines(SlowChecker(events: Array(log.events[...place]))) : whole
        let before = lots.filter { $0.transaction == id }.map(\.count).reduce(0, +)
        let rest = max(1, log.quantity(of: id, upTo: known) - before)
        let count = said.quantity ?? rest
        let account = log.events[place].account ?? lines.owner(of: id)
        lots.append(Lot(transaction: id, product: product, account: account, count: count))
        change(Purse(product: product, account: account), by: count)
    }

    /// Takes back a transaction's units, those of the named account first, then from those who got
    /// them first; without a quantity all.
    private mutating func withdraw(
        _ said: DeliveryWithdrawn<Written>, _ account: AccountID<Written>?
    ) {
        var left = said.quantity ?? .max
        let named = lots.indices.filter { lots[$0].account == account }
        let order = named + lots.indices.filter { !named.contains($0) }
        for index in order where lots[index].transaction == said.transaction {
            let taken = min(left, lots[index].count)
            left -= taken
            lots[index].count -= taken
            change(Purse(product: lots[index].product, account: lots[index].account), by: -taken)
        }
    }

    private mutating func change(_ purse: Purse, by count: Int64) {
        let before = purses[purse] ?? 0
        purses[purse] = before + count
        left[purse.product, default: 0] += max(0, before + count) - max(0, before)
    }

    /// Takes what an account may use, its own first; a use without an account is of anyone's.
    private mutating func take(
        _ wanted: Int64, _ product: ProductID<Written>, _ account: AccountID<Written>?
    ) -> Int64 {
        let own = Purse(product: product, account: account)
        let shared = Purse(product: product, account: nil)
        let all = left[product] ?? 0
        let held = (purses[own] ?? 0) + max(0, purses[shared] ?? 0)
        let used = min(wanted, max(0, account == nil ? all : min(all, held)))
        left[product] = all - used
        let first = min(used, max(0, purses[own] ?? 0))
        purses[own, default: 0] -= first
        if account != nil { purses[shared, default: 0] -= used - first }
        return used
    }
}
