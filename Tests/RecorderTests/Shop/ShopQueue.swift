import PurchaseEvents
import PurchaseRecorder

/// The queue of one process of the shop.
final class ShopQueue: ObservedQueue {
    let store: ShopStore
    let fuse: Fuse
    weak var recorder: PaymentQueueRecorder?
    private var shown: [Int: ShownEntry] = [:]
    private var isObserving = false
    private var started: Set<Int> = []
    private var finished: [StoreEntry] = []
    private(set) var requested: [String]?

    init(_ store: ShopStore, _ fuse: Fuse) { (self.store, self.fuse) = (store, fuse) }

    var mayPay: Bool { store.mayPay }
    var observedTransactions: [any ObservedTransaction] {
        store.held.filter { !$0.waitsForLaunch }.map { show($0) }
    }
    func beginObserving() { isObserving = true }
    func endObserving() { isObserving = false }
    func requestProducts(_ products: [String]) { requested = products }
    func add(_ order: PaymentOrder) {
        guard fuse.burn() else { return }
        store.add(order.product, order.quantity, order.account)
        fuse.burn()
    }
    func finish(_ transaction: any ObservedTransaction) {
        guard fuse.burn(), let entry = (transaction as? ShownEntry)?.entry else { return }
        entry.isFinished = true
        finished.append(entry)
        fuse.burn()
    }
    func restore(account: String?) {
        guard fuse.burn() else { return }
        store.beginRestore(account)
        fuse.burn()
    }
    func refreshReceipt() {}
    func control(_ downloads: [any ObservedDownload], _ control: DownloadControl) {
        guard fuse.burn() else { return }
        for download in downloads {
            guard let entry = (download.observedTransaction as? ShownEntry)?.entry else { continue }
            started.insert(entry.number)
        }
    }

    // MARK: Statements of the store

    private func show(_ entry: StoreEntry) -> ShownEntry {
        if let known = shown[entry.number] {
            known.update()
            return known
        }
        let new = ShownEntry(entry)
        shown[entry.number] = new
        return new
    }

    /// Presents entries to the recorder.
    func show(_ entries: [StoreEntry]) {
        guard isObserving, !fuse.isBlown, !entries.isEmpty else { return }
        recorder?.updated(entries.filter { !$0.waitsForLaunch }.map { show($0) })
    }

    /// The downloads of the presented entries.
    var downloads: [ShownDownload] {
        shown.values.filter { !$0.entry.isFinished }.sorted { $0.entry.number < $1.entry.number }
            .flatMap(\.downloads)
    }

    func hasStarted(_ download: ShownDownload) -> Bool {
        guard let entry = (download.observedTransaction as? ShownEntry)?.entry else {
            return false
        }
        return started.contains(entry.number)
    }

    /// Tells the recorder that the finished entries left the queue.
    func removeFinished() {
        let removed = finished.map { show($0) }
        finished = []
        guard !removed.isEmpty, !fuse.isBlown else { return }
        recorder?.removed(removed)
    }

    /// Answers the products request.
    func answerProducts() {
        guard let requested, !fuse.isBlown else { return }
        self.requested = nil
        let products = requested.map { name in
            TestProduct(
                observedProduct: name, observedGroup: name.hasSuffix("monthly") ? "magazine" : nil,
                observedPeriod: name.hasSuffix("monthly") ? "P1M" : nil,
                observedIsHosted: name.hasSuffix("birds"))
        }
        recorder?.received(products, invalid: ["com.example.shop.lost"])
    }
}
