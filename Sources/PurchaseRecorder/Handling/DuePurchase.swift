import PurchaseEvents

/// A purchase for which the app has something to do.
public struct DuePurchase: Hashable, Sendable {
    /// The App Store's identifier of the transaction.
    ///
    /// Key the app's work by the identifier, so that the work is done once.
    public var transaction: String
    /// The product.
    public var product: String
    /// The account that the purchase belongs to; `nil` if unknown.
    public var account: String?
    /// The kind of the product, if the app's settings or the store state it.
    public var kind: ProductKind?
    /// Whether the transaction restores an earlier purchase (G8.3).
    public var isRestored: Bool
    /// The number of units bought (G3.1); of a purchase to deliver, those that a refund of a part
    /// left (G6.9).
    public var quantity: Int64
    /// The time of the purchase, or of the restore (G8.8); `nil` if unknown.
    public var purchasedAt: Timestamp?
}

/// A payment that failed.
public struct FailedPayment: Hashable, Sendable {
    /// The recorder's key for the payment.
    public var payment: String
    /// The product.
    public var product: String?
    /// The word for the error: one of `KnownError`, or another word.
    public var error: String
}
