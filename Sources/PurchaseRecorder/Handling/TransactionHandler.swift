import PurchaseEvents

/// What an app with StoreKit 2 does for its purchases: the recorder says when, and records it
/// afterwards.
///
/// Each call may come again for the same transaction: see ``PurchaseHandler``.
public protocol TransactionHandler: AnyObject, Sendable {
    /// Saves the purchase where it outlives the app's process, and says where (G4.11).
    func persist(_ purchase: DuePurchase) async throws -> PersistentStore
    /// Lets the user at the whole of what was bought; returns the end that the app gives a
    /// non-renewing subscription (G1.4).
    func deliver(_ purchase: DuePurchase) async throws -> Timestamp?
    /// Takes back what was delivered.
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) async throws
    /// Shows why a payment failed (G4.2).
    func show(_ failure: FailedPayment) async
    /// Shows that a payment waits for someone else's approval (G4.2).
    func showWaiting(product: String) async
    /// Receives what the recorder could not record or do.
    func receive(_ problem: RecorderProblem) async
}
