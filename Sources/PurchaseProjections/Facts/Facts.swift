import PurchaseEvents

/// The facts that a log states, indexed and not judged; rules and projections read them.
///
/// The facts record each event before rules and projections see it, so at any line they include
/// that line. Handles are dense: every look-up by transaction, payment, product or device is an
/// array index.
public struct Facts {
    /// The names that the log's handles stand for.
    public let names: NameTable
    private var storage: FactsStorage
    /// A pointer to the record in ``storage``, read without reference counting.
    ///
    /// The tables below are views into the record, so that a register can be written together with
    /// the versions. Only `observe` writes, after it makes the record unique.
    var record: UnsafeMutablePointer<FactsRecord>

    /// Visits everything but the names.
    mutating func visitFields(_ visitor: FieldVisitor) {
        makeUnique()
        record.pointee.visitFields(visitor)
    }

    /// The environment of events that name none: that of `log.opened`, otherwise production.
    public var logEnvironment: Environment { record.pointee.logEnvironment }
    /// Whether the log starts in the middle: its first event is not `log.opened`.
    public var startsInTheMiddle: Bool { record.pointee.startsInTheMiddle }
    /// Whether the log is chained, and so no merged one: its order is that in which it was written,
    /// whatever the clocks of its recorders say.
    var isChained: Bool { record.pointee.isChained }
    /// The first thousand lines that were not understood.
    public var notUnderstoodLines: [LineNumber] { record.pointee.notUnderstoodLines }
    /// The number of lines that were not understood.
    public var notUnderstoodCount: Int { record.pointee.notUnderstoodCount }
    /// The latest line that was not understood; 0 if there is none.
    public var latestNotUnderstoodLine: LineNumber { record.pointee.latestNotUnderstoodLine }
    /// The greatest `at` so far; `nil` before the first event.
    public var greatestAt: Timestamp? { record.pointee.greatestAt }
    /// The latest instant that a statement of the App Store so far shows to be past, by the App
    /// Store's clock: a device's may be slow.
    var latestStated: Timestamp { record.pointee.latestStated }
    /// The line of the latest event.
    public var latestLine: LineNumber { record.pointee.latestLine }
    var transactions: DenseTable<TransactionFacts> {
        @inline(__always) _read { yield record.pointee.transactions }
        @inline(__always) nonmutating _modify { yield &record.pointee.transactions }
    }
    var payments: DenseTable<PaymentFacts> {
        @inline(__always) _read { yield record.pointee.payments }
        @inline(__always) nonmutating _modify { yield &record.pointee.payments }
    }
    var products: DenseTable<ProductFacts> {
        @inline(__always) _read { yield record.pointee.products }
        @inline(__always) nonmutating _modify { yield &record.pointee.products }
    }
    /// The unnamed device first, then the named devices by handle.
    var devices: DenseTable<DeviceFacts> {
        @inline(__always) _read { yield record.pointee.devices }
        @inline(__always) nonmutating _modify { yield &record.pointee.devices }
    }
    /// The subscriptions, in the order in which they became known.
    public internal(set) var subscriptions: [SubscriptionFacts] {
        @inline(__always) _read { yield record.pointee.subscriptions }
        @inline(__always) nonmutating _modify { yield &record.pointee.subscriptions }
    }
    var downloadFacts: [DownloadFacts] {
        @inline(__always) _read { yield record.pointee.downloadFacts }
        @inline(__always) nonmutating _modify { yield &record.pointee.downloadFacts }
    }
    /// Published content by handle; `nil` if it was never published.
    var contents: DenseTable<ContentFacts?> {
        @inline(__always) _read { yield record.pointee.contents }
        @inline(__always) nonmutating _modify { yield &record.pointee.contents }
    }
    /// The lines of notifications with a wrong secret or an invalid signature.
    public internal(set) var distrusted: [NotificationHandle: LineNumber] {
        @inline(__always) _read { yield record.pointee.distrusted }
        @inline(__always) nonmutating _modify { yield &record.pointee.distrusted }
    }
    var versions: Versions {
        @inline(__always) _read { yield record.pointee.versions }
        @inline(__always) nonmutating _modify { yield &record.pointee.versions }
    }
    /// Indices of subscriptions by the accounts that own or owned them.
    var subscriptionsByAccount: IndexLists {
        @inline(__always) _read { yield record.pointee.subscriptionsByAccount }
        @inline(__always) nonmutating _modify { yield &record.pointee.subscriptionsByAccount }
    }
    /// Purchases by the accounts that own or owned them.
    var purchasesByAccount: IndexLists {
        @inline(__always) _read { yield record.pointee.purchasesByAccount }
        @inline(__always) nonmutating _modify { yield &record.pointee.purchasesByAccount }
    }
    var transactionsByOriginal: IndexLists {
        @inline(__always) _read { yield record.pointee.transactionsByOriginal }
        @inline(__always) nonmutating _modify { yield &record.pointee.transactionsByOriginal }
    }
    var presentations: Presentations {
        @inline(__always) _read { yield record.pointee.presentations }
        @inline(__always) nonmutating _modify { yield &record.pointee.presentations }
    }
    /// The `at` of the first event.
    public var firstAt: Timestamp? { record.pointee.firstAt }

    /// Creates empty facts for a log with the given name table.
    public init(names: NameTable) {
        self.names = names
        storage = FactsStorage(FactsRecord(names: names))
        record = storage.record
    }

    @inline(__always)
    mutating func makeUnique() {
        guard !isKnownUniquelyReferenced(&storage) else { return }
        storage = FactsStorage(record.pointee)
        record = storage.record
    }

    /// The facts about a transaction; empty if no event named it.
    @inline(__always)
    public subscript(transaction: TransactionHandle) -> TransactionFacts {
        // An inlined getter loads only the fields that the caller reads, not the whole record.
        @inline(__always) get { transactions[transaction.index] }
    }

    /// Every transaction that an event named, in the order in which they became known.
    public var knownTransactions: some Sequence<TransactionHandle> {
        transactions.indices.lazy.map { TransactionHandle(index: $0) }
    }
    var transactionCount: Int { transactions.indices.count }

    /// The facts about a payment; empty if no event named it.
    @inline(__always)
    public subscript(payment: PaymentHandle) -> PaymentFacts {
        @inline(__always) get { payments[payment.index] }
    }

    /// Every payment that an event named, in the order in which they became known.
    public var knownPayments: some Sequence<PaymentHandle> {
        payments.indices.lazy.map { PaymentHandle(index: $0) }
    }

    /// The facts about a product; empty if no event named it.
    @inline(__always)
    public subscript(product: ProductHandle) -> ProductFacts {
        @inline(__always) get { products[product.index] }
    }

    /// The facts about a device; `nil` stands for the unnamed device.
    @inline(__always)
    public subscript(device: DeviceHandle?) -> DeviceFacts {
        @inline(__always) get { devices[Facts.index(of: device)] }
    }

    /// The facts about published content; `nil` if it was never published.
    public subscript(content: ContentHandle) -> ContentFacts? { contents[content.index] }

    /// All published content, by handle.
    public var publishedContents: [(id: ContentHandle, facts: ContentFacts)] {
        contents.indices.compactMap { index in
            contents[index].map { (ContentID(index: index), $0) }
        }
    }

    /// The facts about a download of a transaction on a device; `nil` if no event named it.
    public func download(
        _ download: DownloadHandle, of transaction: TransactionHandle, on device: DeviceHandle?
    ) -> DownloadFacts? {
        downloadPlace(download, transaction, Facts.index(of: device)).map { downloadFacts[$0] }
    }

    /// The place of a device's download in ``downloadFacts``.
    func downloadPlace(
        _ download: DownloadHandle, _ transaction: TransactionHandle, _ device: Int
    ) -> Int? {
        guard let first = record.pointee.downloads[HandleKey(download, of: transaction)] else {
            return nil
        }
        let place = Int(first) - 1
        if Int(downloadFacts[place].device) == device { return place }
        let key = DeviceDownload(
            download: download, transaction: transaction, device: UInt32(device))
        return record.pointee.otherDownloads[key].map { Int($0) }
    }

    /// The subscription that a transaction keys or is a period of; `nil` if there is none.
    public func subscription(of transaction: TransactionHandle) -> SubscriptionFacts? {
        subscriptionIndex(of: original(of: transaction)).map { subscriptions[$0] }
    }

    /// The subscription that an original keys, even if the original names another one; `nil` if it
    /// keys none.
    func subscription(keyedBy original: TransactionHandle) -> SubscriptionFacts? {
        subscriptionIndex(of: original).map { subscriptions[$0] }
    }

    /// The index in ``subscriptions`` of the subscription that an original keys; `nil` if it keys
    /// none.
    @inline(__always)
    func subscriptionIndex(of original: TransactionHandle) -> Int? {
        let index = self[original].subscriptionIndex
        return index == 0 ? nil : Int(index) - 1
    }

    /// The original of a transaction; the transaction itself if it names none.
    public func original(of transaction: TransactionHandle) -> TransactionHandle {
        self[transaction].original ?? transaction
    }

    /// The kind of the purchased product; `nil` if unknown.
    ///
    /// The kind comes from the catalogue, otherwise from statements. Without either, a product with
    /// end dates is auto-renewable, and so is a transaction with one.
    public func kind(of transaction: TransactionHandle) -> ProductKind? {
        // Reads field by field: the record is long, and this function is hot.
        if let product = self[transaction].product, let kind = self[product].kind { return kind }
        if let kind = self[transaction].statedKind { return kind }
        return self[transaction].expiresAt == nil ? nil : .autoRenewable
    }

    /// The account that owns a transaction; `nil` if unknown.
    ///
    /// This is the account that its subscription was last linked to, otherwise the first account
    /// that the subscription's statements name, otherwise the payer (G3.4). An account named only
    /// in a test environment counts for a production subscription only if no other is known (G9.3).
    public func owner(of transaction: TransactionHandle) -> AccountHandle? {
        let original = original(of: transaction)
        let subscription = subscriptionIndex(of: self.original(of: original))
        if let subscription, let account = subscriptions[subscription].account { return account }
        return self[original].account ?? self[transaction].account
            ?? payer(of: original) ?? payer(of: transaction)
            ?? subscription.flatMap { subscriptions[$0].testAccount }
    }

    /// The account that owns a subscription, even if the original that keys it is of another one;
    /// `nil` if unknown.
    func owner(of subscription: SubscriptionFacts) -> AccountHandle? {
        subscription.account ?? owner(of: subscription.original)
    }

    private func payer(of transaction: TransactionHandle) -> AccountHandle? {
        self[transaction].payment.flatMap { self[$0].account }
    }

    /// The environment of an event; ``logEnvironment`` if the event names none.
    @inline(__always)
    public func environment(of event: LogEvent) -> Environment {
        event.environment ?? logEnvironment
    }

    @inline(__always)
    static func index<Role>(of name: Identifier<Role, Interned>?) -> Int {
        name.map { $0.index + 1 } ?? 0
    }

    /// The name at an index that ``index(of:)`` returned.
    static func name<Role>(at index: Int) -> Identifier<Role, Interned>? {
        index == 0 ? nil : Identifier(index: index - 1)
    }
}

extension Facts {
    /// The transaction that the latest event is about; for a `queue.finished` that names only a
    /// payment, the oldest purchase of the payment that was not finished.
    public func transaction(of event: LogEvent) -> TransactionHandle? {
        finishedTransaction(of: event) ?? event.transaction
    }

    /// The transaction that the latest event finishes, even if the event names only the payment
    /// that bought it.
    @inline(__always)
    func finishedTransaction(of event: LogEvent) -> TransactionHandle? {
        guard event.type == .queueFinished else { return nil }
        if let transaction = event.transaction { return transaction }
        guard let payment = event.payment, self[payment].entry.hasFinishedPurchase else {
            return nil
        }
        return self[payment].finishedPurchase
    }
}

extension Event where S == Interned {
    /// The queue entry that the event finishes or removes.
    @inline(__always)
    var entry: QueueEntry<Interned>? {
        if let transaction { return .transaction(transaction) }
        return payment.map { .payment($0) }
    }
}
