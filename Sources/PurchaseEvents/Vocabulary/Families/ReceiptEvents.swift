// The family `receipt`: what a receipt states (G4.13, G8.2).

/// The App Store's statement about one transaction (`receipt.listed`, G6.1).
public struct ReceiptListed<S: Spelling>: Hashable, Sendable {
    // This is the longest fact; reading any case of an enum above 119 bytes would copy the fact.
    /// The time of this purchase, renewal or restore (G8.8).
    public var purchasedAt: Timestamp
    /// The time of the original purchase.
    @Packed public var originalPurchasedAt: Timestamp?
    /// The billing plan and the commitment.
    public var terms: BillingTerms
    /// The product's type, one of four (G1.1).
    @Packed public var kind: ProductKind?
    /// Whether an upgrade replaced this transaction.
    @Packed public var upgraded: Bool?
    /// Whether the user bought the product or a family member shares it.
    @Packed public var ownership: Ownership?
    /// The offer that the purchase used.
    @Packed public var offer: Offer?
    /// The end of the paid period, itself outside the period (G6.1).
    @Packed public var expiresAt: Timestamp?
    /// The time of the cancellation (G6.9).
    @Packed public var cancelledAt: Timestamp?
    /// The quantity; `nil` means 1 (G3.1).
    @Packed public var quantity: Int64?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The product.
    public var product: ProductID<S>
    /// The original transaction, which keys the subscription; `nil` means the transaction itself.
    @Packed public var original: TransactionID<S>?
    /// The receipt snapshot that lists the transaction.
    @Packed public var receipt: ReceiptID<S>?
    /// The subscription group (G6.5).
    @Packed public var group: GroupID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        receipt: ReceiptID<S>? = nil, transaction: TransactionID<S>,
        original: TransactionID<S>? = nil, product: ProductID<S>, kind: ProductKind? = nil,
        group: GroupID<S>? = nil, quantity: Int64? = nil, purchasedAt: Timestamp,
        originalPurchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil,
        cancelledAt: Timestamp? = nil, upgraded: Bool? = nil, ownership: Ownership? = nil,
        offer: Offer? = nil, terms: BillingTerms = BillingTerms(), price: Int64? = nil,
        currency: Currency? = nil
    ) {
        self.receipt = receipt
        self.transaction = transaction
        self.original = original
        self.product = product
        self.kind = kind
        self.group = group
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.originalPurchasedAt = originalPurchasedAt
        self.expiresAt = expiresAt
        self.cancelledAt = cancelledAt
        self.upgraded = upgraded
        self.ownership = ownership
        self.offer = offer
        self.terms = terms
        self.price = price
        self.currency = currency
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        receipt = fields.optional(.receipt)
        transaction = fields.required(.transaction)
        original = fields.optional(.original)
        product = fields.required(.product)
        kind = fields.optional(.kind)
        group = fields.optional(.group)
        quantity = fields.optional(.quantity)
        purchasedAt = fields.required(.purchasedAt)
        originalPurchasedAt = fields.optional(.originalPurchasedAt)
        expiresAt = fields.optional(.expiresAt)
        cancelledAt = fields.optional(.cancelledAt)
        upgraded = fields.optional(.upgraded)
        ownership = fields.optional(.ownership)
        offer = fields.optional(.offer)
        terms = BillingTerms(from: &fields)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.receipt, receipt)
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.kind, kind)
        try fields.write(.group, group)
        try fields.write(.quantity, quantity)
        try fields.write(.purchasedAt, purchasedAt)
        try fields.write(.originalPurchasedAt, originalPurchasedAt)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.cancelledAt, cancelledAt)
        try fields.write(.upgraded, upgraded)
        try fields.write(.ownership, ownership)
        try fields.write(.offer, offer)
        try terms.write(to: &fields)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
    }
}

/// A receipt was validated (`receipt.validated`, G9.1).
public struct ReceiptValidated<S: Spelling>: Hashable, Sendable {
    /// The result of the validation.
    public var outcome: ValidationOutcome
    /// The status code in the server's answer.
    @Packed public var status: Int64?
    /// The receipt snapshot that was validated.
    public var receipt: ReceiptID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(receipt: ReceiptID<S>, outcome: ValidationOutcome, status: Int64? = nil) {
        self.receipt = receipt
        self.outcome = outcome
        self.status = status
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        receipt = fields.required(.receipt)
        outcome = fields.required(.outcome)
        status = fields.optional(.status)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.receipt, receipt)
        try fields.write(.outcome, outcome)
        try fields.write(.status, status)
    }
}
