import PurchaseEvents
import PurchaseProjections

/// Performs the tasks that the ledger says are due.
extension PaymentQueueRecorder {
    /// Performs the tasks that are due now, as far as the app and the queue allow.
    ///
    /// Call this method when something that a task waits for becomes available, such as the
    /// network. Callbacks and the launch call the method themselves.
    ///
    /// Cost: for each task, time linear in the number of transactions in the log.
    public func workOnDueTasks() {
        guard !isWorking else {
            hasMoreWork = true
            return
        }
        isWorking = true
        defer { isWorking = false }
        var stuck: Set<QueueEntry<Written>> = []
        repeat {
            hasMoreWork = false
            var rows: [PendingRow] = []
            reporting { () throws(RecorderProblem) in rows = try book.pending() }
            for row in rows {
                guard let entry = row.entry, !stuck.contains(entry) else { continue }
                var isDone = false
                reporting { () throws(RecorderProblem) in isDone = try step(row, entry) }
                if isDone { hasMoreWork = true } else { stuck.insert(entry) }
            }
            reporting { () throws(RecorderProblem) in try finishAnswered(besides: rows) }
        } while hasMoreWork
    }

    /// Finishes the failed entries of which nothing is pending, because a purchase answered their
    /// payment: the queue keeps them until they are finished, and there is no error to show.
    private func finishAnswered(besides rows: [PendingRow]) throws(RecorderProblem) {
        let due = Set(rows.compactMap(\.entry))
        let answered = presented.values.filter { known in
            guard known.state == .failed, let payment = known.entry.payment else { return false }
            return !due.contains(known.entry) && ledger.phase(of: payment) == .failed
                && !isFinished(payment)
        }
        for known in answered.sorted(by: { "\($0.entry)" < "\($1.entry)" }) {
            _ = try finish(known)
        }
    }

    /// Performs one step for an entry; returns whether another step may follow.
    private func step(
        _ row: PendingRow, _ entry: QueueEntry<Written>
    ) throws(RecorderProblem) -> Bool {
        let known = presented.values.first { $0.entry == entry }
        if let known, known.state == .restored, book.notes.restore != nil { return false }
        switch row.next {
        case .wait: return false
        case .showError:
            guard let known, known.state == .failed else { return false }
            return try finishFailure(known, entry)
        case .persist: return try persist(purchase(row, known))
        case .deliver:
            if known == nil, mayHaveFiles(row) { return false }
            return try deliver(purchase(row, known), known)
        case .withdraw: return try withdraw(purchase(row, known))
        case .download:
            guard let known else { return false }
            let downloads = known.transaction.observedDownloads
            if downloads.isEmpty { return try stepWithoutContent(row, known) }
            return try startDownloads(downloads, purchase(row, known))
        case .finish:
            guard let known else { return false }
            return try finish(known)
        }
    }

    /// Whether a purchase that the queue hasn't presented since the launch may have downloads to
    /// install first; only the queue knows them.
    private func mayHaveFiles(_ row: PendingRow) -> Bool {
        guard let name = row.transaction, let product = row.product,
            settings.kinds[product] ?? .nonConsumable == .nonConsumable
        else { return false }
        return ledger.phase(of: TransactionID(name)).isInQueue
    }

    /// Performs the next step of a purchase that should have hosted content, but has no downloads
    /// in the queue (G4.16).
    private func stepWithoutContent(
        _ row: PendingRow, _ known: PresentedEntry
    ) throws(RecorderProblem) -> Bool {
        let session = settings.session(row.account)
        let refusals = ledger.refusals(of: .finish(known.entry), by: session, now: settings.now())
        if refusals.contains(.undelivered) || refusals.contains(.deliveredInPart) {
            return try deliver(purchase(row, known), known)
        }
        if refusals.contains(.unpersisted) { return try persist(purchase(row, known)) }
        return try finish(known)
    }

    // MARK: Purchases

    private func purchase(_ row: PendingRow, _ known: PresentedEntry?) -> DuePurchase {
        if let known {
            var purchase = purchase(of: known)
            purchase.account = row.account ?? purchase.account
            return purchase
        }
        // The queue hasn't presented the entry since the launch; the log knows what was bought.
        let name = row.transaction ?? ""
        let recorded = ledger.transaction(TransactionID(name))
        return DuePurchase(
            transaction: name, product: row.product ?? "", account: row.account,
            kind: row.product.flatMap { settings.kinds[$0] },
            isRestored: recorded?.phase.isRestored ?? false, quantity: recorded?.quantity ?? 1,
            purchasedAt: recorded?.purchasedAt)
    }

    func purchase(of known: PresentedEntry) -> DuePurchase {
        let payment = known.transaction.observedPayment
        return DuePurchase(
            transaction: known.entry.transaction?.name ?? "", product: payment.observedProduct,
            account: known.account, kind: settings.kinds[payment.observedProduct],
            isRestored: known.state == .restored, quantity: Int64(payment.observedQuantity),
            purchasedAt: known.transaction.observedDate)
    }

    /// Calls the app; an error that the app throws leaves the task due.
    private func asking<Answer>(
        _ purchase: DuePurchase, _ body: (any PurchaseHandler) throws -> Answer
    ) throws(RecorderProblem) -> Answer? {
        guard let handler else { return nil }
        do {
            return try body(handler)
        } catch {
            throw .notDone(transaction: purchase.transaction, reason: "\(error)")
        }
    }

    /// Asks the app to validate a purchase; returns whether the purchase may be delivered (G4.19).
    private func isValid(_ purchase: DuePurchase) throws(RecorderProblem) -> Bool {
        guard !validated.contains(purchase.transaction) else { return true }
        let answer = try asking(purchase) { try $0.validate(purchase) }
        guard let answer, let outcome = answer else { return true }
        let fact = DeliveryValidated<Written>(
            transaction: TransactionID(purchase.transaction), outcome: outcome)
        try book.record(.deliveryValidated(fact), settings.session(purchase.account))
        if outcome == .valid { validated.insert(purchase.transaction) }
        return outcome == .valid
    }

    private func deliver(
        _ purchase: DuePurchase, _ known: PresentedEntry?
    ) throws(RecorderProblem) -> Bool {
        let session = settings.session(purchase.account)
        let transaction = TransactionID<Written>(purchase.transaction)
        // Check first, so that the app doesn't deliver what the ledger refuses.
        try book.check(.deliver(transaction), session)
        guard try isValid(purchase) else {
            // An invalid purchase is finished next; an unreachable server is asked again later.
            let invalid = ledger.refusals(
                of: .deliver(transaction), by: session, now: settings.now())
            return invalid.contains(.invalid)
        }
        if let known { try install(known, purchase) }
        let due = book.undelivered(purchase)
        guard let end = try asking(due, { try $0.deliver(due) }) else { return false }
        try book.perform(.deliver(transaction, until: end), session)
        return true
    }

    private func persist(_ purchase: DuePurchase) throws(RecorderProblem) -> Bool {
        guard let store = try asking(purchase, { try $0.persist(purchase) }) else { return false }
        try book.perform(
            .persist(TransactionID(purchase.transaction), in: store),
            settings.session(purchase.account))
        return true
    }

    private func withdraw(_ purchase: DuePurchase) throws(RecorderProblem) -> Bool {
        let transaction = TransactionID<Written>(purchase.transaction)
        let session = settings.session(purchase.account)
        let reason = try book.reasonToWithdraw(transaction, product: purchase.product, session)
        let isDone: Void? = try asking(purchase) { try $0.withdraw(purchase, because: reason) }
        guard isDone != nil else { return false }
        try book.perform(.withdraw(transaction, because: reason), session)
        return true
    }

    // MARK: Downloads

    /// Records the downloads whose state changed, and starts those not started since the launch.
    private func startDownloads(
        _ downloads: [any ObservedDownload], _ purchase: DuePurchase
    ) throws(RecorderProblem) -> Bool {
        guard try isValid(purchase) else { return false }
        var hasChanged = false
        for download in downloads {
            let known = self.downloads[Identity(download)]
            try recordState(of: download)
            if known != self.downloads[Identity(download)] { hasChanged = true }
        }
        let waiting = downloads.filter {
            !startedDownloads.contains(Identity($0))
                && !($0.observedDownloadState?.isTerminal ?? true)
        }
        guard !waiting.isEmpty else { return hasChanged }
        startedDownloads.formUnion(waiting.map { Identity($0) })
        queue.control(waiting, .start)
        return false
    }

    /// Asks the app to install the files of finished downloads, once after each launch (G4.18).
    private func install(_ known: PresentedEntry, _ purchase: DuePurchase) throws(RecorderProblem) {
        let finished = known.transaction.observedDownloads.filter {
            $0.observedDownloadState == .finished
        }
        guard !finished.isEmpty, !installed.contains(purchase.transaction) else { return }
        var place: InstallPlace?
        for download in finished {
            place = try asking(purchase) { try $0.install(download, of: purchase) }
        }
        guard let place else { return }
        try book.perform(
            .install(TransactionID(purchase.transaction), in: place),
            settings.session(purchase.account))
        installed.insert(purchase.transaction)
    }

    // MARK: Finishing

    private func finishFailure(
        _ known: PresentedEntry, _ entry: QueueEntry<Written>
    ) throws(RecorderProblem) -> Bool {
        guard let payment = entry.payment else { return false }
        let word = known.transaction.observedFailure?.word ?? KnownError.unknown.rawValue
        handler?.show(
            FailedPayment(
                payment: payment.name,
                product: known.transaction.observedPayment.observedProduct, error: word))
        return try finish(known)
    }

    /// Finishes an entry if the ledger allows the finish.
    ///
    /// The finish is noted before the queue is called, and recorded afterwards.
    private func finish(_ known: PresentedEntry) throws(RecorderProblem) -> Bool {
        let session = settings.session(known.account)
        try book.beginFinish(known.entry, session)
        queue.finish(known.transaction)
        try book.endFinish(known.entry, session)
        return true
    }
}
