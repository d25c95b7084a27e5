import PurchaseEvents

/// Restores, and the receipt.
extension Simulation {
    /// The user restores purchases, often on a new device.
    func restore(_ account: SimulatedAccount) {
        // Products that were left out must be finished before another restore, and one restore must
        // end before the next.
        let isBusy =
            account.device.open.contains(where: \.isLeftOut)
            || account.device.unansweredRequests.contains { $0.fault == .leavesRestoreOpen }
        if isBusy {
            account.restoresUnasked = false
            return
        }
        if account.devices.count < 3, account.device.open.isEmpty, choices.choose(below: 2) == 1 {
            moveToNewDevice(account)
            return account.push(after: wait(5_000, 30_000), .restore)
        }
        let requested = note(.restoreRequested(by: account.restoresUnasked ? .app : .user), account)
        account.device.hasRestored = true
        if account.restoresUnasked { plant(.restoresAtLaunch, at: requested, account) }
        account.restoresUnasked = false
        let isOpen = fails(.leavesRestoreOpen)
        if isOpen {
            account.device.unansweredRequests.append((.leavesRestoreOpen, requested, nil, 1, nil))
        }
        if rarely(30), !isOpen {
            account.push(
                after: wait(2_000, 9_000),
                .note(.restoreFailed(.init(error: "cancelled", code: 2))))
            return
        }
        let restored = restorable(account) + restorableByMistake(account)
        for purchase in restored.reversed() {
            account.push(after: wait(300, 1_500), .process(purchase))
        }
        select(among: restored, account)
        if !isOpen { account.push(after: wait(500, 2_000), .note(.restoreCompleted)) }
        for purchase in restored.reversed() {
            account.push(after: wait(300, 1_000), .present(purchase))
        }
        account.device.open += restored
    }

    private func moveToNewDevice(_ account: SimulatedAccount) {
        account.device = account.addDevice()
        note(.appLaunched, account)
        note(.queueObserved, account)
    }

    /// A new transaction for each purchase that was finished and is owed.
    private func restorable(_ account: SimulatedAccount) -> [SimulatedPurchase] {
        var restored: [SimulatedPurchase] = []
        for purchase in account.owned where purchase.kind == .nonConsumable {
            guard purchase.isRestorable, purchase.isOwed else { continue }
            let again = newRestore(of: purchase, purchase.transaction, account)
            again.originalPurchasedAt = purchase.purchasedAt
            if purchase.presentations > 0, fails(.restoresForStranger) {
                again.otherAccount = AccountID(names.uuid())
            }
            restored.append(again)
        }
        for subscription in account.subscriptions where subscription.grantsAccess(at: now) {
            guard subscription.current.isFinished || subscription.grants.isEmpty else { continue }
            let again = newRestore(of: subscription.current, subscription.original, account)
            again.subscription = subscription
            again.originalPurchasedAt = subscription.originalPurchasedAt
            again.expiresAt = subscription.expiry
            restored.append(again)
        }
        return restored
    }

    func newRestore(
        of purchase: SimulatedPurchase, _ original: TransactionID<Written>,
        _ account: SimulatedAccount
    ) -> SimulatedPurchase {
        let again = SimulatedPurchase(product: purchase.product)
        again.restores = original
        again.source = purchase
        again.state = .bought
        again.transaction = TransactionID(names.transaction(in: account.environment))
        again.purchasedAt = thisSecond
        again.isShared = purchase.isShared
        again.isAssigned = purchase.isAssigned
        return again
    }

    /// The user chooses products to restore; entries of other products are finished undelivered.
    private func select(among restored: [SimulatedPurchase], _ account: SimulatedAccount) {
        guard restored.count > 1, choices.happens(oncePer: 3) else { return }
        // The choice is by product: of two purchases of one product, both are restored or neither.
        let chosen = restored.filter { $0 === restored[0] || choices.choose(below: 2) == 0 }
        for purchase in restored where !chosen.contains(where: { $0.product == purchase.product }) {
            purchase.isLeftOut = true
        }
        guard restored.contains(where: \.isLeftOut) else { return }
        for purchase in restored where !purchase.isLeftOut {
            let product = purchase.item.id
            account.push(after: wait(1_000, 9_000), .note(.restoreSelected(product: product)))
        }
    }

    // MARK: The receipt

    /// The app refreshes the receipt and records its rows.
    func refresh(_ account: SimulatedAccount) {
        guard let rows = account.rows, rows.count <= 12 else { return }
        // A snapshot must be complete: don't start one that the end of the log would cut off.
        let snapshots: Int64 = isPlanting[Int(Fault.receiptChanges.rawValue)] ? 2 : 1
        guard seq + (Int64(rows.count) + 3) * snapshots <= Int64(options.events) else { return }
        let receipt = noteReceipt(rows.reversed(), account)
        if account.environment == .sandbox {
            // A tester uses the production build, and production redirects the server to the
            // sandbox (G9.1).
            for (environment, status) in [(Environment.production, 21_007), (.sandbox, 0)] {
                record(
                    .receiptValidated(
                        .init(
                            receipt: receipt, outcome: status == 0 ? .valid : .invalid,
                            status: Int64(status))), of: account, environment: environment)
            }
        } else if fails(.validatesInOneEnvironment) {
            let seq = note(
                .receiptValidated(
                    .init(receipt: receipt, outcome: .invalid, status: 21_007)), account)
            plant(.validatesInOneEnvironment, at: seq, account, key: receipt.name)
        } else if fails(.receiptChanges) {
            refreshAgain(rows, account)
        } else if choices.choose(below: 2) == 1 {
            note(.receiptValidated(.init(receipt: receipt, outcome: .valid, status: 0)), account)
        }
    }

    /// Records a new snapshot of the receipt, and returns its name.
    func noteReceipt(
        _ rows: [ReceiptListed<Written>], _ account: SimulatedAccount
    ) -> ReceiptID<Written> {
        account.receipts += 1
        let receipt = ReceiptID<Written>("receipt-\(account.number)-\(account.receipts)")
        note(.receiptRefreshed(receipt: receipt), account)
        for var row in rows {
            row.receipt = receipt
            note(.receiptListed(row), account)
        }
        return receipt
    }

    /// The receipt's row for a purchase.
    func receiptRow(
        _ purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) -> ReceiptListed<Written> {
        ReceiptListed(
            transaction: purchase.transaction,
            original: purchase.subscription?.original ?? purchase.transaction,
            product: purchase.item.id, kind: purchase.kind, group: purchase.subscription?.group,
            purchasedAt: purchase.purchasedAt.time,
            originalPurchasedAt: Timestamp(
                milliseconds: purchase.originalPurchasedAt ?? purchase.purchasedAt),
            expiresAt: purchase.expiresAt?.time,
            ownership: purchase.ownership, terms: purchase.terms)
    }

    /// Adds a purchase to the account's receipt if the log shows receipts, the receipt isn't too
    /// long, and purchases of this kind stay in receipts.
    func keepRow(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard account.rows != nil, (account.rows?.count ?? 0) <= 12 else { return }
        switch purchase.kind {
        case .consumable, .nonRenewing: return
        case .nonConsumable, .autoRenewable: break
        }
        account.rows?.append(receiptRow(purchase, account))
    }

    /// Changes the receipt's row for a purchase.
    func changeRow(
        of purchase: SimulatedPurchase, _ account: SimulatedAccount,
        _ change: (inout ReceiptListed<Written>) -> Void
    ) {
        guard var rows = account.rows,
            let place = rows.firstIndex(where: { $0.transaction == purchase.transaction })
        else { return }
        change(&rows[place])
        account.rows = rows
    }
}
