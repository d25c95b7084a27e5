import PurchaseEvents

/// The products that were delivered to one owner on one device, and the launches that left them
/// out.
///
/// A product that a launch left out is not looked at again until a launch unlocks it: the launches
/// in between are counted then, or at the end of the log.
struct GrantedProducts: Sendable, SnapshottedElement {
    /// A launch that unlocked something of the owner.
    struct Launch: Sendable, SnapshottedElement {
        var line: LineNumber = 0
        var at = Timestamp.earliest
        /// The latest line that was not understood when the launch was judged; 0 if there is none.
        var unreadLine: LineNumber = 0
        /// What the launch unlocked, as far as a finding names it, and the number of all.
        var unlocked: [UnlockedProduct] = [], unlockedCount = 0

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&line).visit(&at).visit(&unreadLine).visit(&unlocked)
            visitor.visit(&unlockedCount)
        }
    }

    /// The launches that left out a product.
    struct Miss: Sendable, SnapshottedElement {
        /// The transaction that was still owed, and the line of its delivery.
        var transaction = TransactionHandle(index: 0)
        var deliveredLine: LineNumber = 0
        /// The first launch, the number of all, and the line of the last.
        var first = Launch()
        var count = 0
        var lastLine: LineNumber = 0

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&transaction).visit(&deliveredLine).visit(&first).visit(&count)
            visitor.visit(&lastLine)
        }
    }

    enum GrantStatus {
        case owed
        /// It is not owed now, but may be later.
        case waiting
        /// It is not owed, until an event adds it again.
        case over
    }

    private enum State {
        /// The next launch must unlock the product, as far as it is owed.
        case active
        /// Nothing is owed.
        case idle
        /// Launches left out the owed transaction, from the launch with this index on; its delivery
        /// was on this line.
        case leftOut(TransactionHandle, Int, LineNumber)
    }

    private struct Product: Sendable, SnapshottedElement {
        var state = State.idle
        /// The delivered transactions, the latest last.
        var transactions: [TransactionHandle] = []

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&state).visit(&transactions)
        }
    }

    private var products: [ProductHandle: Product] = [:]
    private var active: [ProductHandle] = []
    private var launches: [Launch] = []
    /// The launches that left out each product; complete after ``end(_:_:)``.
    private(set) var misses: [ProductHandle: Miss] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&products).visit(&active).visit(&launches).visit(&misses)
    }

    /// Adds a delivered transaction, so that the next launch must unlock its product.
    mutating func add(
        _ transaction: TransactionHandle, of product: ProductHandle, _ facts: Facts,
        _ report: inout Report
    ) {
        guard let place = products.index(forKey: product) else {
            products[product] = Product(state: .active, transactions: [transaction])
            active.append(product)
            return
        }
        count(place, facts, &report)
        products.values[place].transactions.append(transaction)
        if case .active = products.values[place].state { return }
        products.values[place].state = .active
        active.append(product)
    }

    /// The places of the given products that launches left out, by product.
    private func leftOut(
        among given: some Sequence<ProductHandle>
    ) -> [[ProductHandle: Product].Index] {
        given.compactMap { product in
            guard let place = products.index(forKey: product),
                case .leftOut = products.values[place].state
            else { return nil }
            return place
        }
        .sorted { products.keys[$0].index < products.keys[$1].index }
    }

    mutating func judge(
        _ launch: Launch, unlocked own: Set<ProductHandle>, _ facts: Facts,
        _ report: inout Report, _ grant: (TransactionHandle) -> GrantStatus
    ) {
        for place in leftOut(among: own) {
            count(place, facts, &report)
            products.values[place].state = .active
            active.append(products.keys[place])
        }
        launches.append(launch)
        active.removeAll { product in
            guard !own.contains(product), let place = products.index(forKey: product) else {
                return false
            }
            let state = GrantedProducts.state(
                &products.values[place].transactions, launches.count - 1, facts, grant)
            products.values[place].state = state
            if case .active = state { return false }
            return true
        }
    }

    /// The state of a product that a launch did not unlock; drops transactions that are over.
    private static func state(
        _ transactions: inout [TransactionHandle], _ launch: Int, _ facts: Facts,
        _ grant: (TransactionHandle) -> GrantStatus
    ) -> State {
        var waiting: [TransactionHandle] = []
        while let transaction = transactions.last {
            switch grant(transaction) {
            case .owed:
                transactions += waiting.reversed()
                return .leftOut(transaction, launch, facts[transaction].deliveredLine)
            case .waiting: waiting.append(transaction)
            case .over: break
            }
            transactions.removeLast()
        }
        transactions = waiting.reversed()
        return transactions.isEmpty ? .idle : .active
    }

    /// Counts the launches that left out a product while its transaction was owed.
    private mutating func count(
        _ place: [ProductHandle: Product].Index, _ facts: Facts, _ report: inout Report
    ) {
        guard
            case .leftOut(let transaction, let since, let delivered) = products.values[place].state
        else { return }
        // The first launch is judged already.
        let owed = launches[(since + 1)...].lowerBound {
            facts.isOver(transaction, at: $0.line, $0.at)
        }
        let read = launches[since..<owed].lowerBound { $0.unreadLine > delivered }
        if read < owed {
            report.cannotTell(
                "the log doesn't show all unlocked at the launch of line "
                    + "\(launches[read].line); line \(launches[read].unreadLine) was not "
                    + "understood, and what it said is unknown")
        }
        guard since < read else { return }
        var miss = Miss(transaction: transaction, deliveredLine: delivered, first: launches[since])
        miss = misses[products.keys[place]] ?? miss
        miss.count += read - since
        miss.lastLine = launches[read - 1].line
        misses[products.keys[place]] = miss
    }

    mutating func end(_ facts: Facts, _ report: inout Report) {
        for place in leftOut(among: products.keys) { count(place, facts, &report) }
    }
}

extension Facts {
    /// Whether a delivered transaction had stopped being owed by a launch.
    fileprivate func isOver(
        _ transaction: TransactionHandle, at line: LineNumber, _ instant: Timestamp
    ) -> Bool {
        let known = self[transaction]
        if !known.isDelivered, known.withdrawnLine < line { return true }
        if isRefunded(transaction, at: line, instant) { return true }
        switch kind(of: transaction) {
        case .nonRenewing: return (known.until ?? known.expiresAt).map { $0 <= instant } ?? false
        case .autoRenewable: return !isRunning(transaction, at: instant)
        case .consumable, .nonConsumable, nil: return false
        }
    }

    /// Whether a period runs at an instant, including its grace period.
    func isRunning(_ transaction: TransactionHandle, at instant: Timestamp) -> Bool {
        guard let end = self[transaction].expiresAt, end <= instant else { return true }
        guard let subscription = subscription(of: transaction), subscription.hasGrace else {
            return false
        }
        return spans(of: subscription, heedingRefunds: false).contains {
            $0.transaction == transaction && instant < $0.accessEnd
        }
    }
}
