import PurchaseEvents

/// Whose accesses an index holds, and in which environment.
struct AccessScope: Hashable {
    enum Owner: Hashable {
        case account(AccountHandle)
        /// Every owner, also unknown ones.
        case anyone
        case unknown
        /// Whoever owns the line of a transaction, or the transaction.
        case holder(of: TransactionHandle)
    }

    var owner: Owner
    var environment: Environment

    init(owner: Owner, environment: Environment) {
        (self.owner, self.environment) = (owner, environment)
    }

    /// The scope of the uses of an account; those without an account may be anyone's.
    init(_ account: AccountHandle?, _ environment: Environment) {
        self.init(owner: account.map { .account($0) } ?? .anyone, environment: environment)
    }
}

/// The accesses of a scope at one position of the log; it answers many uses at once.
struct AccessIndex {
    private let facts: Facts
    private let boxes: [AccessBox]

    init(
        _ scope: AccessScope, _ facts: Facts, _ grants: GrantHistory?,
        onlyAttested attested: Bool = false
    ) {
        self.facts = facts
        var collector = AccessCollector(facts, scope, grants, onlyAttested: attested)
        collector.collect()
        boxes = collector.boxes
    }

    /// The accesses that may allow a use, by what is used.
    private enum Target: Hashable {
        /// A product until its access ends.
        case product(ProductHandle)
        /// Content without a publication date, while any access lasts.
        case undated
        /// Content with a publication date, by a purchase, of one product or any.
        case purchase(of: ProductHandle?)
        /// Content with a publication date, by a period, of one product and group or any.
        case period(of: ProductHandle?, in: GroupHandle?)
        /// Content with a publication date in a group, by a period whose group is unknown.
        case groupless(of: ProductHandle?)
    }

    /// A search for accesses to a target: those that start by an instant, and whose key is later
    /// than another.
    private struct Search {
        enum Key { case end, start }
        var target: Target
        var key: Key
        var startBy: Timestamp
        var keyAfter: Timestamp
    }

    /// Answers the uses at the given places of a list.
    ///
    /// - Parameter few: The number of pairs of accesses and uses that are compared one by one; more
    ///   are searched.
    func answer(_ uses: [Use], at places: [Int], _ coverages: inout [Coverage], few: Int = 4_096) {
        guard !boxes.isEmpty else { return }
        if boxes.count * places.count <= few {
            for place in places { compare(uses[place], &coverages[place]) }
            return
        }
        search(.granting, uses, places) { place, box in
            coverages[place].covering = boxes[box].access.transaction
            return true
        }
        let uncovered = places.filter { !coverages[$0].isCovered }
        guard !uncovered.isEmpty else { return }
        var refunded: [Int: [Int]] = [:]
        search(.refunded, uses, uncovered) { place, box in
            refunded[place, default: []].append(box)
            return refunded[place]?.count == Coverage.mostRefunded
        }
        for (place, found) in refunded {
            for box in found.sorted() {
                let transaction = boxes[box].access.transaction
                if !coverages[place].refunded.contains(transaction) {
                    coverages[place].refunded.append(transaction)
                }
            }
        }
        search(.unclear, uses, uncovered) { place, box in
            coverages[place].unclear = boxes[box].reason(facts)
            return true
        }
        findEnded(uses, uncovered, &coverages)
    }

    private func compare(_ use: Use, _ coverage: inout Coverage) {
        for box in boxes where box.lines.contains(use.line) {
            if box.isCertain, !box.isLinkedAway, isEnded(box.ended, use) {
                if coverage.lastEnded.map({ $0.end < box.ended.end }) ?? true {
                    coverage.lastEnded = box.ended
                }
                if box.lapses, coverage.lapsed.map({ $0.end < box.ended.end }) ?? true {
                    coverage.lapsed = box.ended
                }
            }
            guard box.instants.contains(use.at) else { continue }
            let transaction = box.access.transaction
            switch (facts.allows(box.access, use), box.standing) {
            case (false, _): break
            case (true, .granting) where box.isCertain: coverage.covering = transaction
            case (_, .granting): coverage.unclear = box.reason(facts)
            case (true, .refunded) where box.isCertain:
                if coverage.refunded.count < Coverage.mostRefunded,
                    !coverage.refunded.contains(transaction)
                {
                    coverage.refunded.append(transaction)
                }
            case (_, .refunded), (_, .unclear): break
            }
        }
    }

    /// Whether an access to the used product, or any access for content, had ended at a use.
    private func isEnded(_ access: Access, _ use: Use) -> Bool {
        guard access.end <= use.at else { return false }
        switch use.target {
        case .product(let product): return product == access.product
        case .content: return true
        }
    }

    // MARK: Accesses that allow a use

    /// Calls `body` with the accesses of a standing that allow each use, until it returns `true`.
    private func search(
        _ standing: AccessBox.Standing, _ uses: [Use], _ places: [Int], _ body: (Int, Int) -> Bool
    ) {
        var searches: [Target: [(place: Int, search: Search)]] = [:]
        for place in places {
            for search in self.searches(for: uses[place], standing) {
                searches[search.target, default: []].append((place, search))
            }
        }
        let candidates = candidates(standing, Set(searches.keys))
        var answered: Set<Int> = []
        for (target, all) in searches {
            guard let found = candidates[target] else { continue }
            for key in [Search.Key.end, .start] {
                let wanted = all.filter { $0.search.key == key }
                    .sorted { $0.search.startBy < $1.search.startBy }
                sweep(found, target, wanted, uses) { place, box in
                    guard !answered.contains(place) else { return true }
                    guard isAllowed(uses[place], by: boxes[box], standing) else { return false }
                    let isDone = body(place, box)
                    if isDone { answered.insert(place) }
                    return isDone
                }
            }
        }
    }

    /// Passes to each search, in order of its latest start, the accesses that it looks for.
    private func sweep(
        _ candidates: [Int], _ target: Target, _ searches: [(place: Int, search: Search)],
        _ uses: [Use], _ body: (Int, Int) -> Bool
    ) {
        guard let first = searches.first else { return }
        let windows = candidates.map { window(of: boxes[$0], target) }
        let byStart = candidates.indices.sorted { windows[$0].start < windows[$1].start }
        var stack = AccessStack(lines: searches.map { uses[$0.place].line })
        var next = 0
        for (place, search) in searches {
            while next < byStart.count, windows[byStart[next]].start <= search.startBy {
                let (box, window) = (candidates[byStart[next]], windows[byStart[next]])
                stack.insert(
                    box, key: first.search.key == .end ? window.end : window.start,
                    boxes[box].lines)
                next += 1
            }
            stack.forEach(at: uses[place].line, keyAfter: search.keyAfter) { body(place, $0) }
        }
    }

    /// Whether an access allows a use, as far as its standing says.
    private func isAllowed(_ use: Use, by box: AccessBox, _ standing: AccessBox.Standing) -> Bool {
        guard box.instants.contains(use.at) else { return false }
        return facts.allows(box.access, use) ?? (standing == .unclear)
    }

    /// The instants at which an access allows the use of a target; of dated content, the instants
    /// of the access itself.
    private func window(of box: AccessBox, _ target: Target) -> (start: Timestamp, end: Timestamp) {
        let access = box.access
        let (from, until) = (box.instants.lowerBound, box.instants.upperBound)
        switch target {
        case .product, .undated: return (max(access.start, from), min(box.ended.end, until))
        case .purchase: return (max(access.start, from), min(access.end, until))
        case .period, .groupless: return (access.start, access.end)
        }
    }

    /// The searches for the accesses that allow a use.
    private func searches(for use: Use, _ standing: AccessBox.Standing) -> [Search] {
        func current(_ target: Target) -> Search {
            Search(target: target, key: .end, startBy: use.begunBy, keyAfter: use.at)
        }
        switch use.target {
        case .product(let product): return [current(.product(product))]
        case .content(let id):
            guard let content = facts[id] else { return [current(.undated)] }
            var searches: [Search] = []
            if content.group == nil { searches.append(current(.purchase(of: content.product))) }
            var targets = [Target.period(of: content.product, in: content.group)]
            if content.group != nil { targets.append(.groupless(of: content.product)) }
            let published = content.publishedAt
            let before = published.advanced(byMilliseconds: -1)
            let next = facts.record.pointee.publications.next(after: content)?.advanced(
                byMilliseconds: -1)
            for target in targets {
                // Published during the access, or the newest when it started.
                searches.append(
                    Search(
                        target: target, key: .end, startBy: min(use.begunBy, before),
                        keyAfter: published))
                searches.append(
                    Search(
                        target: target, key: .start,
                        startBy: min(use.begunBy, next ?? use.begunBy),
                        keyAfter: before))
            }
            return searches
        }
    }

    /// The accesses of a standing by the targets that are searched for.
    private func candidates(
        _ standing: AccessBox.Standing, _ wanted: Set<Target>
    ) -> [Target: [Int]] {
        var candidates: [Target: [Int]] = [:]
        for (index, box) in boxes.enumerated() {
            let access = box.access
            let isUnclear = !box.isCertain
            var targets: [Target] = [.undated]
            if let product = access.product { targets.append(.product(product)) }
            if access.isPeriod {
                for product in [nil, access.product] {
                    if access.group == nil { targets.append(.groupless(of: product)) }
                    targets.append(.period(of: product, in: nil))
                    if let group = access.group { targets.append(.period(of: product, in: group)) }
                }
            } else {
                targets += [.purchase(of: nil), .purchase(of: access.product)]
            }
            for target in Set(targets) where wanted.contains(target) {
                let isGroupless = if case .groupless = target { true } else { false }
                let isOfStanding =
                    standing == .unclear
                    ? box.standing == .granting && (isUnclear || isGroupless)
                    : box.standing == standing && !isUnclear && !isGroupless
                if isOfStanding { candidates[target, default: []].append(index) }
            }
        }
        return candidates
    }

    // MARK: Accesses that had ended

    /// Finds the access that ended last before each use: of the used product, or any for content.
    private func findEnded(_ uses: [Use], _ places: [Int], _ coverages: inout [Coverage]) {
        let ended = boxes.indices.filter { boxes[$0].isCertain && !boxes[$0].isLinkedAway }
        var byTarget: [ProductHandle?: [Int]] = [:]
        for place in places {
            var product: ProductHandle?
            if case .product(let used) = uses[place].target { product = used }
            byTarget[product, default: []].append(place)
        }
        var byProduct: [ProductHandle?: [Int]] = [:]
        for box in ended where byTarget[boxes[box].access.product] != nil {
            byProduct[boxes[box].access.product, default: []].append(box)
        }
        for (product, places) in byTarget {
            let found = product == nil ? ended : byProduct[product] ?? []
            findLast(found, uses, places) { coverages[$0].lastEnded = boxes[$1].ended }
            findLast(found.filter { boxes[$0].lapses }, uses, places) {
                coverages[$0].lapsed = boxes[$1].ended
            }
        }
    }

    private func findLast(
        _ candidates: [Int], _ uses: [Use], _ places: [Int], _ body: (Int, Int) -> Void
    ) {
        let ended = candidates.map { (boxes[$0].ended.end, $0, boxes[$0].lines) }
        AccessStack.latest(of: ended, for: uses, at: places, body)
    }
}
