import PurchaseEvents
import PurchaseProjections

/// What a log says about one transaction, to answer a refund request of its buyer.
struct ConsumptionHistory {
    struct Entry: Hashable {
        var line: Int
        var at: Timestamp
        var words: String
    }

    struct Delivery {
        var entry: Entry
        var units: Int64
        /// The product that the app delivered, and whether it delivered to another account than the
        /// owner's, as the log knew both then.
        var product: ProductHandle?
        var isMisdirected: Bool
    }

    private let key: String
    private let lineWords = LineWords(in: .production)
    /// The number of transactions whose names were compared with the key.
    private var compared = 0
    /// The transaction; `nil` if no line so far names it.
    private(set) var transaction: TransactionHandle?
    private(set) var facts: Facts
    private(set) var consumed = ConsumedUnits()
    private(set) var uses = ConsumptionLines()
    private(set) var deliveries: [Delivery] = []
    private(set) var withdrawals: [(entry: Entry, reason: WithdrawalReason)] = []
    private(set) var validations: [(entry: Entry, outcome: ValidationOutcome)] = []
    private(set) var downloads: [(entry: Entry, download: DeliveryDownload<Interned>)] = []
    /// The first statement of the purchase, and the latest request for a refund.
    private(set) var stated: Entry?, requested: Entry?
    /// Whether the log has an event that an app or a server records of itself, so that a missing
    /// delivery says something.
    private(set) var hasAppEvents = false

    init(of key: String, names: NameTable) {
        self.key = key
        facts = Facts(names: names)
    }

    /// The types of events that only an app or its server can record.
    private static let ownTypes = EventTypes(
        .appLaunched, .paymentRequested, .queueObserved, .queueUnobserved, .queuePurchasing,
        .queueDeferred, .queueFailed, .queuePurchased, .queueRestored, .queueFinished,
        .queueRemoved, .deliveryValidated, .deliveryPersisted, .deliveryDownload,
        .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked,
        .deliveryConsumed)

    mutating func observe(_ line: ReadLine) {
        guard let event = line.event else {
            if line.diagnostic != nil { facts.observeNotUnderstood(LineNumber(line.number)) }
            return
        }
        facts.observe(event, on: Line(line))
        if !hasAppEvents { hasAppEvents = ConsumptionHistory.ownTypes.contains(event.type) }
        consumed.observe(event, facts)
        if case .deliveryConsumed(let fact) = event.fact {
            uses.add(fact, event, entry(event, line), facts)
        }
        guard let named = event.transaction else { return }
        find()
        guard let transaction else { return }
        if named == transaction {
            note(event, entry(event, line))
        } else if event.type == .deliveryDelivered, restores(named, transaction) {
            note(event, entry(event, line))
        }
    }

    /// Looks for the transaction among the names that are new.
    private mutating func find() {
        guard transaction == nil, facts.names.count(of: .transaction) > compared else { return }
        compared = facts.names.count(of: .transaction)
        transaction = facts.names.find(TransactionID<Written>(key))
    }

    /// Whether a transaction only restores another, so that a delivery of it delivers the other.
    private func restores(_ restored: TransactionHandle, _ purchase: TransactionHandle) -> Bool {
        facts[restored].original == purchase && facts[restored].isRestored
            && !facts[restored].isPurchased
    }

    private func entry(_ event: LogEvent, _ line: ReadLine) -> Entry {
        let words = lineWords.words(event, line.bytes, isAgain: false)
        return Entry(line: line.number, at: event.at, words: words)
    }

    private mutating func note(_ event: LogEvent, _ entry: Entry) {
        switch event.fact {
        case .deliveryDelivered(let fact):
            let known = facts[fact.transaction]
            let owner = facts.owner(of: fact.transaction)
            deliveries.append(
                Delivery(
                    entry: entry, units: known.deliveredQuantity - known.deliveredBefore,
                    product: known.product,
                    isMisdirected: event.account != nil && owner != nil && event.account != owner))
        case .deliveryWithdrawn(let fact): withdrawals.append((entry, fact.reason))
        case .deliveryValidated(let fact): validations.append((entry, fact.outcome))
        case .deliveryDownload(let fact): downloads.append((entry, fact))
        case .cancellationRequested: requested = entry
        case _:
            if stated == nil, let transaction, facts[transaction].statedLine != 0 { stated = entry }
        }
    }
}

/// The lines at which accounts consumed products, of each account and product the latest few.
struct ConsumptionLines {
    struct Uses {
        var count = 0
        var units: Int64 = 0
        var latest: [ConsumptionHistory.Entry] = []
    }

    private struct Key: Hashable {
        var account: AccountHandle?
        var product: ProductHandle
    }

    private var uses: [Key: Uses] = [:]

    /// Adds a line; only the log's own environment counts.
    mutating func add(
        _ fact: DeliveryConsumed<Interned>, _ event: LogEvent,
        _ entry: ConsumptionHistory.Entry, _ facts: Facts
    ) {
        guard facts.environment(of: event) == facts.logEnvironment else { return }
        let key = Key(account: event.account, product: fact.product)
        uses[key, default: Uses()].add(fact.quantity ?? 1, entry)
    }

    /// What an account consumed of a product; if that is less than `units`, with what nobody named
    /// consumed.
    func uses(of product: ProductHandle, by account: AccountHandle?, inAll units: Int64) -> Uses {
        var own = uses[Key(account: account, product: product)] ?? Uses()
        guard own.units < units, let unnamed = uses[Key(account: nil, product: product)],
            account != nil
        else { return own }
        own.add(unnamed)
        return own
    }
}

extension ConsumptionLines.Uses {
    private static let kept = 5

    fileprivate mutating func add(_ units: Int64, _ entry: ConsumptionHistory.Entry) {
        count += 1
        self.units.addSaturating(units)
        if latest.count == Self.kept { latest.removeFirst() }
        latest.append(entry)
    }

    fileprivate mutating func add(_ other: Self) {
        count += other.count
        latest = Array((latest + other.latest).sorted { $0.line < $1.line }.suffix(Self.kept))
    }
}
