import PurchaseEvents

/// The state of a transaction in the queue; raw values as in `SKPaymentTransactionState` (G4.2).
public enum ObservedTransactionState: Int, CaseIterable, Hashable, Sendable {
    /// The payment is in progress.
    case purchasing
    /// The user has paid, and the app owes the product.
    case purchased
    /// The payment failed.
    case failed
    /// The transaction restores an earlier purchase.
    case restored
    /// The payment waits for someone else's approval.
    case deferred
}

/// An entry of the queue: an `SKPaymentTransaction`, or a test's own.
///
/// The queue keeps one object for each entry until the entry leaves the queue or the app ends.
public protocol ObservedTransaction: AnyObject {
    /// The state; `nil` for a state that this version doesn't know.
    var observedState: ObservedTransactionState? { get }
    /// The transaction's payment.
    var observedPayment: any ObservedPayment { get }
    /// The App Store's identifier; `nil` unless purchased or restored.
    var observedIdentifier: String? { get }
    /// The date of the purchase or restore; `nil` in other states (G8.8).
    var observedDate: Timestamp? { get }
    /// The transaction that this transaction restores or renews.
    var observedOriginal: (any ObservedTransaction)? { get }
    /// The reason why the payment failed; `nil` in other states.
    var observedFailure: StoreFailure? { get }
    /// The downloads of hosted content; empty if there is none (G4.16).
    var observedDownloads: [any ObservedDownload] { get }
}

/// Identifies an object of the queue while the app runs.
typealias Identity = Swift.ObjectIdentifier
