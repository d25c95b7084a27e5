import PurchaseEvents

/// What a log says of one installation: launches, the observer, restores (event-log.md, 2).
public struct DeviceFacts: Sendable {
    /// How often the app was launched on it.
    public var launches: UInt32 = 0
    /// The line of the latest launch, 0 where there is none.
    public var launchedLine: LineNumber = 0
    /// The line of the latest `queue.observed`, 0 where there is none.
    public var observedLine: LineNumber = 0
    /// The line of the latest `queue.unobserved`, 0 where there is none.
    public var unobservedLine: LineNumber = 0
    /// The line of a `payment.restricted` that holds now, 0 where none does.
    public var restrictedLine: LineNumber = 0
    /// The line of the latest `restore.requested`, 0 where there is none.
    public var restoreRequestedLine: LineNumber = 0
    /// The line of the latest `restore.completed` or `.failed`, 0 where there is none.
    public var restoreEndedLine: LineNumber = 0
    /// The latest line at which it was shown a transaction or finished one, and that before its
    /// latest launch; 0 where there is none.
    var entryLine: LineNumber = 0, entryLineBeforeLaunch: LineNumber = 0
    /// The products selected since the latest `restore.requested` (G8.4).
    public var selectedProducts: [ProductID<Interned>] = []

    /// Whether a restore was requested and has not ended.
    public var isRestoring: Bool { restoreRequestedLine > restoreEndedLine }
}

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

/// What a log says of one product (G2.2).
public struct ProductFacts: Sendable {
    /// What the latest `catalog.listed` says, and what the rows and renewals say.
    var listedKind: ProductKind?, statedKindRegister = Register<ProductKind>()
    /// The group by the latest `catalog.listed` that names one, and by rows and renewals.
    var listedGroup: GroupID<Interned>?, statedGroupRegister = Register<GroupID<Interned>>()
    /// The kind by the latest `catalog.listed`, else by the first row or renewal that tells it.
    public var kind: ProductKind? { listedKind ?? statedKindRegister.value }
    /// The subscription group, by the same.
    public var group: GroupID<Interned>? { listedGroup ?? statedGroupRegister.value }
    /// The level in the group, 1 the highest.
    public var level: Int64?
    /// Whether it has content hosted by Apple.
    public var hosted: Bool?
    /// The latest `catalog.listed`, and the latest `catalog.invalid`, 0 where there is none.
    public var listedLine: LineNumber = 0, invalidLine: LineNumber = 0
}

/// What a log says of one piece of content (G6.3).
public struct ContentFacts: Sendable {
    /// When it was published, by the first `content.published`.
    public var publishedAt: Timestamp
    /// The product whose subscribers may read it, where it is said.
    public var product: ProductID<Interned>?
    /// The group whose subscribers may read it, where it is said.
    public var group: GroupID<Interned>?
    /// The line of the `content.published`.
    public var publishedLine: LineNumber
}
