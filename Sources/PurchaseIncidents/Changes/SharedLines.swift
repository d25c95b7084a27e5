import PurchaseEvents
import PurchaseProjections

/// The lines that affect the rows of many groups, and the time at each line.
struct SharedLines {
    /// The greatest `at` up to each line.
    private(set) var times: [Timestamp] = []
    private var openings: [Int] = []
    /// For each product, the lines that changed what is known about the product.
    private var byProduct: [UInt32: [Int]] = [:]
    /// For each product, the lines that publish its content; key 0 holds content without a product.
    private var contents: [UInt32: [Int]] = [:]
    /// For each account, its restore requests; key 0 holds requests without an account.
    private var requests: [UInt32: [Int]] = [:]
    private var allRequests: [Int] = []
    /// For each account and product, the lines at which the product was found unlocked.
    private var unlocked: [GroupJoins.Key: [Int]] = [:]
    /// For each account, the first presentation of each purchase that names the account, and the
    /// snapshots of its receipt.
    private var purchases: [UInt32: [Int]] = [:], snapshots: [UInt32: [Int]] = [:]
    /// For each receipt, the lines at which one of its snapshots begins.
    private var snapshotsOf: [UInt32: [Int]] = [:]
    /// The families of purchases without a stated account, whose owner other lines decide.
    private(set) var vagueFamilies: Set<UInt32> = []
    /// The transactions that the queue presented as purchased.
    private var purchased: Set<UInt32> = []
    /// For each device, the restore requests and selections; key 0 holds those without a device.
    private var restores: [UInt32: [Int]] = [:]
    /// The devices on which a user selected what to restore.
    private var selecting: Set<UInt32> = []
    /// Products for which lines state different kinds or groups.
    private var contested: Set<UInt32> = []
    /// Products consumed by an unnamed account.
    private var consumedByNobody: Set<UInt32> = []
    private var kinds: [UInt32: Set<ProductKind>] = [:]
    /// Products that a purchase named before any line stated their kind.
    private var usedUnknown: Set<UInt32> = []
    private var groups: [UInt32: Set<UInt32>] = [:]
    private var serverGrants = ServerGrants()
    /// The lines that tell when a server's grants begin, or that there is no server.
    private(set) var grantLines: [Int] = []
    /// For each device, the first line that shows that the device is an installation of the app,
    /// so that its deliveries are no server's; key 0 holds the unnamed device.
    private var installations: [UInt32: Int] = [:]

    init(_ lines: LogLines, _ named: NamedLines, asOf given: Timestamp?, threads: Int) throws {
        times.reserveCapacity(lines.count)
        var products: [UInt32: ProductAttributes] = [:]
        let decoder = LineDecoder(names: named.names)
        var show = Show([any Projection.Type](), names: named.names, asOf: given)
        try lines.read(decoder, threads: threads) { lines in
            for line in lines {
                let index = line.number - 1
                guard let event = line.event else {
                    times.append(times.last ?? .earliest)
                    continue
                }
                times.append(max(times.last ?? event.at, event.at))
                show.observe(line)
                if event.at <= given ?? event.at, Pending.reads.contains(event.type) {
                    if serverGrants.observe(event, show.facts) { grantLines.append(index) }
                    let device = named.all[index].device
                    if event.type != .deliveryDelivered, installations[device] == nil {
                        installations[device] = index
                    }
                }
                let environment = event.environment ?? show.facts.logEnvironment
                add(
                    event, named.all[index], index,
                    counts: environment == show.facts.logEnvironment
                        && event.at <= given ?? event.at)
                let product = named.all[index].product
                guard product != 0, let id = event.product else { continue }
                if kinds[product] == nil, named.all[index].family != 0 {
                    usedUnknown.insert(product)
                }
                let attributes = ProductAttributes(show.facts[id])
                if products[product] ?? ProductAttributes() != attributes {
                    products[product] = attributes
                    byProduct[product, default: []].append(index)
                }
            }
        }
        for (product, kinds) in kinds where kinds.count > 1 { contested.insert(product) }
        for (product, groups) in groups where groups.count > 1 { contested.insert(product) }
    }

    /// The attributes of a product that rows depend on.
    private struct ProductAttributes: Equatable {
        var kind: ProductKind?
        var group: GroupHandle?
        var hosted: Bool?
        /// What the catalogue says prevails over what purchases say, also if both agree so far.
        var listedKind: ProductKind?, listedGroup: GroupHandle?

        init() {}

        init(_ facts: ProductFacts) {
            (kind, group, hosted) = (facts.kind, facts.group, facts.hosted)
            (listedKind, listedGroup) = (facts.listedKind, facts.listedGroup)
        }
    }

    private mutating func add(
        _ event: LogEvent, _ lineNames: NamedLines.Names, _ index: Int, counts: Bool
    ) {
        addToReceipts(event.type, lineNames, index, counts: counts)
        switch event.fact {
        case .catalogListed(let listed): state(listed.kind, listed.group, of: lineNames)
        case .receiptListed(let listed): state(listed.kind, listed.group, of: lineNames)
        case .renewalStarted(let started): state(.autoRenewable, started.group, of: lineNames)
        case .renewalRenewed(let renewed): state(.autoRenewable, renewed.group, of: lineNames)
        case .logOpened: openings.append(index)
        case .contentPublished: contents[lineNames.product, default: []].append(index)
        case .deliveryConsumed:
            if lineNames.account == 0 { consumedByNobody.insert(lineNames.product) }
        case .deliveryUnlocked where counts:
            unlocked[.stock(lineNames.account, lineNames.product), default: []].append(index)
        case .restoreSelected:
            selecting.insert(lineNames.device)
            restores[lineNames.device, default: []].append(index)
        case .restoreRequested:
            restores[lineNames.device, default: []].append(index)
            guard counts else { return }
            requests[lineNames.account, default: []].append(index)
            allRequests.append(index)
        case _: break
        }
    }

    /// Adds an event that may change an account's receipt.
    private mutating func addToReceipts(
        _ type: EventType, _ lineNames: NamedLines.Names, _ index: Int, counts: Bool
    ) {
        if type == .receiptRefreshed {
            snapshotsOf[lineNames.receipt, default: []].append(index)
            if counts { snapshots[lineNames.account, default: []].append(index) }
        } else if type == .queuePurchased {
            let isFirst = purchased.insert(lineNames.transaction).inserted
            if lineNames.account == 0 { vagueFamilies.insert(lineNames.family) }
            if counts, isFirst, lineNames.account != 0 {
                purchases[lineNames.account, default: []].append(index)
            }
        }
    }

    private mutating func state(
        _ kind: ProductKind?, _ group: GroupHandle?, of lineNames: NamedLines.Names
    ) {
        if let kind { kinds[lineNames.product, default: []].insert(kind) }
        if let group { groups[lineNames.product, default: []].insert(NamedLines.handle(group)) }
    }

    func mayBeConsumable(_ product: UInt32) -> Bool {
        kinds[product]?.contains(.consumable) ?? false
    }

    /// Whether a product is a consumable, and was known as one before its first purchase.
    func isSurelyConsumable(_ product: UInt32) -> Bool {
        kinds[product] == [.consumable] && !usedUnknown.contains(product)
    }

    func accounts(ofReceipt receipt: UInt32, _ named: NamedLines) -> [UInt32] {
        (snapshotsOf[receipt] ?? []).map { named.all[$0].account }
    }

    /// Whether the rows of a projection about one product depend on each other.
    func isContested(_ product: UInt32, by dependencies: RowDependencies) -> Bool {
        product != 0
            && (contested.contains(product)
                || (dependencies.ownType == .deliveryConsumed
                    && consumedByNobody.contains(product)))
    }

    /// The lines of a group and the shared lines that its rows depend on, in order.
    func lines(for own: [Int], _ dependencies: RowDependencies, _ named: NamedLines) -> [Int] {
        var all = Set(own)
        all.formUnion(openings)
        // What an account bought and spent doesn't depend on what its products are.
        if dependencies.reach == .account { return all.sorted() }
        let groupNames = GroupNames(own, named)
        for product in groupNames.products { all.formUnion(byProduct[product] ?? []) }
        if dependencies.reads.contains(.content) {
            for product in groupNames.products.union([0]) { all.formUnion(contents[product] ?? []) }
        }
        if dependencies.reads.contains(.serverGrants) {
            all.formUnion(grantLines)
            all.formUnion(groupNames.deliveringDevices.compactMap { installations[$0] })
        }
        if dependencies.reads.contains(.selections) {
            for device in groupNames.restoringDevices where selecting.contains(device) {
                all.formUnion(restores[device] ?? [])
            }
        }
        if dependencies.reads.contains(.requests) {
            let accounts = groupNames.accounts.union([0])
            // Anybody's request may restore a purchase without a known owner.
            var lists = groupNames.accounts.contains(0) ? [allRequests] : []
            for account in accounts {
                lists.append(requests[account] ?? [])
                lists += groupNames.products.map { unlocked[.stock(account, $0)] ?? [] }
            }
            for list in lists { all.formUnion(SharedLines.firsts(of: list, after: own)) }
        }
        if dependencies.reach == .receipt { addReceipts(own, groupNames, named, to: &all) }
        return all.sorted()
    }

    /// Adds snapshots and purchases of other families that change the receipts of a group's
    /// accounts.
    ///
    /// In each list, only the first line after each of the group's lines matters, because the later
    /// lines find the group's rows already changed.
    private func addReceipts(
        _ own: [Int], _ groupNames: GroupNames, _ named: NamedLines, to all: inout Set<Int>
    ) {
        var accounts = groupNames.accounts
        for receipt in groupNames.receipts {
            all.formUnion(snapshotsOf[receipt] ?? [])
            accounts.formUnion(self.accounts(ofReceipt: receipt, named))
        }
        let lines = Set(own).union(groupNames.receipts.flatMap { snapshotsOf[$0] ?? [] }).sorted()
        for account in accounts {
            for list in [purchases[account] ?? [], snapshots[account] ?? []] {
                all.formUnion(SharedLines.firsts(of: list, after: lines))
            }
        }
    }

    /// The first line of a list, and its first line after each of the given lines; the other lines
    /// of the list change nothing more.
    private static func firsts(of list: [Int], after lines: [Int]) -> [Int] {
        guard !list.isEmpty else { return [] }
        var firsts: [Int] = []
        for line in [-1] + lines {
            let next = list.lowerBound { $0 > line }
            if next < list.count, firsts.last != list[next] { firsts.append(list[next]) }
        }
        return firsts
    }
}

private struct GroupNames {
    var products: Set<UInt32> = []
    /// The accounts; 0 stands for an unstated account.
    var accounts: Set<UInt32> = []
    /// The receipts that list a transaction of the group.
    var receipts: Set<UInt32> = []
    /// The devices that presented a restored transaction.
    var restoringDevices: Set<UInt32> = []
    /// The devices that delivered a transaction; 0 stands for the unnamed one.
    var deliveringDevices: Set<UInt32> = []

    init(_ lines: [Int], _ named: NamedLines) {
        for index in lines {
            let lineNames = named.all[index]
            if lineNames.product != 0 { products.insert(lineNames.product) }
            accounts.insert(lineNames.account)
            if lineNames.otherAccount != 0 { accounts.insert(lineNames.otherAccount) }
            if lineNames.type == .receiptListed, lineNames.receipt != 0 {
                receipts.insert(lineNames.receipt)
            }
            if lineNames.type == .queueRestored { restoringDevices.insert(lineNames.device) }
            if lineNames.type == .deliveryDelivered { deliveringDevices.insert(lineNames.device) }
        }
    }
}
