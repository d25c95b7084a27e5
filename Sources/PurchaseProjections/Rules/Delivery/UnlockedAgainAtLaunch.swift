import PurchaseEvents

/// A launch that unlocks anything unlocks all that is granted and owed (G4.14).
///
/// A launch is judged when its device launches again, or at the end of the log: of each product
/// that was delivered on that device to an account for which the launch unlocked something, by the
/// refunds that were known at the launch. Costs 8 bytes for each delivery of what is no
/// consumable, until a launch finds it over.
struct UnlockedAgainAtLaunch: Rule {
    static let id = "unlocked-again-at-launch"
    static let level = Level.note
    static let statement =
        "At a launch that unlocks anything, every product that was granted on the device and is "
        + "still owed is unlocked."
    static let evidence = ["G4.14"]
    static let reads = EventTypes(.appLaunched, .deliveryDelivered, .deliveryUnlocked)

    /// What the latest launch of a device unlocked, and the deliveries on the device.
    private struct Device {
        var line: LineNumber = 0
        var at = Timestamp.earliest
        var environment = Environment.production
        var unlocked: [Unlocked] = []
        /// The place of the latest delivery plus one; 0 where there is none.
        var latest: UInt32 = 0
    }

    private struct Unlocked {
        var product: ProductID<Interned>
        var account: AccountID<Interned>?
        var line: LineNumber
    }

    /// A delivery, and the place of the one before it on its device plus one.
    private struct Delivery {
        var transaction = TransactionID<Interned>(index: 0)
        var earlier: UInt32
    }

    /// The unnamed device first, then the named ones by their handles.
    private var devices = DenseTable(Device())
    private var deliveries = DenseTable(Delivery(earlier: 0))

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let device = Facts.index(of: event.device)
        if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact {
            guard devices[device].line != 0 else { return }
            let unlocked = Unlocked(
                product: product, account: event.account, line: line.number)
            devices[device].unlocked.append(unlocked)
        } else if let transaction = event.transaction {
            let earlier = facts[transaction].deliveredEarlierLine
            let isAgain = earlier != 0 && earlier >= facts[transaction].withdrawnLine
            guard !isAgain, facts.kind(of: transaction) != .consumable else { return }
            deliveries.append(
                Delivery(transaction: transaction, earlier: devices[device].latest))
            devices[device].latest = UInt32(deliveries.count)
        } else {
            judge(device, facts, &report)
            devices[device].line = line.number
            devices[device].at = event.at
            devices[device].environment = facts.environment(of: event)
        }
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for device in devices.indices { judge(device, facts, &report) }
    }

    private mutating func judge(_ index: Int, _ facts: Facts, _ report: inout Report) {
        guard !devices[index].unlocked.isEmpty else { return }
        let launch = devices[index]
        devices[index].unlocked = []
        report.test()
        var missing: [TransactionID<Interned>] = []
        var place = launch.latest
        var kept: UInt32 = 0
        while place != 0 {
            let delivery = deliveries[Int(place) - 1]
            if isOver(delivery.transaction, launch, facts) {
                // Taken out of the device's chain for good.
                if kept == 0 {
                    devices[index].latest = delivery.earlier
                } else {
                    deliveries[Int(kept) - 1].earlier = delivery.earlier
                }
            } else {
                if isMissing(delivery.transaction, launch, facts),
                    !missing.contains(delivery.transaction)
                {
                    missing.append(delivery.transaction)
                }
                kept = place
            }
            place = delivery.earlier
        }
        if !missing.isEmpty { find(missing.reversed(), launch, facts, &report) }
    }

    /// Whether nothing is owed for a transaction at a launch or at a later one.
    private func isOver(
        _ transaction: TransactionID<Interned>, _ launch: Device, _ facts: Facts
    ) -> Bool {
        let known = facts[transaction]
        guard known.isDelivered, !known.isUpgraded else { return true }
        switch facts.kind(of: transaction) {
        case .consumable?: return true
        case .nonConsumable?, nil: return false
        case .nonRenewing?: return (known.until ?? known.expiresAt).map { $0 <= launch.at } ?? false
        case .autoRenewable?:
            // As long as the store may still try to renew it, it may say that grace is given.
            return known.expiresAt.map {
                $0.advanced(byMilliseconds: RetryState.longest) <= launch.at
            } ?? false
        }
    }

    /// Whether a transaction that is not over was granted before a launch and owed at it, and not
    /// unlocked by it though others of its account were.
    private func isMissing(
        _ transaction: TransactionID<Interned>, _ launch: Device, _ facts: Facts
    ) -> Bool {
        let known = facts[transaction]
        guard known.deliveredLine < launch.line, known.environment == launch.environment,
            let product = known.product, let kind = facts.kind(of: transaction),
            kind == .nonConsumable || known.until != nil || known.expiresAt != nil,
            !facts.isRefunded(transaction, at: launch.line, launch.at),
            kind != .autoRenewable || isRunning(transaction, at: launch.at, facts)
        else { return false }
        let owner = facts.owner(of: transaction)
        let own = launch.unlocked.filter {
            owner == nil || $0.account == nil || $0.account == owner
        }
        return !own.isEmpty && !own.contains { $0.product == product }
    }

    /// Whether a period runs at an instant, grace included.
    private func isRunning(
        _ transaction: TransactionID<Interned>, at instant: Timestamp, _ facts: Facts
    ) -> Bool {
        guard let end = facts[transaction].expiresAt, end <= instant else { return true }
        guard let line = facts.line(of: transaction), line.hasGrace else { return false }
        return facts.spans(of: line, heedingRefunds: false).contains {
            $0.transaction == transaction && instant < $0.accessEnd
        }
    }

    private func find(
        _ missing: [TransactionID<Interned>], _ launch: Device, _ facts: Facts,
        _ report: inout Report
    ) {
        let lines = missing.map { facts[$0].deliveredLine }
        if let first = lines.min(), let missed = facts.mayHaveMissed(after: first) {
            return report.cannotTell(
                "not all is seen unlocked at the launch of line \(launch.line); \(missed)")
        }
        let notes = missing.map { transaction in
            return Finding.Note(
                line: facts[transaction].deliveredLine,
                message: "let \(facts.words(transaction)) be delivered")
        }
        report.find(
            at: launch.line, facts, account: facts.owner(of: missing[0]),
            key: facts.text(missing[0]),
            "the launch unlocked \(launch.unlocked.count), but \(missing.count) of what was "
                + "granted before and is still owed was left out: expected delivery.unlocked of "
                + "each",
            notes: notes
                + launch.unlocked.map {
                    Finding.Note(
                        line: $0.line,
                        message: "then \(facts.words($0.product))\(facts.whose($0.account)) was "
                            + "found unlocked")
                },
            hint: "the account may find a product locked that it paid for: look at what the app "
                + "reads at launch")
    }
}
