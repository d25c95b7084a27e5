import PurchaseEvents

/// A payment object that the queue holds, or may hold: its key, and what finds it again.
///
/// A transaction doesn't name the payment object that it is of, only what it buys: product,
/// quantity and account. So payments of equal content are told apart by their phases, and by the
/// transaction's identifier once there is one.
struct NotedPayment: Hashable, Sendable {
    /// The request as the log holds it, or as the App Store began it.
    var request: PaymentRequested<Written>
    /// Who asked, and where.
    var session: Session
    /// Whether the payment was begun in the App Store, so that no request of it is recorded.
    var isPromoted: Bool
    /// When the key was given.
    var at: Timestamp
    /// The transaction that the payment became.
    var transaction: TransactionID<Written>?

    /// The key of the payment.
    var key: PaymentID<Written> { request.payment }

    /// The `id` of the request's event.
    var id: String { "\(isPromoted ? NotedPayment.promoted : "request"):\(key.name)" }

    /// What the `id` of a promoted payment begins with.
    static let promoted = "promoted"

    /// Whether a payment of the queue buys the same. StoreKit may leave out the account.
    func buys(_ payment: any ObservedPayment) -> Bool {
        request.product.name == payment.observedProduct
            && request.quantity ?? 1 == Int64(payment.observedQuantity)
            && (payment.observedAccount ?? session.account?.name) == session.account?.name
    }
}
