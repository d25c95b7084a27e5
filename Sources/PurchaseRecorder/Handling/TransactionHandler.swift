import PurchaseEvents

/// The work of an app with StoreKit 2 for its purchases: the recorder asks for the work when it is
/// due, and records it.
///
/// The recorder may repeat any call for the same transaction; see ``PurchaseHandler``.
public protocol TransactionHandler: AnyObject, Sendable {
    /// Saves the purchase where it outlives the app's process, and returns the kind of store
    /// (G4.11).
    func persist(_ purchase: DuePurchase) async throws -> PersistentStore
    /// Gives the user everything that was bought, and returns the end that the app sets for a
    /// non-renewing subscription (G1.4).
    func deliver(_ purchase: DuePurchase) async throws -> Timestamp?
    /// Withdraws what was delivered.
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) async throws
    /// Shows the reason why a payment failed (G4.2).
    func show(_ failure: FailedPayment) async
    /// Shows that a payment waits for someone else's approval (G4.2).
    func showWaiting(product: String) async
    /// Receives a problem: something that the recorder couldn't record or do.
    func receive(_ problem: RecorderProblem) async
}
