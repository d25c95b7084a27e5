/// What the App Store states of one transaction, whichever type of event says it.
struct Statement<S: Spelling> {
    var transaction: TransactionID<S>
    var original: TransactionID<S>?
    var product: ProductID<S>
    var kind: ProductKind?
    var group: GroupID<S>?
    var quantity: Int64?
    var purchasedAt: Timestamp
    var expiresAt: Timestamp?
    var cancelledAt: Timestamp?
    var upgraded: Bool?
    /// Whether its dates open a period: those of a restore are the restore's own (G8.8).
    var opensPeriod = true

    init(_ fact: QueuePurchased<S>) {
        transaction = fact.transaction
        original = fact.original
        product = fact.product
        quantity = fact.quantity
        purchasedAt = fact.purchasedAt
        expiresAt = fact.expiresAt
    }

    init(_ fact: QueueRestored<S>) {
        transaction = fact.transaction
        original = fact.original
        product = fact.product
        quantity = fact.quantity
        purchasedAt = fact.purchasedAt
        expiresAt = fact.expiresAt
        opensPeriod = false
    }

    init(_ fact: ReceiptListed<S>) {
        transaction = fact.transaction
        original = fact.original
        product = fact.product
        kind = fact.kind
        group = fact.group
        quantity = fact.quantity
        purchasedAt = fact.purchasedAt
        expiresAt = fact.expiresAt
        cancelledAt = fact.cancelledAt
        upgraded = fact.upgraded
    }

    init(_ fact: RenewalStarted<S>) {
        transaction = fact.transaction
        original = fact.original
        product = fact.product
        kind = .autoRenewable
        group = fact.group
        purchasedAt = fact.purchasedAt
        expiresAt = fact.expiresAt
    }

    init(_ fact: RenewalRenewed<S>) {
        transaction = fact.transaction
        original = fact.original
        product = fact.product
        kind = .autoRenewable
        group = fact.group
        purchasedAt = fact.purchasedAt
        expiresAt = fact.expiresAt
    }
}
