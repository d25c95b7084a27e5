/// The payment queue behind a recorder: an `SKPaymentQueue`, or a test's own.
///
/// As in StoreKit, no call may call the recorder back before it returns.
public protocol ObservedQueue: AnyObject {
    /// Whether the user may make payments (G2.3).
    var mayPay: Bool { get }
    /// The entries that the queue holds now.
    var observedTransactions: [any ObservedTransaction] { get }
    /// Starts calling the recorder; from then on, the queue presents its entries (G4.1).
    func beginObserving()
    /// Stops calling the recorder.
    func endObserving()
    /// Requests products; the answer is ``PaymentQueueRecorder/received(_:invalid:)``, or a
    /// failure.
    func requestProducts(_ products: [String])
    /// Whether a payment for a product can be added; StoreKit 1 needs the listed product.
    func mayAdd(_ product: String) -> Bool
    /// Adds a payment to the queue (G3.1).
    func add(_ order: PaymentOrder)
    /// Finishes a transaction (G4.8).
    func finish(_ transaction: any ObservedTransaction)
    /// Restores completed transactions (G8.3).
    func restore(account: String?)
    /// Refreshes the receipt; the answer is ``PaymentQueueRecorder/refreshedReceipt(_:)``, or a
    /// failure (G8.2).
    func refreshReceipt()
    /// Starts, pauses, resumes or cancels downloads (G4.16).
    func control(_ downloads: [any ObservedDownload], _ control: DownloadControl)
}

extension ObservedQueue {
    /// The default: a payment for any product can be added.
    public func mayAdd(_ product: String) -> Bool { true }
}
