import PurchaseEvents
import PurchaseProjections

/// The app's work for its purchases: the recorder asks for the work when it is due, and records it.
///
/// The recorder may repeat any call for the same transaction, because the app may crash between the
/// work and its record. Key the work by the transaction, so that repeating it changes nothing. If a
/// call throws, the task stays due: the recorder repeats it at the next callback, launch or
/// ``PaymentQueueRecorder/workOnDueTasks()``.
public protocol PurchaseHandler: AnyObject {
    /// Validates the purchase with a server (G4.19); `nil` if the app validates nothing.
    func validate(_ purchase: DuePurchase) throws -> ValidationOutcome?
    /// Saves the purchase where it outlives the app's process, and returns the kind of store
    /// (G4.11).
    func persist(_ purchase: DuePurchase) throws -> PersistentStore
    /// Gives the user everything that was bought, and returns the end that the app sets for a
    /// non-renewing subscription (G1.4).
    func deliver(_ purchase: DuePurchase) throws -> Timestamp?
    /// Withdraws what was delivered.
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws
    /// Moves the files of a finished download into place, and returns the place (G4.18).
    func install(_ download: any ObservedDownload, of purchase: DuePurchase) throws -> InstallPlace
    /// Returns the restored products with hosted content that the user wants again (G8.4, G8.7).
    ///
    /// An empty answer restores all of them.
    func choose(among restored: [DuePurchase]) -> [String]
    /// Shows the reason why a payment failed (G4.2).
    func show(_ failure: FailedPayment)
    /// Shows that a payment is in progress or waits for approval (G4.2).
    func showWaiting(product: String, isDeferred: Bool)
    /// Shows the products on sale, and learns the identifiers that the store doesn't know (G2.2).
    func showStore(valid: [any ObservedProduct], invalid: [String])
    /// Whether a payment that the user started in the App Store may go on now.
    func mayPayNow(_ order: PaymentOrder) -> Bool
    /// Receives a problem: something that the recorder couldn't record or do.
    func receive(_ problem: RecorderProblem)
}

extension PurchaseHandler {
    /// The default: validates nothing.
    public func validate(_ purchase: DuePurchase) throws -> ValidationOutcome? { nil }
    /// The default: leaves the files in the caches folder.
    public func install(
        _ download: any ObservedDownload, of purchase: DuePurchase
    ) throws -> InstallPlace { .caches }
    /// The default: restores everything.
    public func choose(among restored: [DuePurchase]) -> [String] { [] }
    /// The default: shows nothing.
    public func showWaiting(product: String, isDeferred: Bool) {}
    /// The default: shows nothing.
    public func showStore(valid: [any ObservedProduct], invalid: [String]) {}
    /// The default: lets the payment go on.
    public func mayPayNow(_ order: PaymentOrder) -> Bool { true }
}

/// Something that a recorder couldn't record or do.
///
/// Only the handler learns of a problem: the log doesn't mention it.
public enum RecorderProblem: Error, Hashable, Sendable {
    /// The ledger refused an action, or its log failed.
    case ledger(LedgerError)
    /// The recorder's notes couldn't be read or written.
    case notes(EventLogError)
    /// The queue reported something that no event can hold: a description, and the product.
    case notRecorded(String, product: String?)
    /// The product hasn't been listed since the launch, so no payment for it can be added.
    case notListed(String)
    /// The app's own work for a transaction threw an error; the task stays due.
    case notDone(transaction: String, reason: String)
    /// A request to the store failed: the request, and the error.
    case requestFailed(StoreRequest, StoreFailure?)
    /// StoreKit couldn't verify a transaction, so its statement wasn't recorded.
    case unverified(String, reason: String)
}

extension RecorderProblem {
    /// The problem of a log that can't answer.
    static func log(_ error: EventLogError) -> RecorderProblem { .ledger(.log(error)) }

    /// The problem of a listed product whose kind neither the settings nor the store state.
    ///
    /// - Parameter word: The store's own word for the kind, if it gives one.
    static func unknownKind(of product: String, word: String? = nil) -> RecorderProblem {
        .notRecorded("a product of unknown kind\(word.map { " (\($0))" } ?? "")", product: product)
    }
}

/// The answer of a call whose error becomes a problem.
func attempt<Answer, Failure: Error>(
    _ answer: @autoclosure () throws(Failure) -> Answer, else problem: (Failure) -> RecorderProblem
) throws(RecorderProblem) -> Answer {
    do throws(Failure) {
        return try answer()
    } catch {
        throw problem(error)
    }
}
