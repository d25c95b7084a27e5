import PurchaseEvents

/// A payment in the queue: an `SKPayment`, or a test's own.
public protocol ObservedPayment {
    /// The identifier of the product.
    var observedProduct: String { get }
    /// The quantity, at least 1 (G3.1).
    var observedQuantity: Int { get }
    /// The account that the payment carries: `applicationUsername` (G3.4).
    var observedAccount: String? { get }
    /// The offer that the payment uses, if any.
    var observedOffer: Offer? { get }
}

/// A payment to add to the queue.
public struct PaymentOrder: ObservedPayment, Hashable, Sendable {
    /// The identifier of the product.
    public var product: String
    /// The quantity, 1 to 10 (G3.1).
    public var quantity: Int
    /// A one-way hash of the account's name (G3.4).
    public var account: String?
    /// The App Store account that pays, if known (G3.5).
    public var payer: String?

    /// Creates an order, by default of one unit.
    public init(product: String, quantity: Int = 1, account: String? = nil, payer: String? = nil) {
        (self.product, self.quantity) = (product, quantity)
        (self.account, self.payer) = (account, payer)
    }

    /// The identifier of the product.
    public var observedProduct: String { product }
    /// The quantity.
    public var observedQuantity: Int { quantity }
    /// The account.
    public var observedAccount: String? { account }
    /// `nil`: only the queue's payment states its offer.
    public var observedOffer: Offer? { nil }
}
