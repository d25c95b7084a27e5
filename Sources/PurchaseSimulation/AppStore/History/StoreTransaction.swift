import PurchaseEvents

/// A transaction as the App Store knows it at some time.
struct StoreTransaction: Sendable {
    let id: String
    /// The first transaction of its subscription; its own identifier for anything bought once.
    var original: String
    var product: String
    var kind: ProductKind?
    var group: String?
    var quantity: Int64?
    var purchasedAt: Timestamp
    var originalPurchasedAt: Timestamp?
    var expiresAt: Timestamp?
    /// The price of the whole quantity, in thousandths of the unit of the currency.
    var price: Int64?
    var currency: Currency?
    var offer: Offer?
    var ownership: Ownership?
    var terms = BillingTerms()
    /// The app's name of the customer.
    var account: String?
    var environment: Environment
    /// Whether the store renewed the subscription, and whether a retried payment did so.
    var isRenewal = false
    var isRecovery = false
    var cancellation: StoreCancellation?
    /// When a better plan took the place of this one.
    var upgradedAt: Timestamp?

    /// Whether the transaction is a period of a subscription that renews.
    var isPeriod: Bool { expiresAt != nil && kind ?? .autoRenewable == .autoRenewable }

    /// Whether the customer paid for the purchase, and not another member of the family or an
    /// organization.
    var isPaidFor: Bool { ownership ?? .purchased == .purchased }

    /// The customer's name as the documents state it, of what the customer paid for alone.
    var token: String? { isPaidFor ? account : nil }

    /// The price of one, which the App Store states; whole thousandths.
    var priceOfOne: Int64? { price.map { $0 / max(1, quantity ?? 1) } }

    /// The price of the whole quantity that follows from the price of one.
    var statedPrice: Int64? { price.map { $0 - $0 % max(1, quantity ?? 1) } }

    /// Whether the purchase was refunded or revoked.
    var isCancelled: Bool { cancellation != nil }

    /// The kind in words, known from an end if nothing else tells it.
    var statedKind: ProductKind? { kind ?? (expiresAt == nil ? nil : .autoRenewable) }
}

/// A refund or a revocation of a transaction.
struct StoreCancellation: Sendable {
    var at: Timestamp
    var reason: RefundReason?
    /// The refunded share in thousandths of a percent; `nil` is all.
    var percent: Int64?
    /// Why access ended if nobody was paid back; `nil` for a refund.
    var revocation: String?
}

extension StoreTransaction {
    /// What an event of a log tells about its transaction; `nil` if it attests none.
    init?(_ event: Event<Written>) {
        switch event.fact {
        case .queuePurchased(let fact):
            self.init(fact.transaction, fact.original, fact.product, fact.purchasedAt, event)
            (quantity, expiresAt, ownership) = (fact.quantity, fact.expiresAt, fact.ownership)
            (price, currency, offer, terms) = (fact.price, fact.currency, fact.offer, fact.terms)
            originalPurchasedAt = fact.originalPurchasedAt
        case .receiptListed(let fact):
            self.init(fact.transaction, fact.original, fact.product, fact.purchasedAt, event)
            (quantity, expiresAt, ownership) = (fact.quantity, fact.expiresAt, fact.ownership)
            (price, currency, offer, terms) = (fact.price, fact.currency, fact.offer, fact.terms)
            (originalPurchasedAt, kind) = (fact.originalPurchasedAt, fact.kind)
            group = fact.group?.name
        case .renewalStarted(let fact):
            self.init(fact.transaction, fact.original, fact.product, fact.purchasedAt, event)
            (expiresAt, group) = (fact.expiresAt, fact.group?.name)
            (price, currency, offer, terms) = (fact.price, fact.currency, fact.offer, fact.terms)
        case .renewalRenewed(let fact):
            self.init(fact.transaction, fact.original, fact.product, fact.purchasedAt, event)
            (expiresAt, group) = (fact.expiresAt, fact.group?.name)
            (price, currency, offer, terms) = (fact.price, fact.currency, fact.offer, fact.terms)
            (isRenewal, isRecovery) = (true, fact.recovered == true)
        case _: return nil
        }
    }

    private init(
        _ id: TransactionID<Written>, _ original: TransactionID<Written>?,
        _ product: ProductID<Written>, _ purchasedAt: Timestamp, _ event: Event<Written>
    ) {
        self.id = id.name
        self.original = original?.name ?? id.name
        self.product = product.name
        self.purchasedAt = purchasedAt
        account = event.account?.name
        environment = event.environment ?? .production
        let sold = SimulatedProduct.all.first { $0.id == product }
        (kind, group) = (sold?.kind, sold?.group?.name)
    }

    /// Adds what another event tells about the same transaction and this one doesn't know.
    mutating func fill(from other: StoreTransaction) {
        if original == id { original = other.original }
        kind = kind ?? other.kind
        group = group ?? other.group
        quantity = quantity ?? other.quantity
        originalPurchasedAt = originalPurchasedAt ?? other.originalPurchasedAt
        expiresAt = expiresAt ?? other.expiresAt
        if price == nil { (price, currency) = (other.price, other.currency) }
        offer = offer ?? other.offer
        ownership = ownership ?? other.ownership
        if terms.isEmpty { terms = other.terms }
        account = account ?? other.account
        isRenewal = isRenewal || other.isRenewal
        isRecovery = isRecovery || other.isRecovery
    }
}
