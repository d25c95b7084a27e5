import PurchaseEvents

/// A payment object that may be in the queue: its key, and the values to recognize it by.
///
/// A transaction doesn't name its payment object; it has only the payment's product, quantity and
/// account. So payments with equal content are distinguished by their phases, and by the
/// transaction's identifier once there is one.
struct NotedPayment: Hashable, Sendable {
    /// The request as in the log, or as the App Store started it.
    var request: PaymentRequested<Written>
    var session: Session
    /// Whether the payment was started in the App Store, so that no request is recorded.
    var isPromoted: Bool
    /// The time when the payment got its key.
    var at: Timestamp
    /// The transaction that the payment became.
    var transaction: TransactionID<Written>?

    var key: PaymentID<Written> { request.payment }

    var id: String { "\(isPromoted ? NotedPayment.promoted : "request"):\(key.name)" }

    /// The beginning of a promoted payment's `id`.
    static let promoted = "promoted"

    /// Whether a payment in the queue has the same content; StoreKit may omit the account.
    func buys(_ payment: any ObservedPayment) -> Bool {
        request.product.name == payment.observedProduct
            && request.quantity ?? 1 == Int64(payment.observedQuantity)
            && (payment.observedAccount ?? session.account?.name) == session.account?.name
    }
}
