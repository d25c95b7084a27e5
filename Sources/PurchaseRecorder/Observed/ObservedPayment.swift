import PurchaseEvents

/// A payment as the queue shows it: `SKPayment`, or that of a test.
public protocol ObservedPayment {
    /// The identifier of the product.
    var observedProduct: String { get }
    /// The quantity, at least 1 (G3.1).
    var observedQuantity: Int { get }
    /// The account that the payment carries: `applicationUsername` (G3.4).
    var observedAccount: String? { get }
    /// The offer that the payment makes use of, if any.
    var observedOffer: Offer? { get }
}

/// A payment that the recorder adds to the queue.
public struct PaymentOrder: ObservedPayment, Hashable, Sendable {
    /// The identifier of the product.
    public var product: String
    /// The quantity, 1 to 10 (G3.1).
    public var quantity: Int
    /// The one-way hash of the account's name (G3.4).
    public var account: String?
    /// The App Store account that pays, where it is known (G3.5).
    public var payer: String?

    /// Creates an order of one unit, unless told otherwise.
    public init(
        product: String, quantity: Int = 1, account: String? = nil, payer: String? = nil
    ) {
        self.product = product
        self.quantity = quantity
        self.account = account
        self.payer = payer
    }

    /// The identifier of the product.
    public var observedProduct: String { product }
    /// The quantity.
    public var observedQuantity: Int { quantity }
    /// The account.
    public var observedAccount: String? { account }
    /// None: the queue's payment says it.
    public var observedOffer: Offer? { nil }
}
