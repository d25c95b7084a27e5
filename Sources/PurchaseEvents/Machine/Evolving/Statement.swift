/// The App Store's statement about one transaction, whatever the type of event.
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
    /// Whether the dates open a period; a restore has dates of its own (G8.8).
    var opensPeriod = true
}

extension Statement {
    init(_ fact: QueuePurchased<S>) {
        self.init(
            transaction: fact.transaction, original: fact.original, product: fact.product,
            quantity: fact.quantity, purchasedAt: fact.purchasedAt, expiresAt: fact.expiresAt)
    }

    init(_ fact: QueueRestored<S>) {
        self.init(
            transaction: fact.transaction, original: fact.original, product: fact.product,
            quantity: fact.quantity, purchasedAt: fact.purchasedAt, expiresAt: fact.expiresAt,
            opensPeriod: false)
    }

    init(_ fact: ReceiptListed<S>) {
        self.init(
            transaction: fact.transaction, original: fact.original, product: fact.product,
            kind: fact.kind, group: fact.group, quantity: fact.quantity,
            purchasedAt: fact.purchasedAt, expiresAt: fact.expiresAt,
            cancelledAt: fact.cancelledAt, upgraded: fact.upgraded)
    }

    init(_ fact: RenewalStarted<S>) {
        self.init(
            transaction: fact.transaction, original: fact.original, product: fact.product,
            kind: .autoRenewable, group: fact.group, purchasedAt: fact.purchasedAt,
            expiresAt: fact.expiresAt)
    }

    init(_ fact: RenewalRenewed<S>) {
        self.init(
            transaction: fact.transaction, original: fact.original, product: fact.product,
            kind: .autoRenewable, group: fact.group, purchasedAt: fact.purchasedAt,
            expiresAt: fact.expiresAt)
    }
}
