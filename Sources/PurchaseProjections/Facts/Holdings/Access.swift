import PurchaseEvents

/// A stretch of time for which the App Store attests that a product may be used.
struct Access: Hashable, Sendable {
    /// The transaction that attests it.
    var transaction: TransactionID<Interned>
    /// The product.
    var product: ProductID<Interned>?
    /// The subscription group of a period, where it is known.
    var group: GroupID<Interned>?
    /// From when.
    var start: Timestamp
    /// Until when, grace included: half-open. What was bought for good has no end.
    var end: Timestamp
    /// The end that the app itself gave a non-renewing subscription (G1.4).
    var until: Timestamp?
    /// Whether it is a period of a line, no purchase for good.
    var isPeriod: Bool
    /// Whether its end is that of a grace period.
    var endsInGrace = false

    static let noEnd = Timestamp(milliseconds: .max)
}

/// Somebody used content or a product.
struct Use: Hashable, Sendable {
    /// What was used.
    enum Target: Hashable, Sendable {
        case content(ContentID<Interned>)
        case product(ProductID<Interned>)
    }

    /// What was used.
    var target: Target
    /// Who used it, where it is said.
    var account: AccountID<Interned>?
    /// When.
    var at: Timestamp
    /// The line that says so.
    var line: LineNumber
    /// The environment in which it was used.
    var environment: Environment
}

extension Facts {
    /// The use that an event states: content was opened, or a product found unlocked.
    func use(_ event: Event<Interned>, _ line: LineNumber) -> Use? {
        let target: Use.Target
        if event.type == .contentOpened, case .contentOpened(let content) = event.fact {
            target = .content(content)
        } else if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact
        {
            target = .product(product)
        } else {
            return nil
        }
        return Use(
            target: target, account: event.account, at: event.at, line: line,
            environment: environment(of: event))
    }

    /// Whether an access allows a use; `nil` where it isn't known of which group it is.
    ///
    /// Content without a publication date is open to everybody with access at that time. Other
    /// content is open to whoever may use its product or group, where it was published in a period
    /// or was the newest at the start of one, and stays open after it (G6.3).
    func allows(_ access: Access, _ use: Use) -> Bool? {
        guard access.start <= use.at else { return false }
        switch use.target {
        case .product(let product):
            return access.product == product && use.at < (access.until ?? access.end)
        case .content(let id):
            guard let content = self[id] else { return use.at < access.end }
            if let product = content.product, product != access.product { return false }
            if content.group != nil, !access.isPeriod { return false }
            let isInTime = !access.isPeriod || opens(content, start: access.start, end: access.end)
            guard isInTime, let group = content.group else { return isInTime }
            return access.group.map { $0 == group }
        }
    }

    /// Whether content was published in a period or was the newest at its start.
    func opens(_ content: ContentFacts, start: Timestamp, end: Timestamp) -> Bool {
        if content.publishedAt > start { return content.publishedAt < end }
        guard let next = publications.next(after: content) else { return true }
        return start < next
    }

    /// What a purchase that is no period gives access to.
    func access(of purchase: TransactionID<Interned>) -> PurchaseAccess {
        let facts = self[purchase]
        guard let purchasedAt = facts.purchasedAt else { return .none }
        // A restored one was bought when its original was (G8.8).
        let start = facts.isRestored ? facts.originalPurchasedAt ?? purchasedAt : purchasedAt
        let access = Access(
            transaction: purchase, product: facts.product, group: nil, start: start,
            end: Access.noEnd, until: nil, isPeriod: false)
        switch kind(of: purchase) {
        case .consumable: return .none
        case .nonConsumable: return .certain(access)
        case .nonRenewing:
            var access = access
            access.until = facts.until
            return .certain(access)
        case .autoRenewable:
            // A restored one adds nothing to a line whose periods are attested.
            if !facts.attestsPeriod, line(of: purchase)?.firstTransaction != nil { return .none }
            return .unclear(
                access, "no statement says when the period of transaction \(text(purchase)) ends")
        case nil:
            return .unclear(
                access, "no fact says which kind of product transaction \(text(purchase)) bought")
        }
    }
}

extension Facts {
    /// Whether the server had found a transaction invalid by a line of the log: nothing is owed
    /// for it (G4.19).
    func isInvalid(_ transaction: TransactionID<Interned>, at line: LineNumber) -> Bool {
        let facts = self[transaction]
        return facts.validation == .invalid && facts.validatedLine <= line
    }
}

/// What a purchase gives access to: nothing, something, or something that the log can't tell.
enum PurchaseAccess {
    case none
    case certain(Access)
    case unclear(Access, String)
}
