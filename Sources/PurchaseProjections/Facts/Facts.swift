import PurchaseEvents

/// What a log attests, indexed once and judged nowhere: rules and projections read it.
///
/// Facts take in each event before rules and projections see it, so that what they read at a line
/// is what the log knew there, that line counted. Handles are dense, so every look-up by a
/// transaction, a payment, a product or a device is an array index.
public struct Facts {
    /// The names that the handles of the log stand for.
    public let names: NameTable
    private var storage: FactsStorage
    /// What ``storage`` holds, at hand without counting references.
    ///
    /// The tables below lead into it, so that a register may be written beside the versions. Only
    /// taking in a line writes, and makes the record its own first.
    var record: UnsafeMutablePointer<FactsRecord>

    /// The environment of events that name none: that of `log.opened`, else production.
    public var home: Environment { record.pointee.home }
    /// Whether the first event is no `log.opened`, so that the log starts in the middle.
    public var startsInTheMiddle: Bool { record.pointee.startsInTheMiddle }
    /// The first thousand of the lines that were not understood so far.
    public var notUnderstoodLines: [LineNumber] { record.pointee.notUnderstoodLines }
    /// How many lines were not understood so far.
    public var notUnderstoodCount: Int { record.pointee.notUnderstoodCount }
    /// The latest line that was not understood, 0 where there is none.
    public var latestNotUnderstoodLine: LineNumber { record.pointee.latestNotUnderstoodLine }
    /// The greatest `at` so far; `nil` before the first event.
    public var greatestAt: Timestamp? { record.pointee.greatestAt }
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
    /// The unnamed device first, then the named ones by their handles.
    var devices: DenseTable<DeviceFacts> {
        @inline(__always) _read { yield record.pointee.devices }
        @inline(__always) nonmutating _modify { yield &record.pointee.devices }
    }
    /// Subscription lines in the order in which they became known.
    public internal(set) var lines: [LineFacts] {
        @inline(__always) _read { yield record.pointee.lines }
        @inline(__always) nonmutating _modify { yield &record.pointee.lines }
    }
    /// Where in ``downloadFacts`` each download is, counted from 1.
    var downloads: HandleMap<UInt32> {
        @inline(__always) _read { yield record.pointee.downloads }
        @inline(__always) nonmutating _modify { yield &record.pointee.downloads }
    }
    var downloadFacts: [DownloadFacts] {
        @inline(__always) _read { yield record.pointee.downloadFacts }
        @inline(__always) nonmutating _modify { yield &record.pointee.downloadFacts }
    }
    /// Content that was published, by its handle; `nil` where it never was.
    var contents: DenseTable<ContentFacts?> {
        @inline(__always) _read { yield record.pointee.contents }
        @inline(__always) nonmutating _modify { yield &record.pointee.contents }
    }
    /// Notifications whose secret was wrong or whose signature was invalid, by their line.
    public internal(set) var distrusted: [NotificationID<Interned>: LineNumber] {
        @inline(__always) _read { yield record.pointee.distrusted }
        @inline(__always) nonmutating _modify { yield &record.pointee.distrusted }
    }
    var versions: Versions {
        @inline(__always) _read { yield record.pointee.versions }
        @inline(__always) nonmutating _modify { yield &record.pointee.versions }
    }
    /// Lines by the accounts that they belong or belonged to.
    var heldLines: Holdings {
        @inline(__always) _read { yield record.pointee.heldLines }
        @inline(__always) nonmutating _modify { yield &record.pointee.heldLines }
    }
    /// Purchases by the accounts that they belong or belonged to.
    var heldPurchases: Holdings {
        @inline(__always) _read { yield record.pointee.heldPurchases }
        @inline(__always) nonmutating _modify { yield &record.pointee.heldPurchases }
    }
    /// Purchases by the original that they name.
    var kin: Holdings {
        @inline(__always) _read { yield record.pointee.kin }
        @inline(__always) nonmutating _modify { yield &record.pointee.kin }
    }
    /// Purchases by the payment of which no account is known.
    var unclaimed: Holdings {
        @inline(__always) _read { yield record.pointee.unclaimed }
        @inline(__always) nonmutating _modify { yield &record.pointee.unclaimed }
    }
    var publications: Publications {
        @inline(__always) _read { yield record.pointee.publications }
        @inline(__always) nonmutating _modify { yield &record.pointee.publications }
    }
    var presentations: Presentations {
        @inline(__always) _read { yield record.pointee.presentations }
        @inline(__always) nonmutating _modify { yield &record.pointee.presentations }
    }
    /// The `at` of the first event.
    public var firstAt: Timestamp? { record.pointee.firstAt }

    /// No facts yet, of a log whose names are in a table.
    public init(names: NameTable) {
        self.names = names
        storage = FactsStorage(FactsRecord(names: names))
        record = storage.record
    }

    /// Makes the record one that no copy of these facts has.
    @inline(__always)
    mutating func makeUnique() {
        guard !isKnownUniquelyReferenced(&storage) else { return }
        storage = FactsStorage(record.pointee)
        record = storage.record
    }

    /// What is known of a transaction; nothing for one that no event named.
    @inline(__always)
    public subscript(transaction: TransactionID<Interned>) -> TransactionFacts {
        // A getter that is inlined loads the fields that are asked for, not the record.
        @inline(__always) get { transactions[transaction.index] }
    }

    /// Every transaction that an event named, in the order in which they became known.
    public var knownTransactions: some Sequence<TransactionID<Interned>> {
        transactions.indices.lazy.map { TransactionID<Interned>(index: $0) }
    }

    /// What is known of a payment.
    @inline(__always)
    public subscript(payment: PaymentID<Interned>) -> PaymentFacts {
        @inline(__always) get { payments[payment.index] }
    }

    /// Every payment that an event named, in the order in which they became known.
    public var knownPayments: some Sequence<PaymentID<Interned>> {
        payments.indices.lazy.map { PaymentID<Interned>(index: $0) }
    }

    /// What is known of a product.
    @inline(__always)
    public subscript(product: ProductID<Interned>) -> ProductFacts {
        @inline(__always) get { products[product.index] }
    }

    /// What is known of a device; `nil` is the unnamed one.
    @inline(__always)
    public subscript(device: DeviceID<Interned>?) -> DeviceFacts {
        @inline(__always) get { devices[Facts.index(of: device)] }
    }

    /// What was published as a content; `nil` where nothing was.
    public subscript(content: ContentID<Interned>) -> ContentFacts? {
        contents[content.index]
    }

    /// Every content that was published.
    public var publishedContents: [(id: ContentID<Interned>, facts: ContentFacts)] {
        contents.indices.compactMap { index in
            contents[index].map { (ContentID(index: index), $0) }
        }
    }

    /// What is known of a download of a transaction.
    public func download(
        _ download: DownloadID<Interned>, of transaction: TransactionID<Interned>
    ) -> DownloadFacts? {
        downloads[HandleKey(download, of: transaction)].map { downloadFacts[Int($0) - 1] }
    }

    /// The line that a transaction is a period of, or that it keys; `nil` where there is none.
    public func line(of transaction: TransactionID<Interned>) -> LineFacts? {
        lineIndex(of: original(of: transaction)).map { lines[$0] }
    }

    /// The index in ``lines`` of the line that an original keys; `nil` where it keys none.
    @inline(__always)
    func lineIndex(of original: TransactionID<Interned>) -> Int? {
        let index = self[original].lineIndex
        return index == 0 ? nil : Int(index) - 1
    }

    /// The original of a transaction: itself where it names none.
    public func original(of transaction: TransactionID<Interned>) -> TransactionID<Interned> {
        self[transaction].original ?? transaction
    }

    /// The kind of a product that was bought: by the catalogue, else by what its statements say.
    public func kind(of transaction: TransactionID<Interned>) -> ProductKind? {
        // Field by field: a record is long, and this is asked often.
        if let product = self[transaction].product, let kind = self[product].kind { return kind }
        if let kind = self[transaction].statedKind { return kind }
        guard self[transaction].expiresAt != nil else { return nil }
        return self[transaction].isRestored ? nil : .autoRenewable
    }

    /// The account that a transaction belongs to: the one its line was last linked to, else the
    /// one that its line's facts name first, else its payment's (G3.4); whom tests name counts for
    /// a line of production where nothing else does (G9.3).
    public func owner(of transaction: TransactionID<Interned>) -> AccountID<Interned>? {
        let original = original(of: transaction)
        let line = lineIndex(of: self.original(of: original))
        if let line, let account = lines[line].account { return account }
        return self[original].account ?? self[transaction].account
            ?? payer(of: original) ?? payer(of: transaction)
            ?? line.flatMap { lines[$0].testAccount }
    }

    private func payer(of transaction: TransactionID<Interned>) -> AccountID<Interned>? {
        self[transaction].payment.flatMap { self[$0].account }
    }

    /// The environment that an event is of.
    @inline(__always)
    public func environment(of event: Event<Interned>) -> Environment {
        event.environment ?? home
    }

    @inline(__always)
    static func index<Role>(of name: Identifier<Role, Interned>?) -> Int {
        name.map { $0.index + 1 } ?? 0
    }

    /// The name at an index that ``index(of:)`` gives.
    static func name<Role>(at index: Int) -> Identifier<Role, Interned>? {
        index == 0 ? nil : Identifier(index: index - 1)
    }
}

extension Facts {
    /// The transaction that the event that was read last is about, also where it finishes what a
    /// payment was purchased as.
    func transaction(of event: Event<Interned>) -> TransactionID<Interned>? {
        finishedTransaction(of: event) ?? event.transaction
    }

    /// The transaction that the event that was read last finishes, also where it names the payment
    /// that was purchased as it.
    @inline(__always)
    func finishedTransaction(of event: Event<Interned>) -> TransactionID<Interned>? {
        guard event.type == .queueFinished else { return nil }
        if let transaction = event.transaction { return transaction }
        guard let payment = event.payment, self[payment].entry.hasFinishedPurchase else {
            return nil
        }
        return self[payment].purchase
    }
}

extension Event where S == Interned {
    /// The entry of the queue that it finishes or removes.
    @inline(__always)
    var entry: QueueEntry<Interned>? {
        if let transaction { return .transaction(transaction) }
        return payment.map { .payment($0) }
    }
}
