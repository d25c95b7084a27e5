import PurchaseEvents
import PurchaseRecorder

/// A transaction of a test's queue.
final class TestTransaction: ObservedTransaction {
    var observedState: ObservedTransactionState?
    let observedPayment: any ObservedPayment
    var observedIdentifier: String?
    var observedDate: Timestamp?
    var observedOriginal: (any ObservedTransaction)?
    var observedFailure: StoreFailure?
    var downloads: [TestDownload] = []
    var observedDownloads: [any ObservedDownload] { downloads }

    init(
        _ state: ObservedTransactionState?, _ product: String, quantity: Int = 1,
        account: String? = Bench.account, id: String? = nil,
        at date: Timestamp? = nil,
        original: TestTransaction? = nil, failure: StoreFailure? = nil
    ) {
        observedState = state
        observedPayment = PaymentOrder(product: product, quantity: quantity, account: account)
        observedIdentifier = id
        observedDate = date
        observedOriginal = original
        observedFailure = failure
    }

    /// The same entry as a new object, as the next launch presents it.
    var again: TestTransaction {
        let new = TestTransaction(
            observedState, observedPayment.observedProduct,
            quantity: observedPayment.observedQuantity, account: observedPayment.observedAccount,
            id: observedIdentifier, at: observedDate, failure: observedFailure)
        new.observedOriginal = observedOriginal
        new.downloads = downloads.map { TestDownload($0.observedContent, of: new, $0.state) }
        return new
    }

    /// Changes to the purchased state.
    func purchase(_ id: String, at date: Timestamp) {
        (observedState, observedIdentifier, observedDate) = (.purchased, id, date)
    }

    /// Changes to the failed state.
    func fail(_ code: Int, causes: [StoreFailure.Cause] = []) {
        observedState = .failed
        observedFailure = StoreFailure(
            domain: StoreFailure.storeDomain, code: code, causes: causes)
    }
}

/// A download of a test's queue.
final class TestDownload: ObservedDownload {
    let observedContent: String
    var state: DownloadState?
    var observedDownloadState: DownloadState? { state }
    var observedBytes: Int64? = 0
    var observedTotal: Int64? = 100
    var observedDownloadFailure: StoreFailure?
    private unowned let transaction: TestTransaction
    var observedTransaction: any ObservedTransaction { transaction }

    init(_ content: String, of transaction: TestTransaction, _ state: DownloadState? = .waiting) {
        observedContent = content
        self.transaction = transaction
        self.state = state
    }
}

/// A product of a test's store.
struct TestProduct: ObservedProduct {
    var observedProduct: String
    var observedKind: ProductKind?
    var observedPrice: Int64? = 990
    var observedCurrency: String? = "EUR"
    var observedGroup: String?
    var observedPeriod: String?
    var observedIsHosted = false
    var observedIsShareable: Bool?
}
