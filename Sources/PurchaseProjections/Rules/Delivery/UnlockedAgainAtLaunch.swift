import PurchaseEvents

/// A launch that unlocks anything unlocks everything granted and owed (G4.14).
///
/// A launch is judged at its device's next launch or at the end of the log. It covers the products
/// delivered on the device to an account for which the launch unlocked something; a refund counts
/// if it was known at the launch. Costs 8 bytes for each delivery of anything but a consumable;
/// later launches skip deliveries for which a launch found nothing owed.
struct UnlockedAgainAtLaunch: CatalogueRule {
    static let id = "unlocked-again-at-launch"
    static let level = Level.note
    static let statement =
        "At a launch that unlocks anything, every product that was granted on the device and is "
        + "still owed is unlocked."
    static let evidence = ["G4.14"]
    static let reads = EventTypes(.appLaunched, .deliveryDelivered, .deliveryUnlocked)

    /// The latest launch of a device, the products that it unlocked, and the device's deliveries.
    private struct Device {
        var line: LineNumber = 0
        var at = Timestamp.earliest
        var environment = Environment.production
        var unlocked: [Unlocked] = []
        /// The index of the latest delivery plus one; 0 if there is none.
        var latest: UInt32 = 0
    }

    private struct Unlocked {
        var product: ProductID<Interned>
        var account: AccountID<Interned>?
        var line: LineNumber
    }

    /// A delivery, and the index plus one of the device's previous delivery.
    private struct Delivery {
        var transaction = TransactionID<Interned>(index: 0)
        var earlier: UInt32
    }

    /// The unnamed device first, then the named devices by handle.
    private var devices = DenseTable(Device())
    private var deliveries = DenseTable(Delivery(earlier: 0))

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
            let earlier = facts[transaction].previousDeliveredLine
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
                // Removed from the device's chain for good.
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

    /// Whether nothing is owed for a transaction at a launch or later.
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
            // While the store may still retry the renewal, a later statement may grant grace.
            return known.expiresAt.map {
                $0.advanced(byMilliseconds: RetryState.longest) <= launch.at
            } ?? false
        }
    }

    /// Whether an owed transaction was granted before a launch but not unlocked by it, although the
    /// launch unlocked another product of the same account.
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

    /// Whether a period runs at an instant, including its grace period.
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
        if let first = lines.min(), let reason = facts.incompleteReason(after: first) {
            return report.cannotTell(
                "the log doesn't show all unlocked at the launch of line \(launch.line); \(reason)")
        }
        let notes = missing.map { transaction in
            return Finding.Note(
                line: facts[transaction].deliveredLine,
                message: "let \(facts.describe(transaction)) be delivered")
        }
        report.find(
            at: launch.line, facts, account: facts.owner(of: missing[0]),
            key: facts.text(missing[0]),
            "the launch unlocked \(launch.unlocked.count), but left out "
                + "\(missing.count) granted before and still owed: expected delivery.unlocked for "
                + "each",
            notes: notes
                + launch.unlocked.map {
                    Finding.Note(
                        line: $0.line,
                        message:
                            "then \(facts.describe($0.product))\(facts.ownerSuffix($0.account)) "
                            + "was found unlocked")
                },
            hint: "the account may find a product locked that it paid for: look at what the app "
                + "reads at launch")
    }
}
