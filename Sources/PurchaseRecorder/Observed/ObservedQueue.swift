import PurchaseEvents

/// The payment queue that a recorder speaks to: `SKPaymentQueue`, or that of a test.
///
/// No call may call the recorder back before it returns, as StoreKit doesn't.
public protocol ObservedQueue: AnyObject {
    /// Whether the user may pay (G2.3).
    var mayPay: Bool { get }
    /// The entries that the queue holds now.
    var observedTransactions: [any ObservedTransaction] { get }
    /// Begins to call the recorder; from then on the queue presents its entries (G4.1).
    func beginObserving()
    /// Stops calling the recorder.
    func endObserving()
    /// Asks for products; the answer comes as
    /// ``PaymentQueueRecorder/received(_:invalid:)`` or as a failure.
    func requestProducts(_ products: [String])
    /// Whether a payment for a product can be added: StoreKit 1 needs the product of a listing.
    func mayAdd(_ product: String) -> Bool
    /// Adds a payment to the queue (G3.1).
    func add(_ order: PaymentOrder)
    /// Finishes a transaction (G4.8).
    func finish(_ transaction: any ObservedTransaction)
    /// Restores completed transactions (G8.3).
    func restore(account: String?)
    /// Refreshes the receipt; the end comes as ``PaymentQueueRecorder/refreshedReceipt(_:)`` or as
    /// a failure (G8.2).
    func refreshReceipt()
    /// Starts, pauses, resumes or cancels downloads (G4.16).
    func control(_ downloads: [any ObservedDownload], _ control: DownloadControl)
}

extension ObservedQueue {
    /// Any product's.
    public func mayAdd(_ product: String) -> Bool { true }
}
