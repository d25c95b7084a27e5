import PurchaseEvents
import PurchaseProjections

/// What an app does for its purchases: the recorder says when, and records it afterwards.
///
/// Each call may come again for the same transaction, because the app may crash between the work
/// and its record: key the work by the transaction, so that repeating it changes nothing. A call
/// that throws leaves the task due: the recorder asks again at the next callback, launch or
/// ``PaymentQueueRecorder/workOnDueTasks()``.
public protocol PurchaseHandler: AnyObject {
    /// Has the purchase validated by a server (G4.19); `nil` if the app validates nothing.
    func validate(_ purchase: DuePurchase) throws -> ValidationOutcome?
    /// Saves the purchase where it outlives the app's process, and says where (G4.11).
    func persist(_ purchase: DuePurchase) throws -> PersistentStore
    /// Lets the user at the whole of what was bought; returns the end that the app gives a
    /// non-renewing subscription (G1.4).
    func deliver(_ purchase: DuePurchase) throws -> Timestamp?
    /// Takes back what was delivered.
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws
    /// Puts the files of a finished download in their place, and says where (G4.18).
    func install(_ download: any ObservedDownload, of purchase: DuePurchase) throws -> InstallPlace
    /// Says which restored products with hosted content the user wants again (G8.4, G8.7).
    ///
    /// If none is named, all are restored.
    func choose(among restored: [DuePurchase]) -> [String]
    /// Shows why a payment failed (G4.2).
    func show(_ failure: FailedPayment)
    /// Shows what the user waits for: a payment in progress or one that needs approval (G4.2).
    func showWaiting(product: String, isDeferred: Bool)
    /// Receives the products on sale, and the identifiers that the store doesn't know (G2.2).
    func showStore(valid: [any ObservedProduct], invalid: [String])
    /// Decides whether a payment begun in the App Store goes on now.
    func mayPayNow(_ order: PaymentOrder) -> Bool
    /// Receives what the recorder could not record or do.
    func receive(_ problem: RecorderProblem)
}

extension PurchaseHandler {
    /// Validates nothing.
    public func validate(_ purchase: DuePurchase) throws -> ValidationOutcome? { nil }
    /// Leaves the files in the caches folder.
    public func install(
        _ download: any ObservedDownload, of purchase: DuePurchase
    ) throws -> InstallPlace { .caches }
    /// Restores all.
    public func choose(among restored: [DuePurchase]) -> [String] { [] }
    /// Shows nothing.
    public func showWaiting(product: String, isDeferred: Bool) {}
    /// Shows nothing.
    public func showStore(valid: [any ObservedProduct], invalid: [String]) {}
    /// Lets the payment go on.
    public func mayPayNow(_ order: PaymentOrder) -> Bool { true }
}

/// Something that a recorder could not record or do; the app's log says it to nobody else.
public enum RecorderProblem: Error, Hashable, Sendable {
    /// The ledger refused or failed.
    case ledger(LedgerError)
    /// The recorder's notes could not be read or written.
    case notes(EventLogError)
    /// The queue said something that no event can hold: what, and of which product.
    case notRecorded(String, product: String?)
    /// The product has not been listed since the launch, so no payment for it can be added.
    case notListed(String)
    /// The app's own work for a transaction threw; the task stays due.
    case notDone(transaction: String, reason: String)
    /// A request to the store failed: what was asked for, and why.
    case requestFailed(String, StoreFailure?)
    /// StoreKit could not verify a transaction; nothing was recorded of what it states.
    case unverified(String, reason: String)
}
