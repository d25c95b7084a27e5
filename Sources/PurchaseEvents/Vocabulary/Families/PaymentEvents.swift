// The family `payment`: what the user asks to buy (G2.3, G3).

/// A payment was added to the queue (`payment.requested`, G3.1, G3.2).
public struct PaymentRequested<S: Spelling>: Hashable, Sendable {
    /// The requested quantity; `nil` means 1 (G3.1).
    @Packed public var quantity: Int64?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// The payment object.
    public var payment: PaymentID<S>
    /// The product.
    public var product: ProductID<S>
    /// The App Store account that pays, if known (G3.5).
    @Packed public var payer: PayerID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        payment: PaymentID<S>, product: ProductID<S>, quantity: Int64? = nil,
        payer: PayerID<S>? = nil, price: Int64? = nil, currency: Currency? = nil
    ) {
        self.payment = payment
        self.product = product
        self.quantity = quantity
        self.payer = payer
        self.price = price
        self.currency = currency
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        payment = fields.required(.payment)
        product = fields.required(.product)
        quantity = fields.optional(.quantity)
        payer = fields.optional(.payer)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.payment, payment)
        try fields.write(.product, product)
        try fields.write(.quantity, quantity)
        try fields.write(.payer, payer)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
    }
}
