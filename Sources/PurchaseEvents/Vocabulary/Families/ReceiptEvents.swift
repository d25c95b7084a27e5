// The family `receipt`: what a receipt states (G4.13, G8.2).

/// The App Store's statement of one transaction (`receipt.listed`, G6.1).
public struct ReceiptListed<S: Spelling>: Hashable, Sendable {
    // In an order that leaves few gaps: this is the longest fact, and of an enum of more than 119
    // bytes each look into any case would be a copy.
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp
    /// When the original was purchased.
    public var originalPurchasedAt: Timestamp?
    /// Which of the four product types it is (G1.1).
    public var kind: ProductKind?
    /// Whether an upgrade took its place.
    public var upgraded: Bool?
    /// Whether it was bought or is shared by a family member.
    public var ownership: Ownership?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// When the period ends; the period is half-open (G6.1).
    public var expiresAt: Timestamp?
    /// The offer that it was bought with.
    public var offer: Offer?
    /// The product.
    public var product: ProductID<S>
    /// When the purchase was cancelled (G6.9).
    public var cancelledAt: Timestamp?
    /// The original transaction, which keys the line; absent: the transaction itself.
    public var original: TransactionID<S>?
    /// How many; 1 where it is absent (G3.1).
    public var quantity: Int64?
    /// The snapshot of the receipt.
    public var receipt: ReceiptID<S>?
    /// The price of the whole transaction in thousandths of the unit of `currency`.
    public var price: Int64?
    /// The subscription group (G6.5).
    public var group: GroupID<S>?
    /// The currency of `price`.
    public var currency: Currency?

    /// The fact with what it says; what is absent is not said.
    public init(
        receipt: ReceiptID<S>? = nil, transaction: TransactionID<S>,
        original: TransactionID<S>? = nil, product: ProductID<S>, kind: ProductKind? = nil,
        group: GroupID<S>? = nil, quantity: Int64? = nil, purchasedAt: Timestamp,
        originalPurchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil,
        cancelledAt: Timestamp? = nil, upgraded: Bool? = nil, ownership: Ownership? = nil,
        offer: Offer? = nil, price: Int64? = nil, currency: Currency? = nil
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
        self.price = price
        self.currency = currency
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        receipt = try fields.optional(.receipt)
        transaction = try fields.required(.transaction)
        original = try fields.optional(.original)
        product = try fields.required(.product)
        kind = try fields.optional(.kind)
        group = try fields.optional(.group)
        quantity = try fields.optional(.quantity)
        purchasedAt = try fields.required(.purchasedAt)
        originalPurchasedAt = try fields.optional(.originalPurchasedAt)
        expiresAt = try fields.optional(.expiresAt)
        cancelledAt = try fields.optional(.cancelledAt)
        upgraded = try fields.optional(.upgraded)
        ownership = try fields.optional(.ownership)
        offer = try fields.optional(.offer)
        price = try fields.optional(.price)
        currency = try fields.optional(.currency)
    }
}

extension ReceiptListed where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.receipt, receipt)
        try line.write(.transaction, transaction)
        try line.write(.original, original)
        try line.write(.product, product)
        try line.write(.kind, kind)
        try line.write(.group, group)
        try line.write(.quantity, quantity)
        try line.write(.purchasedAt, purchasedAt)
        try line.write(.originalPurchasedAt, originalPurchasedAt)
        try line.write(.expiresAt, expiresAt)
        try line.write(.cancelledAt, cancelledAt)
        try line.write(.upgraded, upgraded)
        try line.write(.ownership, ownership)
        try line.write(.offer, offer)
        try line.write(.price, price)
        try line.write(.currency, currency)
    }
}

/// A receipt was validated (`receipt.validated`, G9.1).
public struct ReceiptValidated<S: Spelling>: Hashable, Sendable {
    /// The snapshot of the receipt.
    public var receipt: ReceiptID<S>
    /// What the validation found.
    public var outcome: ValidationOutcome
    /// The status that the server answered.
    public var status: Int64?

    /// The fact with what it says; what is absent is not said.
    public init(receipt: ReceiptID<S>, outcome: ValidationOutcome, status: Int64? = nil) {
        self.receipt = receipt
        self.outcome = outcome
        self.status = status
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        receipt = try fields.required(.receipt)
        outcome = try fields.required(.outcome)
        status = try fields.optional(.status)
    }
}

extension ReceiptValidated where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.receipt, receipt)
        try line.write(.outcome, outcome)
        try line.write(.status, status)
    }
}
