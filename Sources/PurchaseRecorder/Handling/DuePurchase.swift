import PurchaseEvents

/// A purchase that the app has something to do for.
public struct DuePurchase: Hashable, Sendable {
    /// The App Store's identifier: the key under which the app does its work once.
    public var transaction: String
    /// The product.
    public var product: String
    /// The account that the purchase belongs to; `nil` if unknown.
    public var account: String?
    /// The kind of the product, if the app or the store said it.
    public var kind: ProductKind?
    /// Whether an earlier purchase is restored (G8.3).
    public var isRestored: Bool
    /// The number of units bought (G3.1).
    public var quantity: Int64
    /// When it was purchased, or restored (G8.8).
    public var purchasedAt: Timestamp?
}

/// A payment that failed.
public struct FailedPayment: Hashable, Sendable {
    /// The recorder's key of the payment.
    public var payment: String
    /// The product.
    public var product: String?
    /// Why: one of `KnownError`, or another word.
    public var error: String
}
