import PurchaseEvents

/// What a log says of one payment object (G3.2).
public struct PaymentFacts: Sendable {
    private var accountName = OptionalName<Roles.Account>()
    private var productName = OptionalName<Roles.Product>()
    private var payerName = OptionalName<Roles.Payer>()
    private var purchaseName = OptionalName<Roles.Transaction>()
    /// The account that asked, by the first event that names one.
    public internal(set) var account: AccountID<Interned>? {
        get { accountName.value }
        set { accountName.value = newValue }
    }
    /// The product that was asked for.
    public internal(set) var product: ProductID<Interned>? {
        get { productName.value }
        set { productName.value = newValue }
    }
    /// The App Store account that pays, where it is known.
    public internal(set) var payer: PayerID<Interned>? {
        get { payerName.value }
        set { payerName.value = newValue }
    }
    /// The transaction that the queue purchased it as last.
    var purchase: TransactionID<Interned>? {
        get { purchaseName.value }
        set { purchaseName.value = newValue }
    }
    /// The lines of its first and its latest request, 0 where the log saw none.
    public var requestedLine: LineNumber = 0, requestedAgainLine: LineNumber = 0
    /// The line of its first event of any kind.
    public var firstLine: LineNumber = 0
    /// The line of its latest event of any kind.
    public var namedLine: LineNumber = 0
    /// How often it was requested.
    public var requests: UInt32 = 0
    /// The line of the latest `queue.failed`, 0 where there is none.
    public var failedLine: LineNumber = 0
    /// The line of the latest `queue.finished`, 0 where there is none.
    public var finishedLine: LineNumber = 0
    /// The line of the `queue.finished` before that, 0 where there is none.
    public var finishedEarlierLine: LineNumber = 0
    /// What waits to be finished, and what the latest finish finished.
    var entry = PaymentEntry()

    /// Notes that an event of an account names it, and changes it; whether that account is the
    /// first.
    @inline(__always)
    mutating func touch(
        by asker: AccountID<Interned>?, _ line: LineNumber,
        _ change: (inout PaymentFacts) -> Void
    ) -> Bool {
        if firstLine == 0 { firstLine = line }
        namedLine = line
        change(&self)
        guard let asker, account == nil else { return false }
        account = asker
        return true
    }

    /// Notes a request.
    @inline(__always)
    mutating func request(_ request: PaymentRequested<Interned>, _ line: LineNumber) {
        requests &+= 1
        product = request.product
        payer = request.payer ?? payer
        if requestedLine == 0 { requestedLine = line }
        requestedAgainLine = line
    }

    /// Notes a finish.
    @inline(__always)
    mutating func finish(_ line: LineNumber) {
        finishedEarlierLine = finishedLine
        finishedLine = line
        entry.finish()
    }
}
