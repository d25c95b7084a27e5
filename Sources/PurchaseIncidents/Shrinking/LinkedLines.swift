import PurchaseEvents
import PurchaseProjections

/// Selects the lines around a finding, and adds lines that share names with them, step by step.
struct LinkedLines {
    private let named: NamedLines
    private var isTaken: [Bool]
    /// The indices of the lines added last, whose links aren't followed yet.
    private var latest: [Int]
    private var followed = Followed()

    private struct Followed {
        var families: Set<UInt32> = [], receipts: Set<UInt32> = []
        var notifications: Set<UInt32> = [], accounts: Set<UInt32> = []
        var devices: Set<UInt32> = [], products: Set<UInt32> = []
    }

    /// Starts with the lines that a finding names, and with `log.opened` if the log begins with
    /// one.
    init(_ named: NamedLines, around finding: Finding) {
        self.named = named
        isTaken = [Bool](repeating: false, count: named.all.count)
        latest = ([finding.line] + finding.notes.map(\.line)).map { Int($0) - 1 }
            .filter(named.all.indices.contains)
        if named.all.first?.type == .logOpened { latest.append(0) }
        for index in latest { isTaken[index] = true }
    }

    var indices: [Int] { isTaken.indices.filter { isTaken[$0] } }

    /// Adds the nearest lines: of the purchase, then of the account and device, then of the
    /// product, and at last all; returns whether there were any.
    mutating func grow() -> Bool {
        for step in Link.allCases where follow(step) { return true }
        return false
    }

    private enum Link: CaseIterable { case purchase, recorder, product, everything }

    private mutating func follow(_ link: Link) -> Bool {
        for index in indices { note(named.all[index], link) }
        var isGrown = false
        for index in isTaken.indices where !isTaken[index] {
            guard link == .everything || isLinked(named.all[index], link) else { continue }
            isTaken[index] = true
            isGrown = true
        }
        return isGrown
    }

    private mutating func note(_ lineNames: NamedLines.Names, _ link: Link) {
        switch link {
        case .purchase:
            followed.families.insert(lineNames.family)
            followed.receipts.insert(lineNames.receipt)
            followed.notifications.insert(lineNames.notification)
            // The catalogue's answers about a product belong to every purchase of it.
            followed.products.insert(lineNames.product)
        case .recorder:
            followed.accounts.formUnion([lineNames.account, lineNames.otherAccount])
            followed.devices.insert(lineNames.device)
        case .product, .everything: break
        }
    }

    private func isLinked(_ lineNames: NamedLines.Names, _ link: Link) -> Bool {
        func has(_ names: Set<UInt32>, _ name: UInt32) -> Bool { name != 0 && names.contains(name) }
        let isOfProduct =
            link == .product || lineNames.type == .catalogListed
            || lineNames.type == .catalogInvalid
        return has(followed.families, lineNames.family) || has(followed.receipts, lineNames.receipt)
            || has(followed.notifications, lineNames.notification)
            || has(followed.accounts, lineNames.account)
            || has(followed.accounts, lineNames.otherAccount)
            || has(followed.devices, lineNames.device)
            || isOfProduct && has(followed.products, lineNames.product)
    }
}
