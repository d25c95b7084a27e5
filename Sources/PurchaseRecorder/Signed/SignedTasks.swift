import PurchaseEvents
import PurchaseImport
import PurchaseProjections

/// Performs the tasks that the ledger says are due.
extension TransactionRecorder {
    func dueRows() throws(RecorderProblem) -> [PendingRow] {
        var rows = try book.pending()
        // Entitlements that the app never delivered on this device, or whose delivery was refused.
        let entitlements = try book.entitlements()
        let isOpen = Set(rows.compactMap(\.transaction))
        for row in entitlements {
            guard let name = row.transaction, !isOpen.contains(name) else { continue }
            let isMissing =
                row.isActive && !row.isGranted && entitlementTransactions.contains(name)
            if isMissing || book.notes.refusedDeliveries.contains(TransactionID(name)) {
                rows.append(PendingRow(delivering: row))
            }
        }
        return rows
    }

    /// Performs one step for a transaction; returns whether another step may follow.
    func step(_ row: PendingRow, _ name: String) async throws(RecorderProblem) -> Bool {
        let transaction = TransactionID<Written>(name)
        let session = settings.session(row.account)
        if book.notes.refusedDeliveries.contains(transaction) {
            return try await takeBack(row, transaction, session)
        }
        switch row.next {
        // StoreKit 2 has no downloads hosted by Apple.
        case .wait, .showError: return false
        case .download, .deliver: return try await deliver(row, transaction, session)
        case .persist:
            let purchase = purchase(row, name)
            guard let store = try await asking(purchase, { try await $0.persist(purchase) }) else {
                return false
            }
            try book.perform(.persist(transaction, in: store), session)
        case .withdraw: return try await withdraw(row, transaction, session)
        case .finish:
            guard let known = presented[name] else { return false }
            try book.beginFinish(.transaction(transaction), session)
            await known.transaction.finishObserved()
            try book.endFinish(.transaction(transaction), session)
        }
        return true
    }

    private func deliver(
        _ row: PendingRow, _ transaction: TransactionID<Written>, _ session: Session
    ) async throws(RecorderProblem) -> Bool {
        try book.check(.deliver(transaction), session)
        let purchase = book.undelivered(purchase(row, transaction.name))
        guard let end = try await asking(purchase, { try await $0.deliver(purchase) }) else {
            return false
        }
        do throws(RecorderProblem) {
            try book.perform(.deliver(transaction, until: end), session)
        } catch .ledger(.refused(.refunded)) {
            // The refund came while the app delivered.
            book.notes.refusedDeliveries.insert(transaction)
            try book.saveNotes()
        }
        return true
    }

    /// Withdraws what the app delivered and the log doesn't have as delivered, unless something
    /// grants it again.
    private func takeBack(
        _ row: PendingRow, _ transaction: TransactionID<Written>, _ session: Session
    ) async throws(RecorderProblem) -> Bool {
        let refusals = ledger.refusals(
            of: .withdraw(transaction, because: .refunded), by: session, now: settings.now())
        if refusals.isEmpty {
            guard try await withdraw(row, transaction, session) else { return false }
        }
        book.notes.refusedDeliveries.remove(transaction)
        try book.saveNotes()
        return true
    }

    private func withdraw(
        _ row: PendingRow, _ transaction: TransactionID<Written>, _ session: Session
    ) async throws(RecorderProblem) -> Bool {
        let reason = try book.reasonToWithdraw(transaction, product: row.product, session)
        let purchase = purchase(row, transaction.name)
        let isDone: Void? = try await asking(purchase) {
            try await $0.withdraw(purchase, because: reason)
        }
        guard isDone != nil else { return false }
        do throws(RecorderProblem) {
            try book.perform(.withdraw(transaction, because: reason), session)
        } catch .ledger(.refused(.stillOwed)) {
            // A reversal or a renewal came while the app withdrew; the log has it as delivered.
            _ = try await asking(purchase) { try await $0.deliver(purchase) }
        }
        return true
    }

    private func purchase(_ row: PendingRow, _ name: String) -> DuePurchase {
        let listed = presented[name]?.listed
        let recorded = ledger.transaction(TransactionID(name))
        return DuePurchase(
            transaction: name, product: row.product ?? listed?.product.name ?? "",
            account: row.account ?? presented[name]?.account,
            kind: listed?.kind ?? row.product.flatMap { settings.kinds[$0] }, isRestored: false,
            quantity: listed?.quantity ?? recorded?.quantity ?? 1,
            purchasedAt: listed?.purchasedAt ?? recorded?.purchasedAt)
    }

    private func asking<Answer: Sendable>(
        _ purchase: DuePurchase, _ body: (any TransactionHandler) async throws -> Answer
    ) async throws(RecorderProblem) -> Answer? {
        guard let handler else { return nil }
        do {
            return try await body(handler)
        } catch {
            throw .notDone(transaction: purchase.transaction, reason: "\(error)")
        }
    }

    // MARK: Recording

    /// Records the App Store's signed statements, and tells the app about those that the log can't
    /// hold.
    func record(_ statements: StoreStatements) async throws(RecorderProblem) {
        for remark in statements.remarks where remark.level == .error {
            await handler?.receive(.notRecorded(remark.message, product: nil))
        }
        var drafts = statements.drafts(recordedAt: settings.now())
        if let reversal = reversal(in: statements) { drafts.append(reversal) }
        if !drafts.isEmpty { try book.record(drafts) }
    }

    /// The reversal of a refund or revocation that the log knows and a later statement leaves out.
    func reversal(in statements: StoreStatements) -> Draft? {
        guard var event = statements.reversal, let transaction = event.transaction,
            let signedAt = event.signedAt,
            ledger.isRefunded(transaction, before: signedAt, in: event.environment)
        else { return nil }
        event.at = settings.now()
        return Draft(event)
    }

    /// Runs a closure, and reports its error to the app.
    func reporting(_ body: () async throws(RecorderProblem) -> Void) async {
        do throws(RecorderProblem) {
            try await body()
        } catch {
            await handler?.receive(error)
        }
    }
}
