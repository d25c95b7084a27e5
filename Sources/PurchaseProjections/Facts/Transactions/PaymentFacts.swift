import PurchaseEvents

/// The facts that a log states about one payment object (G3.2).
public struct PaymentFacts: BitwiseCopyable, Sendable {
    /// The account that made the payment: the first that an event names.
    @Packed public internal(set) var account: AccountHandle?
    /// The requested product.
    @Packed public internal(set) var product: ProductHandle?
    /// The App Store account that pays, if known.
    @Packed public internal(set) var payer: PayerHandle?
    /// The latest transaction that the payment bought.
    @Packed public internal(set) var purchase: TransactionHandle?
    /// The transaction that the latest finish of the payment ended, if it ended one.
    @Packed var finishedPurchase: TransactionHandle?
    /// The lines of the first and the latest request; 0 if there is none.
    public var requestedLine: LineNumber = 0, latestRequestedLine: LineNumber = 0
    /// The line of the first event that names the payment.
    public var firstLine: LineNumber = 0
    /// The line of the latest event that names the payment.
    public var namedLine: LineNumber = 0
    /// The number of requests.
    public var requests: UInt32 = 0
    /// The line of the latest `queue.failed`; 0 if there is none.
    public var failedLine: LineNumber = 0
    /// The line of the latest `queue.finished`; 0 if there is none.
    public var finishedLine: LineNumber = 0
    /// The line of the `queue.finished` before the latest; 0 if there is none.
    public var previousFinishedLine: LineNumber = 0
    /// The payment's queue entries, and the entry that the latest finish ended.
    var entry = PaymentEntry()

    /// Records that an event names the payment and applies a change.
    ///
    /// Returns whether the event gave the payment its first account.
    @inline(__always)
    mutating func touch(
        by account: AccountHandle?, _ line: LineNumber, _ change: (inout PaymentFacts) -> Void
    ) -> Bool {
        if firstLine == 0 { firstLine = line }
        namedLine = line
        change(&self)
        guard let account, self.account == nil else { return false }
        self.account = account
        return true
    }

    @inline(__always)
    mutating func request(_ request: PaymentRequested<Interned>, _ line: LineNumber) {
        requests &+= 1
        product = request.product
        payer = request.payer ?? payer
        if requestedLine == 0 { requestedLine = line }
        latestRequestedLine = line
    }

    @inline(__always)
    mutating func finish(_ line: LineNumber) {
        previousFinishedLine = finishedLine
        finishedLine = line
        entry.finish()
    }
}
