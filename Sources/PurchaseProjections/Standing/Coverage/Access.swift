import PurchaseEvents

/// A time span in which the App Store attests that a product may be used.
struct Access: Hashable, Sendable {
    /// The transaction that attests the access.
    var transaction: TransactionHandle
    var product: ProductHandle?
    /// The subscription group of a period, if known.
    var group: GroupHandle?
    var start: Timestamp
    /// The exclusive end of access, including a grace period; ``noEnd`` for a permanent purchase.
    var end: Timestamp
    /// The end that the app itself set for a non-renewing subscription (G1.4).
    var until: Timestamp?
    /// Whether the access comes from a subscription period rather than a purchase.
    var isPeriod: Bool
    var endsInGrace = false

    static let noEnd = Timestamp(milliseconds: .max)
}

/// A use of content or of a product.
struct Use: Hashable, Sendable {
    enum Target: Hashable, Sendable {
        case content(ContentHandle)
        case product(ProductHandle)
    }

    var target: Target
    /// The account that used it, if stated.
    var account: AccountHandle?
    var at: Timestamp
    /// By when an access must have begun.
    var begunBy: Timestamp
    var line: LineNumber
    var environment: Environment
}

extension Facts {
    /// The use that an event states: opened content or an unlocked product; `nil` for other events.
    func use(_ event: LogEvent, _ line: LineNumber) -> Use? {
        let target: Use.Target
        if event.type == .contentOpened, case .contentOpened(let content) = event.fact {
            target = .content(content)
        } else if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact
        {
            target = .product(product)
        } else {
            return nil
        }
        return use(of: target, by: event.account, event, line)
    }

    /// The use of a target by an account at an event.
    func use(
        of target: Use.Target, by account: AccountHandle?, _ event: LogEvent, _ line: LineNumber
    ) -> Use {
        Use(
            target: target, account: account, at: event.at,
            begunBy: begunBy(event.at, for: account),
            line: line, environment: environment(of: event))
    }

    /// The time by the App Store's clock at an event of a device, whose clock may be slow: the
    /// latest that a statement before it shows, up to a day after the device's.
    func storeTime(at instant: Timestamp) -> Timestamp {
        max(instant, min(latestStated, instant.advanced(byMilliseconds: Timestamp.day)))
    }

    /// The instant by which what an account holds at an event has begun: however slow the device's
    /// clock is, what an earlier line states of the account has begun.
    func begunBy(_ instant: Timestamp, for account: AccountHandle?) -> Timestamp {
        max(
            storeTime(at: instant),
            account.map { record.pointee.latestStatedOf[$0.index] } ?? instant)
    }

    /// Whether an access allows a use; `nil` if the access has no known group and the content needs
    /// one.
    ///
    /// Content without a known publication date is open to anyone with access at that time. Other
    /// content is open to those who may use its product or group, if it was published during a
    /// period or was the newest content when a period started; it stays open after that period
    /// (G6.3).
    func allows(_ access: Access, _ use: Use) -> Bool? {
        guard access.start <= use.begunBy else { return false }
        switch use.target {
        case .product(let product):
            return access.product == product && use.at < (access.until ?? access.end)
        case .content(let id):
            guard let content = self[id] else { return use.at < (access.until ?? access.end) }
            if let product = content.product, product != access.product { return false }
            if content.group != nil, !access.isPeriod { return false }
            let isInTime = !access.isPeriod || opens(content, start: access.start, end: access.end)
            guard isInTime, let group = content.group else { return isInTime }
            return access.group.map { $0 == group }
        }
    }

    /// Whether content was published in a period or was the newest when the period started.
    /// A period that ends before it starts opens nothing.
    func opens(_ content: ContentFacts, start: Timestamp, end: Timestamp) -> Bool {
        guard start < end else { return false }
        if content.publishedAt > start { return content.publishedAt < end }
        guard let next = record.pointee.publications.next(after: content) else { return true }
        return start < next
    }

    /// The access that a purchase outside a subscription period gives.
    func access(of purchase: TransactionHandle) -> PurchaseAccess {
        let facts = self[purchase]
        guard let purchasedAt = facts.purchasedAt else { return .none }
        // A restored purchase dates from its original (G8.8).
        let start = facts.isRestored ? facts.originalPurchasedAt ?? purchasedAt : purchasedAt
        let access = Access(
            transaction: purchase, product: facts.product, group: nil, start: start,
            end: Access.noEnd, until: nil, isPeriod: false)
        switch kind(of: purchase) {
        case .consumable: return .none
        case .nonConsumable: return .certain(access)
        case .nonRenewing:
            var access = access
            access.until = facts.latestUntil
            return .certain(access)
        case .autoRenewable:
            // A restored transaction adds nothing to a line with attested periods.
            if !facts.attestsPeriod, subscription(of: purchase)?.firstTransaction != nil {
                return .none
            }
            return .unclear(access)
        case nil: return .unclear(access)
        }
    }
}

extension Facts {
    /// Whether the server had found a transaction invalid by a line of the log, so that nothing is
    /// owed for the transaction (G4.19).
    func isInvalid(_ transaction: TransactionHandle, at line: LineNumber) -> Bool {
        let facts = self[transaction]
        return facts.validation == .invalid && facts.invalidLine <= line
    }
}

/// The access that a purchase gives: none, a certain access, or one that the log leaves unclear.
enum PurchaseAccess {
    case none
    case certain(Access)
    case unclear(Access)
}
