import PurchaseEvents
import PurchaseImport
import PurchaseProjections

extension PaymentQueueRecorder {
    // MARK: Transactions

    /// Records new and changed transactions: `paymentQueue(_:updatedTransactions:)` (G4.2, G4.3).
    ///
    /// | state | events |
    /// |---|---|
    /// | purchasing | `queue.purchasing` |
    /// | deferred | `queue.deferred` |
    /// | failed | `queue.failed`; once the error was shown, `queue.finished` |
    /// | purchased | `queue.purchased`; then what the app does, and `queue.finished` |
    /// | restored | `queue.restored`; likewise |
    ///
    /// A transaction that is presented again without a change is recorded once for each launch.
    public func updated(_ transactions: [any ObservedTransaction]) {
        reporting { () throws(RecorderProblem) in try settleFinishes() }
        recordPresented(transactions)
        workOnDueTasks()
    }

    /// Records that entries left the queue: `paymentQueue(_:removedTransactions:)` (G4.5).
    public func removed(_ transactions: [any ObservedTransaction]) {
        for transaction in transactions {
            let known = presented.removeValue(forKey: Identity(transaction))
            let entry: QueueEntry<Written>? =
                known?.entry
                ?? transaction.observedIdentifier.map { .transaction(TransactionID($0)) }
            guard let entry else { continue }
            let session = settings.session(
                known?.account ?? transaction.observedPayment.observedAccount)
            reporting { () throws(RecorderProblem) in
                try book.record(.queueRemoved(entry: entry), session)
            }
        }
    }

    /// Records that a restore succeeded: `paymentQueueRestoreCompletedTransactionsFinished(_:)`
    /// (G4.6).
    public func restoreCompleted() {
        reporting { () throws(RecorderProblem) in
            try endRestore(.restoreCompleted)
            try chooseRestored()
        }
        workOnDueTasks()
    }

    /// Records that a restore failed:
    /// `paymentQueue(_:restoreCompletedTransactionsFailedWithError:)`.
    public func restoreFailed(_ failure: StoreFailure?) {
        reporting { () throws(RecorderProblem) in
            let word = failure?.word ?? KnownError.unknown.rawValue
            try endRestore(
                .restoreFailed(.init(error: ErrorWord(word), code: failure.map { Int64($0.code) })))
        }
        workOnDueTasks()
    }

    /// Asks the app which restored products with hosted content the user wants (G8.4).
    private func chooseRestored() throws(RecorderProblem) {
        let restored = presented.values.filter {
            $0.state == .restored && !$0.transaction.observedDownloads.isEmpty
        }
        let purchases = restored.map { purchase(of: $0) }
            .sorted { ($0.product, $0.transaction) < ($1.product, $1.transaction) }
        guard !purchases.isEmpty, let handler else { return }
        for product in handler.choose(among: purchases) {
            try book.perform(.select(ProductID(product)), settings.session(restored.first?.account))
        }
    }

    // MARK: Downloads

    /// Records that downloads changed: `paymentQueue(_:updatedDownloads:)` (G4.16).
    ///
    /// Only changes of state are recorded; progress is for display only.
    public func updated(downloads changed: [any ObservedDownload]) {
        for download in changed {
            reporting { () throws(RecorderProblem) in try recordState(of: download) }
        }
        workOnDueTasks()
    }

    /// Records the state of a download if it has changed.
    func recordState(of download: any ObservedDownload) throws(RecorderProblem) {
        let name = Identity(download)
        let transaction = download.observedTransaction
        guard let state = download.observedDownloadState,
            let identifier = transaction.observedIdentifier
        else { throw .notRecorded("a download in an unknown state", product: nil) }
        guard downloads[name] != state else { return }
        let fact = DeliveryDownload<Written>(
            transaction: TransactionID(identifier), download: DownloadID(download.observedContent),
            state: state, bytes: download.observedBytes, total: download.observedTotal,
            error: download.observedDownloadFailure.map { ErrorWord($0.word) })
        // A download that ended before the app ended may be presented again.
        let account = account(of: transaction, presented[Identity(transaction)]?.payment)
        try book.perform(.download(fact), settings.session(account), ignoring: [.downloadEnded])
        downloads[name] = state
    }

    // MARK: Receipt

    /// Records a refreshed receipt, given the bytes of its file: `requestDidFinish(_:)` (G8.2).
    ///
    /// The importer turns the receipt into `receipt.refreshed`, a `receipt.listed` for each row,
    /// and `receipt.validated`.
    public func refreshedReceipt(_ receipt: [UInt8]) {
        let statements = StoreStatements(reading: receipt)
        for remark in statements.remarks where remark.level == .error {
            handler?.receive(.notRecorded(remark.message, product: nil))
        }
        reporting { () throws(RecorderProblem) in
            try book.record(statements.drafts(recordedAt: settings.now()))
        }
        workOnDueTasks()
    }

    /// Refreshes the receipt, which shows which entitlements the store revoked.
    public func revoked(_ products: [String]) { queue.refreshReceipt() }
}
