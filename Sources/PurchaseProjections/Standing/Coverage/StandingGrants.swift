import PurchaseEvents

/// What the app had delivered and not withdrawn at each use of a product, whatever had ended it.
struct StandingGrants {
    private struct StandingGrant {
        var transaction: TransactionHandle
        var start: Timestamp
        var lines: Range<LineNumber>
    }

    private let facts: Facts
    private let grants: GrantHistory
    private let environment: Environment
    private var byProduct: [ProductHandle: [StandingGrant]] = [:]

    init(_ scope: AccessScope, _ facts: Facts, _ grants: GrantHistory) {
        (self.facts, self.grants, environment) = (facts, grants, scope.environment)
        guard case .account(let account) = scope.owner else {
            for transaction in facts.knownTransactions { add(transaction, until: .max) }
            return
        }
        let key = IndexLists.key(account)
        for index in facts.subscriptionsByAccount.values(under: key) {
            let subscription = facts.subscriptions[Int(index)]
            let isOwner = facts.owner(of: subscription) == account
            for transaction in facts.transactions(of: subscription) {
                add(transaction, until: isOwner ? .max : subscription.linkedLine)
            }
        }
        for index in facts.purchasesByAccount.values(under: key) {
            let purchase = TransactionHandle(index: Int(index))
            let original = facts.original(of: facts.original(of: purchase))
            let linked =
                facts.subscriptionIndex(of: original).map { facts.subscriptions[$0].linkedLine }
                ?? 0
            let isOwner = facts.owner(of: purchase) == account
            add(purchase, until: isOwner ? .max : linked)
        }
        for transaction in grants.given(to: account, facts) { add(transaction, until: .max) }
    }

    /// Adds the lines at which a transaction was granted, before the line that moved it away.
    private mutating func add(_ transaction: TransactionHandle, until end: LineNumber) {
        guard let product = facts[transaction].product,
            let start = facts.span(of: transaction)?.start ?? facts.heldSince(transaction),
            facts[transaction].validation != .invalid, facts.kind(of: transaction) != .consumable,
            facts.mayGrant(transaction, in: environment)
        else { return }
        for lines in grants.standing(of: transaction, facts) where lines.lowerBound < end {
            byProduct[product, default: []].append(
                StandingGrant(
                    transaction: transaction, start: start, lines: lines.clamped(to: 0..<end)))
        }
    }

    /// For each of the given places of a list of uses, a transaction of the used product that had
    /// begun and was granted.
    ///
    /// Cost: sorts the uses and the grants.
    func find(_ uses: [Use], at places: [Int]) -> [Int: TransactionHandle] {
        var found: [Int: TransactionHandle] = [:]
        let byUsed = Dictionary(grouping: places) { uses[$0].target }
        for (target, places) in byUsed {
            guard case .product(let product) = target, let all = byProduct[product] else {
                continue
            }
            let begun = all.indices.map { (all[$0].start, $0, all[$0].lines) }
            AccessStack.latest(of: begun, for: uses, at: places) { place, grant in
                found[place] = all[grant].transaction
            }
        }
        return found
    }
}
