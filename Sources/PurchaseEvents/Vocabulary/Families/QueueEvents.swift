// The family `queue`: what the payment queue tells its observer (G4).

/// A payment failed (`queue.failed`, G4.2); after `interrupted` the payment may still succeed.
public struct QueueFailed<S: Spelling>: Hashable, Sendable {
    /// The platform's error number.
    @Packed public var code: Int64?
    /// The payment object.
    public var payment: PaymentID<S>
    /// The reason for the failure, usually one word.
    public var error: ErrorWord<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(payment: PaymentID<S>, error: ErrorWord<S>, code: Int64? = nil) {
        self.payment = payment
        self.error = error
        self.code = code
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        payment = fields.required(.payment)
        error = fields.required(.error)
        code = fields.optional(.code)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.payment, payment)
        try fields.write(.error, error)
        try fields.write(.code, code)
    }
}

/// A transaction was purchased (`queue.purchased`, G4.2): the user paid, and the app owes the
/// product.
public struct QueuePurchased<S: Spelling>: Hashable, Sendable {
    /// The purchased quantity; `nil` means 1 (G3.1).
    @Packed public var quantity: Int64?
    /// The time of this purchase or renewal.
    public var purchasedAt: Timestamp
    /// The time of the original purchase.
    @Packed public var originalPurchasedAt: Timestamp?
    /// The end of the paid period, itself outside the period (G6.1).
    @Packed public var expiresAt: Timestamp?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// Whether the user bought the product or a family member shares it.
    @Packed public var ownership: Ownership?
    /// The offer that the purchase used.
    @Packed public var offer: Offer?
    /// The billing plan and the commitment.
    public var terms: BillingTerms
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The payment object that the transaction belongs to.
    @Packed public var payment: PaymentID<S>?
    /// The original transaction, which keys the subscription; `nil` means the transaction itself.
    @Packed public var original: TransactionID<S>?
    /// The product.
    public var product: ProductID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, payment: PaymentID<S>? = nil,
        original: TransactionID<S>? = nil, product: ProductID<S>, quantity: Int64? = nil,
        purchasedAt: Timestamp, originalPurchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil,
        price: Int64? = nil, currency: Currency? = nil, ownership: Ownership? = nil,
        offer: Offer? = nil, terms: BillingTerms = BillingTerms()
    ) {
        self.transaction = transaction
        self.payment = payment
        self.original = original
        self.product = product
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.originalPurchasedAt = originalPurchasedAt
        self.expiresAt = expiresAt
        self.price = price
        self.currency = currency
        self.ownership = ownership
        self.offer = offer
        self.terms = terms
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        payment = fields.optional(.payment)
        original = fields.optional(.original)
        product = fields.required(.product)
        quantity = fields.optional(.quantity)
        purchasedAt = fields.required(.purchasedAt)
        originalPurchasedAt = fields.optional(.originalPurchasedAt)
        expiresAt = fields.optional(.expiresAt)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
        ownership = fields.optional(.ownership)
        offer = fields.optional(.offer)
        terms = BillingTerms(from: &fields)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.payment, payment)
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.quantity, quantity)
        try fields.write(.purchasedAt, purchasedAt)
        try fields.write(.originalPurchasedAt, originalPurchasedAt)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
        try fields.write(.ownership, ownership)
        try fields.write(.offer, offer)
        try terms.write(to: &fields)
    }
}

/// A transaction restores an earlier purchase (`queue.restored`, G8.3).
public struct QueueRestored<S: Spelling>: Hashable, Sendable {
    /// The restored quantity; `nil` means 1 (G3.1).
    @Packed public var quantity: Int64?
    /// The time of the restore (G8.8).
    public var purchasedAt: Timestamp
    /// The time of the original purchase.
    @Packed public var originalPurchasedAt: Timestamp?
    /// The end of the paid period, itself outside the period (G6.1).
    @Packed public var expiresAt: Timestamp?
    /// Whether the user bought the product or a family member shares it.
    @Packed public var ownership: Ownership?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    public var product: ProductID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, original: TransactionID<S>, product: ProductID<S>,
        quantity: Int64? = nil, purchasedAt: Timestamp, originalPurchasedAt: Timestamp? = nil,
        expiresAt: Timestamp? = nil, ownership: Ownership? = nil
    ) {
        self.transaction = transaction
        self.original = original
        self.product = product
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.originalPurchasedAt = originalPurchasedAt
        self.expiresAt = expiresAt
        self.ownership = ownership
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        original = fields.required(.original)
        product = fields.required(.product)
        quantity = fields.optional(.quantity)
        purchasedAt = fields.required(.purchasedAt)
        originalPurchasedAt = fields.optional(.originalPurchasedAt)
        expiresAt = fields.optional(.expiresAt)
        ownership = fields.optional(.ownership)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.quantity, quantity)
        try fields.write(.purchasedAt, purchasedAt)
        try fields.write(.originalPurchasedAt, originalPurchasedAt)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.ownership, ownership)
    }
}
