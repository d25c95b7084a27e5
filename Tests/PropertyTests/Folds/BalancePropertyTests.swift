import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// The balances of random histories are those of a slow count, and those of the entitlements.
struct BalancePropertyTests {
    @Test func `balances are those of a slow count`() {
        expectHolds("balances are those of a slow count") { trial in
            let events = RandomCoins(trial.choices).events
            let bytes = try events.log()
            trial.show(
                lines: bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) })
            let show = try Folding.show(bytes)
            let rows = show.rows(of: Balances.self).map { RowJSON.text(of: $0.fields) }
            let expected = SlowBalances(events).rows
            return rows == expected ? nil : "\(rows), expected \(expected)"
        }
    }

    @Test func `what is left is what the account is entitled to`() {
        expectHolds("what is left is what the account is entitled to") { trial in
            let log = try GeneratedLog(trial.choices, faults: Set(Fault.allCases), upTo: 120)
            trial.show(log)
            let show = try Folding.show(log.bytes)
            for row in show.rows(of: Entitlements.self) where row.kind == .consumable {
                let balances = show.rows(of: Balances.self, account: row.account).filter {
                    $0.product == row.product && $0.account == row.account
                }
                guard balances.count == 1, balances[0].left == row.quantity else {
                    return "\(row): \(balances)"
                }
            }
            for row in show.rows(of: Balances.self) {
                trial.count(row.uncollected > 0 ? "uncollected" : "collected")
                if row.left != max(0, row.delivered - row.withdrawn - row.consumed)
                    || row.uncollected > min(row.refunded, row.consumed)
                {
                    return "\(row)"
                }
            }
            return nil
        }
    }
}

/// Random deliveries, uses, withdrawals and refunds of four purchases of two consumables.
///
/// Each purchase has one refund at most: in full, in part, or none but a revocation.
private struct RandomCoins {
    private(set) var events: [Event<Written>] = []
    private let choices: any ChoiceSource
    private let now = Timestamp(milliseconds: 1_767_225_600_000)

    /// The share that the refund of each purchase pays back, in thousandths of a percent; the last
    /// purchase is revoked.
    static let shares: [Int64] = [100_000, 60_000, 35_000, 0]

    init(_ choices: any ChoiceSource) {
        self.choices = choices
        add(.logOpened(.init(schema: 1)))
        for product: ProductID<Written> in ["coins", "gems"] {
            add(.catalogListed(.init(product: product, kind: .consumable)))
        }
        choices.mark()
        for number in 0..<Int64(4) where choices.choose(below: 4) > 0 {
            let purchase = QueuePurchased<Written>(
                transaction: RandomCoins.id(number), product: number == 2 ? "gems" : "coins",
                quantity: 3 + number, purchasedAt: now)
            let owner: AccountID<Written> = number < 3 ? "alice" : "bob"
            add(.queuePurchased(purchase), choices.choose(below: 4) > 0 ? owner : nil)
            choices.mark()
        }
        for _ in 0..<choices.number(in: 1...24) {
            let fact = fact()
            let isDelivery = fact.type == .deliveryDelivered
            add(fact, choices.pick(isDelivery ? [nil, "alice", "bob"] : ["alice", "bob"]))
            choices.mark()
        }
    }

    private static func id(_ number: Int64) -> TransactionID<Written> { .init("t\(number)") }

    private mutating func add(_ fact: Fact<Written>, _ account: AccountID<Written>? = nil) {
        let seq = Int64(events.count + 1)
        let at = now.advanced(byMilliseconds: seq * 60_000)
        // A withdrawal or a refund doesn't say whose it is.
        let isNamed = [.queuePurchased, .deliveryConsumed, .deliveryDelivered].contains(fact.type)
        events.append(Event(seq: seq, at: at, account: isNamed ? account : nil, fact))
    }

    private func fact() -> Fact<Written> {
        let number = choices.choose(below: 4)
        let id = RandomCoins.id(number)
        switch choices.choose(below: 4) {
        case 0:
            return .deliveryDelivered(
                .init(transaction: id, quantity: choices.pick([nil, 1, 2, 4])))
        case 1:
            return .deliveryConsumed(
                .init(
                    product: choices.pick(["coins", "gems"]), quantity: choices.pick([nil, 1, 3])))
        case 2:
            return .deliveryWithdrawn(
                .init(transaction: id, reason: .refunded, quantity: choices.pick([nil, 1, 2])))
        default:
            let share = RandomCoins.shares[Int(number)]
            if share == 0 { return .cancellationRevoked(.init(transaction: id, cancelledAt: now)) }
            return .cancellationRefunded(
                .init(transaction: id, cancelledAt: now, percent: share == 100_000 ? nil : share))
        }
    }
}

/// Balances from the contract, counted over all events for each account and product.
private struct SlowBalances {
    private let events: [Event<Written>]

    init(_ events: [Event<Written>]) { self.events = events }

    var rows: [String] {
        var rows: [String] = []
        for account: AccountID<Written>? in [nil, "alice", "bob"] {
            for product: ProductID<Written> in ["coins", "gems"] {
                if let row = row(account, product) { rows.append(row) }
            }
        }
        return rows
    }

    /// The account that a purchase names, otherwise that of its latest delivery.
    private func owner(_ purchase: Event<Written>) -> AccountID<Written>? {
        purchase.account
            ?? events.last {
                $0.type == .deliveryDelivered && $0.transaction == purchase.transaction
                    && $0.account != nil
            }?.account
    }

    private func row(_ account: AccountID<Written>?, _ product: ProductID<Written>) -> String? {
        var (bought, delivered, withdrawn, refunded) = (Int64(0), Int64(0), Int64(0), Int64(0))
        var (paid, lost): (Int64, Int64) = (0, 0)
        var ids: Set<TransactionID<Written>> = []
        for event in events {
            guard case .queuePurchased(let fact) = event.fact, owner(event) == account,
                fact.product == product, ids.insert(fact.transaction).inserted
            else { continue }
            let quantity = fact.quantity ?? 1
            let units = units(of: fact.transaction, quantity)
            let refund = refund(of: fact.transaction, quantity)
            bought += quantity
            delivered += units.delivered
            withdrawn += units.withdrawn
            refunded += refund
            lost += min(refund, units.delivered)
            let left = units.delivered - units.withdrawn
            paid += refund == 0 ? left : min(left, quantity - refund)
        }
        var consumed: Int64 = 0
        var isUsed = false
        for event in events {
            guard case .deliveryConsumed(let fact) = event.fact, fact.product == product,
                event.account == account
            else { continue }
            consumed += fact.quantity ?? 1
            isUsed = true
        }
        guard !ids.isEmpty || isUsed else { return nil }
        let left = max(0, delivered - withdrawn - consumed)
        let uncollected = min(lost, max(0, consumed - paid))
        let name = account.map { #""account":"\#($0)","# } ?? ""
        return #"{\#(name)"product":"\#(product)","bought":\#(bought),"#
            + #""delivered":\#(delivered),"consumed":\#(consumed),"withdrawn":\#(withdrawn),"#
            + #""refunded":\#(refunded),"left":\#(left),"uncollected":\#(uncollected)}"#
    }

    /// What the app delivered of a purchase and took back.
    private func units(
        of id: TransactionID<Written>, _ quantity: Int64
    ) -> (delivered: Int64, withdrawn: Int64) {
        var (held, withdrawn): (Int64, Int64) = (0, 0)
        for event in events where event.transaction == id {
            if case .deliveryDelivered(let fact) = event.fact {
                held += fact.quantity ?? max(1, quantity - held)
            } else if case .deliveryWithdrawn(let fact) = event.fact {
                let taken = min(held, fact.quantity ?? held)
                held -= taken
                withdrawn += taken
            }
        }
        return (held + withdrawn, withdrawn)
    }

    /// The whole units that a refund paid back.
    private func refund(of id: TransactionID<Written>, _ quantity: Int64) -> Int64 {
        for event in events {
            if case .cancellationRefunded(let fact) = event.fact, fact.transaction == id {
                guard let percent = fact.percent else { return quantity }
                let (units, rest) = (quantity * percent).quotientAndRemainder(dividingBy: 100_000)
                return min(quantity - 1, rest > 50_000 ? units + 1 : units)
            }
        }
        return 0
    }
}
