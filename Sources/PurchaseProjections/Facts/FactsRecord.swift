import PurchaseEvents

struct DeviceDownload: Hashable {
    var download: DownloadHandle, transaction: TransactionHandle
    var device: UInt32
}

/// The record behind ``Facts``, kept at one address, because the value is large and slow to copy.
struct FactsRecord: Snapshotted {
    var logEnvironment = Environment.production
    var startsInTheMiddle = false
    var isChained = false
    var notUnderstoodLines: [LineNumber] = []
    var notUnderstoodCount: Int = 0
    var latestNotUnderstoodLine: LineNumber = 0
    var greatestAt: Timestamp?
    var latestStated = Timestamp.earliest
    /// The same of the statements that name an account, for each.
    var latestStatedOf = DenseTable(Timestamp.earliest)
    var positions = LinePositions()
    var latestLine: LineNumber = 0
    var transactions = DenseTable(TransactionFacts())
    var payments = DenseTable(PaymentFacts())
    var products = DenseTable(ProductFacts())
    var devices = DenseTable(DeviceFacts())
    var subscriptions: [SubscriptionFacts] = []
    /// The transaction after each one in a subscription that lost a transaction.
    var nextInSubscription = HandleMap(TransactionHandle(index: 0))
    /// The index of each download in ``downloadFacts``, counted from 1.
    var downloads = HandleMap<UInt32>(0)
    var downloadFacts: [DownloadFacts] = []
    /// The places of downloads that another device had reported before.
    var otherDownloads: [DeviceDownload: UInt32] = [:]
    var contents = DenseTable<ContentFacts?>(nil)
    var distrusted: [NotificationHandle: LineNumber] = [:]
    var versions: Versions
    var subscriptionsByAccount = IndexLists()
    var purchasesByAccount = IndexLists()
    /// The purchases of payments that bought several, without those that finishes of the payment
    /// ended.
    var openPurchases: [PaymentHandle: ArraySlice<TransactionHandle>] = [:]
    var transactionsByOriginal = IndexLists()
    /// Purchases by a payment whose account is not known yet.
    var purchasesWithoutAccount = IndexLists()
    /// For each original and account, what was listed of its family when it last moved there.
    var listedFamilies = HandleMap<UInt32>(0)
    var publications = Publications()
    var presentations = Presentations()
    var openReceipts = OpenReceipts()
    var firstAt: Timestamp?
    /// How the statement on the latest line disagrees with those before it.
    var disagreement: Disagreement?
    var reused = ReusedIdentifiers()
    /// Only at the end of a log, and no part of a snapshot.
    var settledPeriods: SettledPeriods?

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&logEnvironment).visit(&startsInTheMiddle).visit(&isChained)
        visitor.visit(&notUnderstoodLines).visit(&notUnderstoodCount)
        visitor.visit(&latestNotUnderstoodLine).visit(&greatestAt).visit(&latestStated)
        visitor.visit(&latestStatedOf)
        visitor.visit(&positions).visit(&latestLine)
        transactions.visitRuns(visitor) { TransactionFacts.visit($0, visitor) }
        visitor.visit(&payments).visit(&products)
        devices.visit(visitor) { $0.visitFields(visitor) }
        SubscriptionFacts.visit(&subscriptions, visitor)
        visitor.visit(&nextInSubscription).visit(&downloads).visit(&downloadFacts)
        visitor.visit(&otherDownloads).visit(&contents).visit(&distrusted).visit(&versions)
        visitor.visit(&subscriptionsByAccount).visit(&purchasesByAccount).visit(&openPurchases)
        visitor.visit(&transactionsByOriginal).visit(&purchasesWithoutAccount)
        visitor.visit(&listedFamilies).visit(&publications).visit(&presentations).visit(&firstAt)
        visitor.visit(&disagreement).visit(&openReceipts).visit(&reused)
    }

    init(names: NameTable) { versions = Versions(names: names) }
}

/// The memory of ``Facts``: copies share it until one of them is written to.
final class FactsStorage {
    let record: UnsafeMutablePointer<FactsRecord>

    init(_ record: FactsRecord) {
        self.record = .allocate(capacity: 1)
        self.record.initialize(to: record)
    }

    deinit {
        record.deinitialize(count: 1)
        record.deallocate()
    }
}
