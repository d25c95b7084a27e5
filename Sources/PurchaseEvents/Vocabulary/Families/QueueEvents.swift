// The family `queue`: what the payment queue tells the observer (G4).

/// A payment failed (`queue.failed`, G4.2); after `interrupted` it may still be purchased.
public struct QueueFailed<S: Spelling>: Hashable, Sendable {
    /// The payment object.
    public var payment: PaymentID<S>
    /// What went wrong: mostly in a word.
    public var error: ErrorWord<S>
    /// The platform's error number.
    public var code: Int64?

    /// The fact with what it says; what is absent is not said.
    public init(payment: PaymentID<S>, error: ErrorWord<S>, code: Int64? = nil) {
        self.payment = payment
        self.error = error
        self.code = code
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        payment = try fields.required(.payment)
        error = try fields.required(.error)
        code = try fields.optional(.code)
    }
}

extension QueueFailed where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.payment, payment)
        try line.write(.error, error)
        try line.write(.code, code)
    }
}

/// A transaction is purchased (`queue.purchased`, G4.2): paid for, and the product is owed.
public struct QueuePurchased<S: Spelling>: Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The payment object.
    public var payment: PaymentID<S>?
    /// The original transaction, which keys the line; absent: the transaction itself.
    public var original: TransactionID<S>?
    /// The product.
    public var product: ProductID<S>
    /// How many; 1 where it is absent (G3.1).
    public var quantity: Int64?
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp
    /// When the original was purchased.
    public var originalPurchasedAt: Timestamp?
    /// When the period ends; the period is half-open (G6.1).
    public var expiresAt: Timestamp?
    /// The price of the whole transaction in thousandths of the unit of `currency`.
    public var price: Int64?
    /// The currency of `price`.
    public var currency: Currency?
    /// Whether it was bought or is shared by a family member.
    public var ownership: Ownership?
    /// The offer that it was bought with.
    public var offer: Offer?

    /// The fact with what it says; what is absent is not said.
    public init(
        transaction: TransactionID<S>, payment: PaymentID<S>? = nil,
        original: TransactionID<S>? = nil, product: ProductID<S>, quantity: Int64? = nil,
        purchasedAt: Timestamp, originalPurchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil,
        price: Int64? = nil, currency: Currency? = nil, ownership: Ownership? = nil,
        offer: Offer? = nil
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
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        transaction = try fields.required(.transaction)
        payment = try fields.optional(.payment)
        original = try fields.optional(.original)
        product = try fields.required(.product)
        quantity = try fields.optional(.quantity)
        purchasedAt = try fields.required(.purchasedAt)
        originalPurchasedAt = try fields.optional(.originalPurchasedAt)
        expiresAt = try fields.optional(.expiresAt)
        price = try fields.optional(.price)
        currency = try fields.optional(.currency)
        ownership = try fields.optional(.ownership)
        offer = try fields.optional(.offer)
    }
}

extension QueuePurchased where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.payment, payment)
        try line.write(.original, original)
        try line.write(.product, product)
        try line.write(.quantity, quantity)
        try line.write(.purchasedAt, purchasedAt)
        try line.write(.originalPurchasedAt, originalPurchasedAt)
        try line.write(.expiresAt, expiresAt)
        try line.write(.price, price)
        try line.write(.currency, currency)
        try line.write(.ownership, ownership)
        try line.write(.offer, offer)
    }
}

/// A transaction restores what was bought before (`queue.restored`, G8.3).
public struct QueueRestored<S: Spelling>: Hashable, Sendable {
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the line.
    public var original: TransactionID<S>
    /// The product.
    public var product: ProductID<S>
    /// How many; 1 where it is absent (G3.1).
    public var quantity: Int64?
    /// When it was purchased, or for a restored one restored (G8.8).
    public var purchasedAt: Timestamp
    /// When the original was purchased.
    public var originalPurchasedAt: Timestamp?
    /// When the period ends; the period is half-open (G6.1).
    public var expiresAt: Timestamp?
    /// Whether it was bought or is shared by a family member.
    public var ownership: Ownership?

    /// The fact with what it says; what is absent is not said.
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

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        transaction = try fields.required(.transaction)
        original = try fields.required(.original)
        product = try fields.required(.product)
        quantity = try fields.optional(.quantity)
        purchasedAt = try fields.required(.purchasedAt)
        originalPurchasedAt = try fields.optional(.originalPurchasedAt)
        expiresAt = try fields.optional(.expiresAt)
        ownership = try fields.optional(.ownership)
    }
}

extension QueueRestored where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.original, original)
        try line.write(.product, product)
        try line.write(.quantity, quantity)
        try line.write(.purchasedAt, purchasedAt)
        try line.write(.originalPurchasedAt, originalPurchasedAt)
        try line.write(.expiresAt, expiresAt)
        try line.write(.ownership, ownership)
    }
}
