import PurchaseEvents

/// Answers many coverage questions at one position of the log, including uses without an account.
///
/// A use without an account is allowed by what anyone holds: a missing account is unstated, never a
/// different account. For a use with an account, purchases without a known owner leave the answer
/// unclear. Both answers come from tables that are built once, on demand.
struct CoverageIndex {
    private let facts: Facts
    private var tables: [Key: AccessTable] = [:]

    private struct Key: Hashable {
        var environment: Environment
        var isUnowned: Bool
    }

    /// Creates an index over the current facts.
    init(_ facts: Facts) { self.facts = facts }

    /// Whether a use is allowed; `over` holds accesses that had ended as known at the use.
    mutating func coverage(of use: Use, besides over: [Access] = []) -> Coverage {
        guard use.account != nil else {
            return table(use.environment, isUnowned: false).coverage(of: use, facts)
        }
        var coverage = facts.coverage(of: use, besides: over)
        guard !coverage.isCovered, coverage.unclear == nil else { return coverage }
        let unowned = table(use.environment, isUnowned: true).coverage(of: use, facts)
        if unowned.isCovered || !unowned.refunded.isEmpty {
            coverage.unclear = "no fact says whose some of the purchases are"
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
    private var shelves: [ProductID<Interned>?: Shelf] = [:]
    /// For each product, the earliest access that the log leaves unclear.
    private var unclear: [ProductID<Interned>?: (access: Access, reason: String)] = [:]

    /// The accesses to one product, by start.
    private struct Shelf {
        var all: [Access] = []
        /// The greatest end up to each index.
        var reach: [Timestamp] = [], reachUntil: [Timestamp] = []
        /// Accesses that were ever refunded or found invalid.
        var doubtful: [Access] = []
    }

    /// Creates the table of an environment. Cost: sorts the lines and purchases.
    init(_ facts: Facts, _ environment: Environment, isUnowned: Bool) {
        for line in facts.lines where !isUnowned || facts.owner(of: line.original) == nil {
            // Line 0, because the table answers for uses at every line.
            for access in facts.accesses(of: line, in: environment, knownBy: 0) {
                put(access, facts)
            }
        }
        for purchase in facts.knownTransactions {
            guard facts[purchase].holder != 0, facts[purchase].memberOf == 0,
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
        products = Set(shelves.keys).union(unclear.keys)
            .sorted { ($0?.index ?? -1) < ($1?.index ?? -1) }
        for product in Array(shelves.keys) { order(product) }
    }

    private mutating func put(_ access: Access, _ facts: Facts) {
        if facts[access.transaction].wasRefunded
            || facts[access.transaction].validation == .invalid
            || (facts[access.transaction].original.map { facts[$0].wasRefunded } ?? false)
        {
            shelves[access.product, default: Shelf()].doubtful.append(access)
        } else {
            shelves[access.product, default: Shelf()].all.append(access)
        }
    }

    private mutating func order(_ product: ProductID<Interned>?) {
        var shelf = shelves[product] ?? Shelf()
        shelf.all.sort { $0.start < $1.start }
        for access in shelf.all {
            shelf.reach.append(max(access.end, shelf.reach.last ?? access.end))
            let until = access.until ?? access.end
            shelf.reachUntil.append(max(until, shelf.reachUntil.last ?? until))
        }
        shelves[product] = shelf
    }

    /// Whether the table allows a use, whoever the user is.
    func coverage(of use: Use, _ facts: Facts) -> Coverage {
        var coverage = Coverage()
        for product in products {
            if case .product(let used) = use.target, used != product { continue }
            guard let shelf = shelves[product] else { continue }
            if let covering = covering(shelf, use, facts) {
                coverage.covering = covering
                return coverage
            }
            // If nothing covers the use, the finding names the access that ended last.
            if let last = shelf.all.last { coverage.add(last, use, facts) }
            for access in shelf.doubtful { coverage.add(access, use, facts) }
        }
        coverage.unclear =
            coverage.unclear
            ?? products.lazy.compactMap { unclear[$0] }
            .first { facts.allows($0.access, use) ?? true }?.reason
        return coverage
    }

    /// A transaction that allows a use, or any transaction of the product if that is enough.
    private func covering(
        _ shelf: Shelf, _ use: Use, _ facts: Facts
    ) -> TransactionID<Interned>? {
        let begun = shelf.all.lowerBound { $0.start > use.at }
        guard begun > 0 else { return nil }
        let latest = shelf.all[begun - 1].transaction
        switch use.target {
        case .product: return shelf.reachUntil[begun - 1] > use.at ? latest : nil
        case .content(let id):
            guard let content = facts[id] else {
                return shelf.reach[begun - 1] > use.at ? latest : nil
            }
            // The first access that starts at or after the publication, and the last that starts
            // before it.
            let after = shelf.all.lowerBound { $0.start >= content.publishedAt }
            if after < begun, facts.allows(shelf.all[after], use) ?? false {
                return shelf.all[after].transaction
            }
            let before = min(begun, after)
            guard before > 0, shelf.reach[before - 1] > content.publishedAt else { return nil }
            // All accesses to one product agree on product and group.
            var last = shelf.all[before - 1]
            last.end = shelf.reach[before - 1]
            return facts.allows(last, use) ?? false ? last.transaction : nil
        }
    }
}

/// Uses that no access allows yet; a later statement may, so they wait until the end of the log.
struct WaitingUses {
    private(set) var uses: [Use] = []
    private var limit = 4_096

    /// Keeps a use. Now and then drops the uses that have become covered, so that memory stays
    /// proportional to the log's purchases.
    mutating func keep(_ use: Use, _ facts: Facts) {
        uses.append(use)
        guard uses.count >= limit else { return }
        var index = CoverageIndex(facts)
        uses.removeAll { index.coverage(of: $0).isCovered }
        limit = max(4_096, uses.count * 2, facts.heldCount)
    }
}

extension Facts {
    /// The number of lines and purchases listed under accounts.
    var heldCount: Int { heldLines.count + heldPurchases.count }
}
