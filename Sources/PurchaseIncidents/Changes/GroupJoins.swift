import PurchaseEvents
import PurchaseProjections

/// Joins the families whose rows in a projection depend on each other.
struct GroupJoins {
    /// A reason to join families; handles count from 1, and account 0 stands for no account.
    enum Key: Hashable {
        /// Everything that an account owns.
        case account(UInt32)
        /// All units of one product that an account owns.
        case stock(UInt32, UInt32)
        /// All purchases of one product.
        case product(UInt32)
    }

    private let dependencies: RowDependencies
    private var sets: DisjointSets
    private var nodes: [Key: Int] = [:]
    private(set) var roots: [Int32] = []
    private var keyRoots: [Key: Int] = [:]

    /// Joins the families of a log. If `isPartial`, the rows leave out events that aren't true yet,
    /// so that an account that is known at one line may be unknown at the next.
    init(
        _ dependencies: RowDependencies, _ named: NamedLines, _ shared: SharedLines,
        isPartial: Bool
    ) {
        self.dependencies = dependencies
        sets = DisjointSets(count: named.familyLimit)
        switch dependencies.reach {
        case .family: break
        case .consumable: joinStocks(named, isPartial) { shared.mayBeConsumable($0) }
        case .lastingProduct: joinStocks(named, isPartial) { !shared.isSurelyConsumable($0) }
        case .receipt: joinReceipts(named, shared, isPartial)
        case .account:
            GroupJoins.eachOwner(named, isPartial, isStrict: true) { join($0, .account($1)) }
        }
        if dependencies.ownLineHasRow { addOwnLines(named, shared) }
        for lineNames in named.all where shared.isContested(lineNames.product, by: dependencies) {
            join(lineNames, .product(lineNames.product))
        }
        for (key, node) in nodes { keyRoots[key] = sets.find(node) }
        roots = (0..<named.familyLimit).map { Int32(truncatingIfNeeded: sets.find($0)) }
    }

    func root(of key: Key) -> Int? { keyRoots[key] }

    /// The key of the group for a line without a family.
    func key(of lineNames: NamedLines.Names) -> Key? {
        guard let type = lineNames.type, type == dependencies.ownType else { return nil }
        switch dependencies.reach {
        case .family: return nil
        case .receipt, .account: return .account(lineNames.account)
        case .consumable, .lastingProduct:
            let stock = Key.stock(lineNames.account, lineNames.product)
            return keyRoots[stock] == nil ? .product(lineNames.product) : stock
        }
    }

    private mutating func join(_ lineNames: NamedLines.Names, _ key: Key) {
        guard lineNames.family != 0 else { return }
        sets.join(Int(lineNames.family) - 1, node(of: key))
    }

    private mutating func node(of key: Key) -> Int {
        if let node = nodes[key] { return node }
        let node = sets.add()
        nodes[key] = node
        return node
    }

    // MARK: Owners

    /// The types of events whose account owns the transaction or payment that they name.
    private static let owning = EventTypes(
        .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
        .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
        .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .accountLinked)

    /// Visits each line of a family with each account that owns it, or may own it at some line.
    ///
    /// - Parameter isStrict: Whether only the types that tell an owner can lack one.
    private static func eachOwner(
        _ named: NamedLines, _ isPartial: Bool, isStrict: Bool,
        _ visit: (NamedLines.Names, UInt32) -> Void
    ) {
        var known: Set<UInt32> = []
        for lineNames in named.all where lineNames.family != 0 {
            guard let type = lineNames.type else { continue }
            if lineNames.account != 0 { visit(lineNames, lineNames.account) }
            if lineNames.otherAccount != 0 { visit(lineNames, lineNames.otherAccount) }
            let tellsOwner = owning.contains(type)
            if lineNames.account != 0 {
                if tellsOwner, !isPartial { known.insert(lineNames.family) }
            } else if tellsOwner || !isStrict, !known.contains(lineNames.family) {
                visit(lineNames, 0)
            } else if isStrict, type == .paymentRequested {
                // The family's owner may come from a purchase that names the payment only later.
                visit(lineNames, 0)
            }
        }
    }

    /// Joins the families in an account's receipt if a purchase without a stated account may enter
    /// it: lines of other families decide the owner of such a purchase.
    private mutating func joinReceipts(
        _ named: NamedLines, _ shared: SharedLines, _ isPartial: Bool
    ) {
        var vague: Set<UInt32> = [0]
        for lineNames in named.all where lineNames.family != 0 {
            guard isPartial || shared.vagueFamilies.contains(lineNames.family) else { continue }
            vague.insert(lineNames.account)
            vague.insert(lineNames.otherAccount)
        }
        for lineNames in named.all where lineNames.family != 0 {
            var accounts = [lineNames.account, lineNames.otherAccount].filter { $0 != 0 }
            if lineNames.account == 0, isPartial || lineNames.type == .queuePurchased {
                accounts.append(0)
            }
            if lineNames.type == .receiptListed, lineNames.receipt != 0 {
                accounts += shared.accounts(ofReceipt: lineNames.receipt, named)
            }
            for account in accounts where vague.contains(account) {
                join(lineNames, .account(account))
            }
        }
    }

    /// Joins the families of one product that an account owns, or may own at some line.
    private mutating func joinStocks(
        _ named: NamedLines, _ isPartial: Bool, _ matches: (UInt32) -> Bool
    ) {
        var owners: [UInt32: Set<UInt32>] = [:]
        GroupJoins.eachOwner(named, isPartial, isStrict: false) {
            owners[$0.family, default: []].insert($1)
        }
        // Statements of one transaction may name several products.
        var matching: Set<UInt32> = []
        for lineNames in named.all where lineNames.product != 0 && matches(lineNames.product) {
            matching.insert(lineNames.family)
        }
        for lineNames in named.all where lineNames.family != 0 && lineNames.product != 0 {
            guard matching.contains(lineNames.family) else { continue }
            for owner in owners[lineNames.family] ?? [] {
                join(lineNames, .stock(owner, lineNames.product))
            }
        }
    }

    /// Gives a group to each line without a family that has a row of its own.
    private mutating func addOwnLines(_ named: NamedLines, _ shared: SharedLines) {
        for lineNames in named.all where lineNames.type == dependencies.ownType {
            let stock = node(of: .stock(lineNames.account, lineNames.product))
            if shared.isContested(lineNames.product, by: dependencies) {
                sets.join(stock, node(of: .product(lineNames.product)))
            }
        }
    }
}
