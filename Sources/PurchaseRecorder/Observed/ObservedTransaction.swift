import PurchaseEvents

/// The states of a transaction in the queue, by the numbers of `SKPaymentTransactionState` (G4.2).
public enum ObservedTransactionState: Int, CaseIterable, Hashable, Sendable {
    /// The payment is in progress.
    case purchasing
    /// The purchase is paid, and the product is owed.
    case purchased
    /// The payment failed.
    case failed
    /// An earlier purchase is restored.
    case restored
    /// The payment waits for someone else's approval.
    case deferred
}

/// An entry of the queue: `SKPaymentTransaction`, or that of a test.
///
/// The queue shows one object for one entry until the entry leaves the queue or the app ends.
public protocol ObservedTransaction: AnyObject {
    /// The state; `nil` for one that this version doesn't know.
    var observedState: ObservedTransactionState? { get }
    /// The payment that the transaction is of.
    var observedPayment: any ObservedPayment { get }
    /// The App Store's identifier; `nil` unless purchased or restored.
    var observedIdentifier: String? { get }
    /// The date of the purchase or the restore; `nil` in the other states (G8.8).
    var observedDate: Timestamp? { get }
    /// The transaction that is restored or renewed.
    var observedOriginal: (any ObservedTransaction)? { get }
    /// Why the payment failed; `nil` in the other states.
    var observedFailure: StoreFailure? { get }
    /// The downloads of hosted content; empty if there is none (G4.16).
    var observedDownloads: [any ObservedDownload] { get }
}

/// What tells one object of the queue from another while the app runs.
typealias Identity = Swift.ObjectIdentifier
