import PurchaseEvents

/// Answers for many uses at one position of the log, those without an account too.
///
/// A use without an account is allowed by what anybody has: an absent account is not said, never
/// another one. A use with one may be allowed by what no fact says whose it is, so the log can't
/// tell. Both are looked up in tables that are built once, where they are needed.
struct CoverageIndex {
    private let facts: Facts
    private var tables: [Key: AccessTable] = [:]

    private struct Key: Hashable {
        var environment: Environment
        var isUnowned: Bool
    }

    /// An index over what is known now.
    init(_ facts: Facts) { self.facts = facts }

    /// Whether a use is allowed, besides by what was over by what was known then.
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

/// What anybody may use in an environment, or what no fact says who may.
struct AccessTable {
    private var products: [ProductID<Interned>?] = []
    private var shelves: [ProductID<Interned>?: Shelf] = [:]
    /// Of each product the earliest of which the log can't tell what it gives.
    private var unclear: [ProductID<Interned>?: (access: Access, reason: String)] = [:]

    /// What one product gives access to, by start.
    private struct Shelf {
        var all: [Access] = []
        /// The greatest end up to each index.
        var reach: [Timestamp] = [], reachUntil: [Timestamp] = []
        /// Those that were ever refunded, or found invalid.
        var doubtful: [Access] = []
    }

    /// The table of an environment. Costs the lines and purchases, and their sorting.
    init(_ facts: Facts, _ environment: Environment, isUnowned: Bool) {
        for line in facts.lines where !isUnowned || facts.owner(of: line.original) == nil {
            // It answers for uses of all lines, the first one too.
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
        // In one order, so that a log always gets the same answer.
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

    /// Whether a use is allowed by what is in the table, whoever used it.
    func coverage(of use: Use, _ facts: Facts) -> Coverage {
        var coverage = Coverage()
        for product in products {
            if case .product(let used) = use.target, used != product { continue }
            guard let shelf = shelves[product] else { continue }
            if let covering = covering(shelf, use, facts) {
                coverage.covering = covering
                return coverage
            }
            // What ended last is named where nothing covers.
            if let last = shelf.all.last { coverage.add(last, use, facts) }
            for access in shelf.doubtful { coverage.add(access, use, facts) }
        }
        coverage.unclear =
            coverage.unclear
            ?? products.lazy.compactMap { unclear[$0] }
            .first { facts.allows($0.access, use) ?? true }?.reason
        return coverage
    }

    /// A transaction of a shelf that allows a use, or one of its product where that is enough.
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
            // The first that starts with it or after it, and the last that starts before it.
            let after = shelf.all.lowerBound { $0.start >= content.publishedAt }
            if after < begun, facts.allows(shelf.all[after], use) ?? false {
                return shelf.all[after].transaction
            }
            let before = min(begun, after)
            guard before > 0, shelf.reach[before - 1] > content.publishedAt else { return nil }
            // Whether product and group fit is the same for all of one product.
            var last = shelf.all[before - 1]
            last.end = shelf.reach[before - 1]
            return facts.allows(last, use) ?? false ? last.transaction : nil
        }
    }
}

/// Uses that nothing was seen to allow yet: a later statement may, so they wait for the end.
struct WaitingUses {
    private(set) var uses: [Use] = []
    private var limit = 4_096

    /// Keeps a use. From time to time those that are allowed by now are dropped, so that what is
    /// kept stays in proportion to the log's purchases.
    mutating func keep(_ use: Use, _ facts: Facts) {
        uses.append(use)
        guard uses.count >= limit else { return }
        var index = CoverageIndex(facts)
        uses.removeAll { index.coverage(of: $0).isCovered }
        limit = max(4_096, uses.count * 2, facts.heldCount)
    }
}

extension Facts {
    /// How many lines and purchases are listed among what accounts hold.
    var heldCount: Int { heldLines.count + heldPurchases.count }
}
