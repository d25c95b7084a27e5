import PurchaseEvents

/// A launch that unlocks anything unlocks everything granted and owed (G4.14).
///
/// A launch is judged at its device's next launch or at the end of the log. It covers the products
/// delivered on the device to an account for which the launch unlocked something; a refund counts
/// if it was known at the launch. Costs 8 bytes for each delivery of anything but a consumable, and
/// more for the deliveries on devices with launches that unlock something.
struct UnlockedAgainAtLaunch: CatalogueRule {
    static let level = Level.note
    static let statement =
        "At a launch that unlocks anything, every product that was granted on the device and is "
        + "still owed is unlocked."
    static let evidence = ["G4.14"]
    static let reads = EventTypes(
        .appLaunched, .deliveryDelivered, .deliveryUnlocked, .accountLinked, .catalogListed,
        .cancellationReversed, .renewalFailed, .renewalExtended, .queuePurchased, .queueRestored,
        .receiptListed, .renewalStarted, .renewalRenewed)

    /// The number of owners on a device whose products a launch may unlock without an account.
    private static let ownersOfLaunch = 128

    /// The latest launch of a device, the products that it unlocked, and the device's deliveries.
    private struct Device: SnapshottedElement {
        var line: LineNumber = 0
        var at = Timestamp.earliest
        var environment = Environment.production
        var unlocked: [UnlockedProduct] = []
        /// The index of the latest delivery that no owner has yet, plus one; 0 if there is none.
        var latest: UInt32 = 0
        var owners: [Owner] = []

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&line).visit(&at).visit(&environment).visit(&unlocked).visit(&latest)
            visitor.visit(&owners)
        }
    }

    /// An owner of delivered products on a device; environments never mix (G9.3).
    private struct Owner: Hashable {
        var device: Int
        var account: AccountHandle?
        var environment: Environment

        /// Leaves out the environment, whose text costs more to hash than the rest.
        func hash(into hasher: inout Hasher) {
            hasher.combine(device)
            hasher.combine(Facts.index(of: account))
        }
    }

    /// A delivery, and the index plus one of the device's previous delivery.
    private struct Delivery {
        var transaction = TransactionHandle(index: 0)
        var earlier: UInt32
    }

    private struct Delivered {
        var transaction = TransactionHandle(index: 0)
        var device: UInt32 = 0
    }

    /// The unnamed device first, then the named devices by handle.
    private var devices = DenseTable(Device())
    private var deliveries = DenseTable(Delivery(earlier: 0))
    private var granted: [Owner: GrantedProducts] = [:]
    /// Deliveries that an event may make owed again, by the original of a subscription or purchase
    /// that it links, reverses or extends, and by the product whose kind it states.
    private var byOriginal = HandleMap(Delivered())
    private var byProduct: [ProductHandle: [Delivered]] = [:]
    /// The devices of deliveries of which the log doesn't say until when they are owed.
    private var unclear = HandleMap<UInt32>(0)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&devices).visit(&deliveries).visit(&granted).visit(&byOriginal)
        visitor.visit(&byProduct).visit(&unclear)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let device = Facts.index(of: event.device)
        if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact {
            guard devices[device].line != 0 else { return }
            devices[device].unlocked.append(
                UnlockedProduct(product: product, account: event.account, line: line.number))
        } else if event.type == .deliveryDelivered, let transaction = event.transaction {
            let earlier = facts[transaction].previousDeliveredLine
            let isAgain = earlier != 0 && earlier >= facts[transaction].withdrawnLine
            guard !isAgain, facts.kind(of: transaction) != .consumable else { return }
            add(Delivered(transaction: transaction, device: UInt32(device)))
        } else if event.type == .appLaunched {
            judge(device, facts, &report)
            devices[device].line = line.number
            devices[device].at = event.at
            devices[device].environment = facts.environment(of: event)
        } else if !granted.isEmpty || !unclear.isEmpty {
            lookAgain(event, facts)
        }
    }

    private mutating func add(_ delivered: Delivered) {
        deliveries.append(
            Delivery(
                transaction: delivered.transaction, earlier: devices[Int(delivered.device)].latest))
        devices[Int(delivered.device)].latest = UInt32(deliveries.count)
    }

    /// Adds the deliveries again that an event may have made owed, or given to another owner.
    private mutating func lookAgain(_ event: LogEvent, _ facts: Facts) {
        if let transaction = event.transaction, event.product != nil {
            guard let device = unclear.remove(HandleKey(transaction)) else { return }
            add(Delivered(transaction: transaction, device: device))
        } else if event.type == .catalogListed, let product = event.product {
            for delivered in byProduct.removeValue(forKey: product) ?? [] { add(delivered) }
        } else if let named = event.fact.original ?? event.transaction {
            let key = HandleKey(facts.original(of: named))
            if let known = byOriginal.remove(key) { add(known) }
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for device in devices.indices { judge(device, facts, &report) }
        var misses: [GrantedProducts.Miss] = []
        for device in devices.indices {
            for owner in devices[device].owners {
                guard let place = granted.index(forKey: owner) else { continue }
                granted.values[place].end(facts, &report)
                misses += granted.values[place].misses.values
            }
        }
        misses.sort { ($0.first.line, $0.deliveredLine) < ($1.first.line, $1.deliveredLine) }
        for miss in misses { find(miss, facts, &report) }
    }

    private mutating func judge(_ index: Int, _ facts: Facts, _ report: inout Report) {
        guard !devices[index].unlocked.isEmpty else { return }
        let launch = devices[index]
        devices[index].unlocked = []
        report.test()
        place(index, launch, facts, &report)
        let unlocked = LaunchUnlocks(launch.unlocked)
        // Without an account, an unlocked product may be that of any account, up to a limit;
        // otherwise a delivery without an account may be anyone's.
        let owners =
            unlocked.accounts.contains(nil)
            ? Array(devices[index].owners.suffix(UnlockedAgainAtLaunch.ownersOfLaunch))
            : (unlocked.accounts + [nil]).map {
                Owner(device: index, account: $0, environment: launch.environment)
            }
        for owner in owners where owner.environment == launch.environment {
            judge(owner, launch, unlocked.products(of: owner.account), facts, &report)
        }
    }

    private mutating func judge(
        _ owner: Owner, _ launch: Device, _ own: Set<ProductHandle>, _ facts: Facts,
        _ report: inout Report
    ) {
        guard !own.isEmpty, let place = granted.index(forKey: owner) else { return }
        // Taken out, because `grant` changes other tables of the rule meanwhile.
        var products = GrantedProducts()
        swap(&products, &granted.values[place])
        let judged = GrantedProducts.Launch(
            line: launch.line, at: launch.at, unreadLine: facts.latestNotUnderstoodLine,
            unlocked: Array(launch.unlocked.prefix(8)), unlockedCount: launch.unlocked.count)
        products.judge(judged, unlocked: own, facts, &report) { transaction in
            grant(transaction, of: owner, launch, facts)
        }
        granted.values[place] = products
    }

    /// Gives the deliveries before a launch to their owners.
    private mutating func place(
        _ index: Int, _ launch: Device, _ facts: Facts, _ report: inout Report
    ) {
        var place = launch.latest
        var kept: UInt32 = 0
        var placed: [TransactionHandle] = []
        while place != 0 {
            let delivery = deliveries[Int(place) - 1]
            if facts[delivery.transaction].deliveredLine >= launch.line {
                kept = place
            } else {
                placed.append(delivery.transaction)
                if kept == 0 {
                    devices[index].latest = delivery.earlier
                } else {
                    deliveries[Int(kept) - 1].earlier = delivery.earlier
                }
            }
            place = delivery.earlier
        }
        for transaction in placed.reversed() { put(transaction, index, facts, &report) }
    }

    /// Gives a delivery to its owner.
    private mutating func put(
        _ transaction: TransactionHandle, _ device: Int, _ facts: Facts, _ report: inout Report
    ) {
        guard let product = facts[transaction].product,
            let environment = facts[transaction].environment,
            UnlockedAgainAtLaunch.isClear(transaction, facts)
        else { return wait(for: transaction, device, facts) }
        byOriginal[HandleKey(facts.original(of: transaction))] = Delivered(
            transaction: transaction, device: UInt32(device))
        let owner = Owner(
            device: device, account: facts.owner(of: transaction), environment: environment)
        if let place = granted.index(forKey: owner) {
            granted.values[place].add(transaction, of: product, facts, &report)
        } else {
            var products = GrantedProducts()
            products.add(transaction, of: product, facts, &report)
            granted[owner] = products
            devices[device].owners.append(owner)
        }
    }

    /// Whether the log says until when a transaction is owed.
    private static func isClear(_ transaction: TransactionHandle, _ facts: Facts) -> Bool {
        facts.kind(of: transaction) == .nonConsumable || facts[transaction].until != nil
            || facts[transaction].expiresAt != nil
    }

    /// Puts a delivery aside until a statement or the catalogue says more.
    private mutating func wait(for transaction: TransactionHandle, _ device: Int, _ facts: Facts) {
        unclear[HandleKey(transaction)] = UInt32(device)
        if let product = facts[transaction].product, facts.kind(of: transaction) == nil {
            byProduct[product, default: []].append(
                Delivered(transaction: transaction, device: UInt32(device)))
        }
    }

    /// Whether a delivered transaction is owed to an owner at a launch.
    private mutating func grant(
        _ transaction: TransactionHandle, of owner: Owner, _ launch: Device, _ facts: Facts
    ) -> GrantedProducts.GrantStatus {
        let known = facts[transaction]
        guard known.isDelivered, !known.isUpgraded else { return .over }
        if known.deliveredLine >= launch.line { return .waiting }
        let isOwn = facts.owner(of: transaction) == owner.account
        guard isOwn, known.environment == owner.environment else {
            add(Delivered(transaction: transaction, device: UInt32(owner.device)))
            return .over
        }
        guard UnlockedAgainAtLaunch.isClear(transaction, facts) else {
            wait(for: transaction, owner.device, facts)
            return .over
        }
        let isEnded: Bool
        switch facts.kind(of: transaction) {
        case .consumable: isEnded = true
        case .nonConsumable, nil: isEnded = false
        case .nonRenewing:
            isEnded = (known.until ?? known.expiresAt).map { $0 <= launch.at } ?? true
        case .autoRenewable: isEnded = !facts.isRunning(transaction, at: launch.at)
        }
        if !isEnded {
            guard facts.isRefunded(transaction, at: launch.line, launch.at) else { return .owed }
            // A refund that was reversed since doesn't count at the next launch.
            if facts.refundedPurchase(of: transaction) == nil { return .waiting }
        }
        byOriginal[HandleKey(facts.original(of: transaction))] = Delivered(
            transaction: transaction, device: UInt32(owner.device))
        return .over
    }

    private func find(_ miss: GrantedProducts.Miss, _ facts: Facts, _ report: inout Report) {
        let product = facts.describe(facts[miss.transaction].product)
        let others = FindingPhrases.others(of: miss.count).map { ", as \($0) did" } ?? ""
        report.find(
            at: miss.first.line, facts, account: facts.owner(of: miss.transaction),
            key: facts.text(miss.transaction),
            "the launch unlocked \(miss.first.unlockedCount), but left out \(product), granted "
                + "before and still owed\(others): expected delivery.unlocked of it",
            notes: UnlockedAgainAtLaunch.notes(miss, facts),
            hint: "the account may find a product locked that it paid for: look at what the app "
                + "reads at launch")
    }

    private static func notes(_ miss: GrantedProducts.Miss, _ facts: Facts) -> [Finding.Note] {
        let unlocked = miss.first.unlocked.flatMap {
            Finding.note(
                $0.line,
                "then \(facts.describe($0.product))\(facts.ownerSuffix($0.account)) was found "
                    + "unlocked")
        }
        return Finding.note(
            miss.deliveredLine, "let \(facts.describe(miss.transaction)) be delivered")
            + unlocked
            + Finding.note(
                miss.count > 1 ? miss.lastLine : 0,
                "then this was the last of \(miss.count) such launches")
    }
}

struct UnlockedProduct: Sendable {
    var product: ProductHandle
    var account: AccountHandle?
    var line: LineNumber
}

/// The products that a launch unlocked, by account; most launches unlock for one account.
private struct LaunchUnlocks {
    /// The accounts, in the order of their handles; `nil` stands for no account.
    private(set) var accounts: [AccountHandle?]
    /// The products of each account, if there are several accounts.
    private var byAccount: [AccountHandle?: Set<ProductHandle>] = [:]
    private let everything: Set<ProductHandle>

    init(_ unlocked: [UnlockedProduct]) {
        everything = Set(unlocked.map(\.product))
        accounts = unlocked.first.map { [$0.account] } ?? []
        guard unlocked.contains(where: { $0.account != accounts[0] }) else { return }
        for known in unlocked { byAccount[known.account, default: []].insert(known.product) }
        accounts = byAccount.keys.sorted { Facts.index(of: $0) < Facts.index(of: $1) }
    }

    /// What was unlocked for an account, or without one; `nil` stands for anyone.
    func products(of account: AccountHandle?) -> Set<ProductHandle> {
        if account == nil { return everything }
        guard byAccount.isEmpty else {
            let anyones = byAccount[nil] ?? []
            return byAccount[account].map { anyones.union($0) } ?? anyones
        }
        return accounts.contains(nil) || accounts.contains(account) ? everything : []
    }
}
