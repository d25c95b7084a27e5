import PurchaseEvents

/// Answers many coverage questions at one position of the log, including uses without an account.
///
/// The periods and purchases of any account allow a use without an account: the account is
/// unstated, not a different one. For a use with an account, purchases without a known owner leave
/// the answer unclear. Both answers come from tables that are built once, on demand.
struct CoverageIndex {
    private let facts: Facts
    private var tables: [Key: AccessTable] = [:]

    private struct Key: Hashable {
        var environment: Environment
        var isUnowned: Bool
    }

    /// Creates an index over the current facts.
    init(_ facts: Facts) { self.facts = facts }

    /// Whether a use is allowed; `endedAccesses` had ended as far as the log knew then.
    mutating func coverage(of use: Use, endedAccesses: [Access] = []) -> Coverage {
        guard use.account != nil else {
            return table(use.environment, isUnowned: false).coverage(of: use, facts)
        }
        var coverage = facts.coverage(of: use, endedAccesses: endedAccesses)
        guard !coverage.isCovered, coverage.unclear == nil else { return coverage }
        let unowned = table(use.environment, isUnowned: true).coverage(of: use, facts)
        if unowned.isCovered || !unowned.refunded.isEmpty {
            coverage.unclear = "no fact says who owns some of the purchases"
        } else {
            coverage.unclear = unowned.unclear
        }
        return coverage
    }

    private mutating func table(_ environment: Environment, isUnowned: Bool) -> AccessTable {
        let key = Key(environment: environment, isUnowned: isUnowned)
        if let table = tables[key] { return table }
        let table = AccessTable(facts, environment, isUnowned: isUnowned)
        tables[key] = table
        return table
    }
}

/// The accesses of everyone in an environment, or only those without a known owner.
struct AccessTable {
    private var products: [ProductID<Interned>?] = []
    private var byProduct: [ProductID<Interned>?: ProductAccesses] = [:]
    /// For each product, the earliest access that the log leaves unclear.
    private var unclear: [ProductID<Interned>?: (access: Access, reason: String)] = [:]

    /// The accesses to one product, by start.
    private struct ProductAccesses {
        var all: [Access] = []
        /// The greatest end of the accesses up to each index, without and with the app's own end.
        var reach: [Timestamp] = [], reachUntil: [Timestamp] = []
        /// Accesses that were ever refunded or found invalid.
        var doubtful: [Access] = []
    }

    /// Creates the table of an environment.
    ///
    /// Cost: sorts the lines and purchases.
    init(_ facts: Facts, _ environment: Environment, isUnowned: Bool) {
        for line in facts.lines where !isUnowned || facts.owner(of: line.original) == nil {
            // Line 0, because the table answers for uses at every line.
            for access in facts.accesses(of: line, in: environment, knownBy: 0) {
                put(access, facts)
            }
        }
        for purchase in facts.knownTransactions {
            guard facts[purchase].listKey != 0, facts[purchase].periodOfLine == 0,
                facts.mayGrant(purchase, in: environment),
                !isUnowned || facts.owner(of: purchase) == nil
            else { continue }
            switch facts.access(of: purchase) {
            case .none: break
            case .certain(let access): put(access, facts)
            case .unclear(let access, let reason):
                let before = unclear[access.product]
                if before.map({ access.start < $0.access.start }) ?? true {
                    unclear[access.product] = (access, reason)
                }
            }
        }
        // A fixed order gives the same answer every time.
        products = Set(byProduct.keys).union(unclear.keys)
            .sorted { ($0?.index ?? -1) < ($1?.index ?? -1) }
        for product in Array(byProduct.keys) { order(product) }
    }

    private mutating func put(_ access: Access, _ facts: Facts) {
        if facts[access.transaction].wasRefunded
            || facts[access.transaction].validation == .invalid
            || (facts[access.transaction].original.map { facts[$0].wasRefunded } ?? false)
        {
            byProduct[access.product, default: ProductAccesses()].doubtful.append(access)
        } else {
            byProduct[access.product, default: ProductAccesses()].all.append(access)
        }
    }

    private mutating func order(_ product: ProductID<Interned>?) {
        var accesses = byProduct[product] ?? ProductAccesses()
        accesses.all.sort { $0.start < $1.start }
        for access in accesses.all {
            accesses.reach.append(max(access.end, accesses.reach.last ?? access.end))
            let until = access.until ?? access.end
            accesses.reachUntil.append(max(until, accesses.reachUntil.last ?? until))
        }
        byProduct[product] = accesses
    }

    /// Whether the table allows a use, whoever the user is.
    func coverage(of use: Use, _ facts: Facts) -> Coverage {
        var coverage = Coverage()
        for product in products {
            if case .product(let used) = use.target, used != product { continue }
            guard let accesses = byProduct[product] else { continue }
            if let covering = covering(accesses, use, facts) {
                coverage.covering = covering
                return coverage
            }
            // If nothing covers the use, the finding names the access that ended last.
            if let last = accesses.all.last { coverage.add(last, use, facts) }
            for access in accesses.doubtful { coverage.add(access, use, facts) }
        }
        coverage.unclear =
            coverage.unclear
            ?? products.lazy.compactMap { unclear[$0] }
            .first { facts.allows($0.access, use) ?? true }?.reason
        return coverage
    }

    /// A transaction to name for a use that the accesses to one product allow; `nil` if none allows
    /// it.
    ///
    /// The named transaction may not be the one that covers the use.
    private func covering(
        _ accesses: ProductAccesses, _ use: Use, _ facts: Facts
    ) -> TransactionID<Interned>? {
        let begun = accesses.all.lowerBound { $0.start > use.at }
        guard begun > 0 else { return nil }
        let latest = accesses.all[begun - 1].transaction
        switch use.target {
        case .product: return accesses.reachUntil[begun - 1] > use.at ? latest : nil
        case .content(let id):
            guard let content = facts[id] else {
                return accesses.reach[begun - 1] > use.at ? latest : nil
            }
            // The first access that starts at or after the publication, and the last that starts
            // before it.
            let after = accesses.all.lowerBound { $0.start >= content.publishedAt }
            if after < begun, facts.allows(accesses.all[after], use) ?? false {
                return accesses.all[after].transaction
            }
            let before = min(begun, after)
            guard before > 0, accesses.reach[before - 1] > content.publishedAt else { return nil }
            // All accesses to one product agree on product and group.
            var last = accesses.all[before - 1]
            last.end = accesses.reach[before - 1]
            return facts.allows(last, use) ?? false ? last.transaction : nil
        }
    }
}
