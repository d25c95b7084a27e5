import PurchaseEvents
import PurchaseRecorder

/// An entry of the simulated queue, which outlives the app's process.
final class StoreEntry {
    enum State {
        case purchasing, deferred, purchased, restored
        case failed(StoreFailure)
    }

    let number: Int
    let product: String
    let quantity: Int
    let account: String?
    var state = State.purchasing
    var transaction: String?
    var date: Timestamp?
    var original: StorePurchase?
    var downloads: [DownloadState] = []
    /// The number of presentations in its current state.
    var presentations = 0
    /// Whether the queue presents it only at the next launch (G6.8).
    var waitsForLaunch = false
    var isFinished = false
    /// Whether the user started the purchase in the App Store.
    var isPromoted = false
    /// Whether the app has recorded its answer.
    var isHeard = false

    init(_ number: Int, _ product: String, _ quantity: Int, _ account: String?) {
        (self.number, self.product, self.quantity) = (number, product, quantity)
        self.account = account
    }

    var isPurchasing: Bool { if case .purchasing = state { true } else { false } }
    var isDeferred: Bool { if case .deferred = state { true } else { false } }
    /// Whether the app must finish it.
    var isAtItsEnd: Bool { !isPurchasing && !isDeferred && !isFinished }
    var isBought: Bool { transaction != nil && original == nil || product.hasSuffix("monthly") }
}

/// A paid purchase.
final class StorePurchase {
    let transaction: String, product: String, account: String?
    let date: Timestamp
    /// The first purchase of the subscription.
    let original: StorePurchase?
    let quantity: Int
    /// The end of a subscription's period.
    var end: Timestamp?
    var isRefunded = false, isOver = false

    init(
        _ transaction: String, _ product: String, _ account: String?, _ quantity: Int,
        _ date: Timestamp, original: StorePurchase?
    ) {
        (self.transaction, self.product, self.account) = (transaction, product, account)
        (self.quantity, self.date, self.original) = (quantity, date, original)
    }
}

/// The object that presents an entry to a process.
final class ShownEntry: ObservedTransaction {
    let entry: StoreEntry
    private(set) var downloads: [ShownDownload] = []

    init(_ entry: StoreEntry) {
        self.entry = entry
        downloads = entry.downloads.indices.map { ShownDownload($0, of: self) }
    }

    /// Updates the downloads from the entry.
    func update() {
        for place in downloads.count..<max(downloads.count, entry.downloads.count) {
            downloads.append(ShownDownload(place, of: self))
        }
    }

    var observedState: ObservedTransactionState? {
        switch entry.state {
        case .purchasing: .purchasing
        case .deferred: .deferred
        case .purchased: .purchased
        case .restored: .restored
        case .failed: .failed
        }
    }
    var observedPayment: any ObservedPayment {
        PaymentOrder(product: entry.product, quantity: entry.quantity, account: entry.account)
    }
    var observedIdentifier: String? { entry.transaction }
    var observedDate: Timestamp? { entry.date }
    var observedOriginal: (any ObservedTransaction)? {
        entry.original.map { original in
            let first = StoreEntry(0, original.product, original.quantity, original.account)
            (first.state, first.transaction) = (.purchased, original.transaction)
            first.date = original.date
            return ShownEntry(first)
        }
    }
    var observedFailure: StoreFailure? {
        if case .failed(let failure) = entry.state { failure } else { nil }
    }
    var observedDownloads: [any ObservedDownload] { downloads }
}

/// The object that presents a download to a process.
final class ShownDownload: ObservedDownload {
    private let place: Int
    private unowned let shown: ShownEntry

    init(_ place: Int, of shown: ShownEntry) { (self.place, self.shown) = (place, shown) }

    var observedContent: String { "\(shown.entry.product).\(place + 1)" }
    var observedDownloadState: DownloadState? {
        get { shown.entry.downloads[place] }
    }
    var observedBytes: Int64? { nil }
    var observedTotal: Int64? { nil }
    var observedDownloadFailure: StoreFailure? {
        shown.entry.downloads[place] == .failed
            ? StoreFailure(domain: "NSURLErrorDomain", code: -1_001) : nil
    }
    var observedTransaction: any ObservedTransaction { shown }

    /// Changes the state of the download.
    func change(to state: DownloadState) { shown.entry.downloads[place] = state }
}
