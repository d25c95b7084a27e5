import PurchaseEvents

/// What the app does when a fault is planted: each function is one fault or a family of them.
extension Simulation {
    /// Whether a fault of the delivery may be planted on a purchase: one at a time, on a purchase
    /// whose finishing early nothing excuses.
    func mayFault(_ purchase: SimulatedPurchase) -> Bool {
        purchase.finishFault == nil && purchase.restores == nil && purchase.isOwed
    }

    // MARK: Launches

    /// What should have come before this launch is missing for good.
    func showWhatIsMissing(_ account: SimulatedAccount) {
        if account.isPlain {
            account.isPlain = false
            plant(.namesAccountPlainly, at: seq, account)
        }
        for place in account.device.missing.indices {
            account.device.missing[place].launches -= 1
        }
        for missing in account.device.missing where missing.launches == 0 {
            plant(missing.fault, at: missing.seq, account, key: missing.key, shownBy: seq)
        }
        account.device.missing.removeAll { $0.launches == 0 }
    }

    // MARK: Delivery

    /// The app takes a purchase that waits for approval for a bought or a failed one.
    func workOnDeferred(_ payment: PaymentID<Simulated>, _ account: SimulatedAccount) {
        if fails(.finishesDeferred) {
            account.first(
                after: 500,
                .plant(
                    .finishesDeferred, .queueFinished(entry: .payment(payment)), key: payment.name))
        }
        if fails(.deliversDeferred) {
            let transaction = TransactionID<Simulated>(payment.name)
            account.first(
                after: 500,
                .plant(
                    .deliversDeferred,
                    .deliveryDelivered(DeliveryDelivered(transaction: transaction)),
                    key: payment.name))
        }
    }

    /// Delivers too much, too little, to somebody else, or in the wrong environment; whether it
    /// did.
    func deliverWrongly(
        _ purchase: SimulatedPurchase, _ left: Int64, _ account: SimulatedAccount
    ) -> Bool {
        let transaction = purchase.transaction
        let isKnownConsumable = purchase.kind == .consumable && listed[purchase.product]
        if isKnownConsumable, fails(.deliversTooMuch) {
            let seq = note(
                .deliveryDelivered(DeliveryDelivered(transaction: transaction, quantity: left + 1)),
                account)
            give(left + 1, of: purchase, account)
            plant(.deliversTooMuch, at: seq, account, key: transaction.name)
            return true
        }
        if isKnownConsumable, left == purchase.quantity, left > 1, mayFault(purchase),
            fails(.deliversTooLittle)
        {
            note(
                .deliveryDelivered(DeliveryDelivered(transaction: transaction, quantity: 1)),
                account)
            give(1, of: purchase, account)
            purchase.delivered = purchase.quantity
            purchase.finishFault = .deliversTooLittle
            return true
        }
        if purchase.payment != nil, fails(.deliversToStranger) {
            let seq = record(
                giveAll(left, of: purchase, account), of: account, on: account.device,
                as: AccountID(names.uuid()))
            // The account has nothing of it to use up.
            if let place = SimulatedProduct.consumables.firstIndex(of: purchase.product) {
                account.balances[place] -= left
            }
            plant(.deliversToStranger, at: seq, account, key: transaction.name)
            return true
        }
        if let stranger = purchase.stranger {
            let seq = record(
                giveAll(left, of: purchase, account), of: account, on: account.device,
                as: stranger)
            plant(.restoresForStranger, at: seq, account, as: stranger, key: transaction.name)
            return true
        }
        if account.environment == .sandbox, fails(.deliversTestPurchase) {
            let seq = record(
                giveAll(left, of: purchase, account), of: account, on: account.device,
                environment: .production)
            plant(.deliversTestPurchase, at: seq, account, key: transaction.name)
            return true
        }
        return false
    }

    /// Gives all that is left, and answers the fact that says so.
    private func giveAll(
        _ left: Int64, of purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) -> Fact<Simulated> {
        give(left, of: purchase, account)
        return .deliveryDelivered(
            DeliveryDelivered(
                transaction: purchase.transaction,
                until: purchase.until.map { Timestamp(milliseconds: $0) }))
    }

    /// A download that has finished begins again.
    func restart(
        _ download: SimulatedDownload, of purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) {
        let seq = note(
            .deliveryDownload(
                DeliveryDownload(
                    transaction: purchase.transaction, download: download.name, state: .active,
                    bytes: 0, total: download.total)), account)
        plant(.restartsDownload, at: seq, account, key: purchase.transaction.name)
    }

    /// The finish, or the delivery before it, is where a fault shows.
    func plantFinish(
        _ purchase: SimulatedPurchase, at seq: Int64, _ account: SimulatedAccount
    ) {
        guard let fault = purchase.finishFault, purchase.isOwed, fault != .deliversUnvalidated
        else { return }
        plant(fault, at: seq, account, key: purchase.transaction.name)
    }

    /// What an app may do wrong when a transaction is finished and forgotten.
    func afterFinish(
        _ purchase: SimulatedPurchase, _ entry: QueueEntry<Simulated>, _ account: SimulatedAccount
    ) {
        guard case .bought = purchase.state, purchase.finishFault == nil else { return }
        let transaction = purchase.transaction
        if purchase.kind == .consumable { account.lastConsumable = purchase }
        func wrongly(_ fault: Fault, _ fact: Fact<Simulated>, of payment: SimulatedText? = nil) {
            let key = payment ?? transaction.name
            if fails(fault) { account.first(after: 900, .plant(fault, fact, key: key)) }
        }
        wrongly(.presentsFinished, boughtFact(purchase, account))
        wrongly(
            .persistsAfterFinish,
            .deliveryPersisted(DeliveryPersisted(transaction: transaction, store: .server)))
        wrongly(.finishesTwice, .queueFinished(entry: entry))
        guard let payment = purchase.payment, purchase.isRequested, !purchase.isTwin else { return }
        wrongly(.deferredAfterPurchase, .queueDeferred(payment: payment), of: payment.name)
        if purchase.kind == .consumable, fails(.chargesTwice) {
            let again = SimulatedPurchase(product: purchase.product, payment: payment.name)
            again.isTwin = true
            again.answerFault = .chargesTwice
            account.first(after: 2_000, .arrive(again))
        }
    }

    /// Delivers a consumable a second time, before it is finished; whether it did.
    func deliverTwice(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Bool {
        guard purchase.kind == .consumable, listed[purchase.product], fails(.deliversTwice) else {
            return false
        }
        let seq = note(
            .deliveryDelivered(
                DeliveryDelivered(
                    transaction: purchase.transaction, quantity: purchase.quantity)), account)
        give(purchase.quantity, of: purchase, account)
        plant(.deliversTwice, at: seq, account, key: purchase.transaction.name)
        return true
    }

    // MARK: Requests

    /// The catalogue is asked and never answers; whoever waits for it asks for nothing.
    func loseAnswer(on product: ProductID<Simulated>, _ account: SimulatedAccount) {
        let isOpen = account.device.missing.contains {
            $0.fault == .losesCatalogueAnswer && $0.key == product.name
        }
        guard !isOpen else { return }
        let seq = note(.catalogRequested(product: product), account)
        account.device.missing.append((.losesCatalogueAnswer, seq, product.name, 1, nil))
    }

    func requestRestricted(_ account: SimulatedAccount) {
        let purchase = SimulatedPurchase(
            product: choices.pick(SimulatedProduct.consumables), payment: names.uuid())
        purchase.requestFault = .requestsWhileRestricted
        ask(for: purchase, account)
    }

    /// The store sells a second plan of a group to an account that has one.
    func subscribeTwice(_ product: Int, _ account: SimulatedAccount) {
        let group = SimulatedProduct.all[product].group
        let line = account.lines.last { $0.group == group && $0.grantsAccess(at: now) }
        // The catalogue alone tells the group of what was only purchased.
        guard let line, listed[line.product], line.product != product,
            line.expiry > now + Timestamp.hour,
            fails(.sellsSecondPlan)
        else { return }
        let purchase = SimulatedPurchase(product: product)
        purchase.answerFault = .sellsSecondPlan
        account.first(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
    }

    /// Whether a second line of the account grants the product of one that is over.
    func isSecond(_ line: SimulatedLine, _ account: SimulatedAccount) -> Bool {
        account.lines.contains { other in
            other !== line && other.product == line.product && other.grantsAccess(at: now)
        }
    }

    // MARK: Restoring and the receipt

    /// What is restored that should not be: a consumable.
    func restorableByMistake(_ account: SimulatedAccount) -> [SimulatedPurchase] {
        var restored: [SimulatedPurchase] = []
        if let last = account.lastConsumable, listed[last.product], fails(.restoresConsumable) {
            let again = newRestore(of: last, last.transaction, account)
            again.answerFault = .restoresConsumable
            restored.append(again)
        }
        return restored
    }

    /// A second refresh at once lists a row that the first one lacked.
    func refreshAgain(_ rows: [ReceiptListed<Simulated>], _ account: SimulatedAccount) {
        account.receipts += 1
        let receipt = ReceiptID<Simulated>("receipt-\(account.number)-\(account.receipts)")
        note(.receiptRefreshed(receipt: receipt), account)
        for row in rows {
            var listed = row
            listed.receipt = receipt
            note(.receiptListed(listed), account)
        }
        let old = SimulatedPurchase(product: 0)
        old.transaction = TransactionID(names.transaction(in: account.environment))
        old.purchasedAt = now / 1_000 * 1_000 - Timestamp.day
        var row = receiptRow(old, account)
        account.rows?.append(row)
        row.receipt = receipt
        plant(
            .receiptChanges, at: note(.receiptListed(row), account), account,
            key: old.transaction.name)
    }

    // MARK: Access

    /// Opens what was never paid for, or an issue of no period; whether it did.
    func openWrongly(_ account: SimulatedAccount) -> Bool {
        guard account.isNew else { return false }
        if fails(.opensUnpaid) {
            let seq = note(.contentOpened(content: "daily-reading"), account)
            plant(.opensUnpaid, at: seq, account, key: "daily-reading")
            return true
        }
        if let issue = issues.last, fails(.opensUnpublished) {
            let seq = note(.contentOpened(content: issue.content), account)
            plant(.opensUnpublished, at: seq, account, key: issue.content.name)
            return true
        }
        return false
    }

    /// An app that doesn't look at expiry dates: what is over is found unlocked; whether it did.
    func keepsGiving(_ line: SimulatedLine, _ account: SimulatedAccount) -> Bool {
        guard case .ended = line.state, let last = line.grants.last,
            last.product == line.product, line.current.isFinished, !line.hadGrace,
            fails(.forgetsToWithdraw)
        else { return false }
        let seq = note(
            .deliveryUnlocked(product: SimulatedProduct.all[last.product].id), account)
        // What gave a period counts over what only restored it.
        let given = line.grants.filter { $0.product == line.product }
        let grant =
            given.last { $0.transaction == line.current.transaction }
            ?? given.last { !$0.isRestored } ?? last
        plant(.forgetsToWithdraw, at: seq, account, key: grant.transaction.name)
        return true
    }

    /// An app that takes a plan away in the middle of its period.
    func withdrawTooEarly(_ line: SimulatedLine, _ account: SimulatedAccount) {
        guard line.grantsAccess(at: now + Timestamp.hour), let grant = line.grants.popLast(),
            grant.product == line.product
        else { return }
        let withdrawn = DeliveryWithdrawn(transaction: grant.transaction, reason: .expired)
        let seq = note(.deliveryWithdrawn(withdrawn), account)
        plant(.withdrawsTooEarly, at: seq, account, key: grant.transaction.name)
    }

    /// An app that gives again what was refunded and withdrawn.
    func deliverRefunded(
        _ grant: SimulatedGrant, _ purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) {
        guard purchase.isRefunded, grant.transaction == purchase.transaction,
            fails(.deliversRefunded)
        else { return }
        let seq = note(
            .deliveryDelivered(DeliveryDelivered(transaction: grant.transaction)), account)
        plant(.deliversRefunded, at: seq, account, key: grant.transaction.name)
    }
}
