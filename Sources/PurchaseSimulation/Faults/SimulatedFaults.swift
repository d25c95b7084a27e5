import PurchaseEvents

/// The misbehavior that plants faults; each function plants one fault or several related ones.
extension Simulation {
    /// Whether a delivery fault may be planted on a purchase: one fault at a time, and only if
    /// nothing else excuses an early finish.
    func canPlantDeliveryFault(_ purchase: SimulatedPurchase) -> Bool {
        purchase.finishFault == nil && purchase.restores == nil && purchase.isOwed
            && purchase.echoed == nil && !purchase.hasEchoes
    }

    // MARK: Launches

    /// Records the faults that this launch proves: missing answers, and an account name that
    /// identifies a person.
    func plantMissing(_ account: SimulatedAccount) {
        if account.hasPersonalName {
            account.hasPersonalName = false
            plant(.namesAccountPlainly, at: seq, account)
        }
        for place in account.device.unansweredRequests.indices {
            account.device.unansweredRequests[place].launches -= 1
        }
        for request in account.device.unansweredRequests where request.launches == 0 {
            plant(request.fault, at: request.seq, account, key: request.key, shownBy: seq)
        }
        account.device.unansweredRequests.removeAll { $0.launches == 0 }
    }

    // MARK: Delivery

    /// The app finishes or delivers a payment that still waits for approval, if a fault is planted.
    func workOnDeferred(_ payment: PaymentID<Written>, _ account: SimulatedAccount) {
        if fails(.finishesDeferred) {
            account.push(
                after: 500,
                .plant(
                    .finishesDeferred, .queueFinished(entry: .payment(payment)), key: payment.name))
        }
        if fails(.deliversDeferred) {
            let transaction = TransactionID<Written>(payment.name)
            account.push(
                after: 500,
                .plant(
                    .deliversDeferred, .deliveryDelivered(.init(transaction: transaction)),
                    key: payment.name))
        }
    }

    /// Delivers too much, too little, to another account, or in the wrong environment; returns
    /// whether it did.
    func deliverWrongly(
        _ purchase: SimulatedPurchase, _ left: Int64, _ account: SimulatedAccount
    ) -> Bool {
        let transaction = purchase.transaction
        /// Records the delivery of everything that is left.
        func deliverAll(
            as name: AccountID<Written>? = nil, in environment: Environment? = nil
        ) -> Int64 {
            applyDelivery(left, of: purchase, account)
            return record(
                .deliveryDelivered(.init(transaction: transaction, until: purchase.until?.time)),
                of: account, on: account.device, as: name, environment: environment)
        }
        let isKnownConsumable = purchase.kind == .consumable && listed[purchase.product]
        if isKnownConsumable, fails(.deliversTooMuch) {
            let seq = note(
                .deliveryDelivered(.init(transaction: transaction, quantity: left + 1)), account)
            applyDelivery(left + 1, of: purchase, account)
            plant(.deliversTooMuch, at: seq, account, key: transaction.name)
            return true
        }
        if isKnownConsumable, left == purchase.quantity, left > 1, canPlantDeliveryFault(purchase),
            fails(.deliversTooLittle)
        {
            note(.deliveryDelivered(.init(transaction: transaction, quantity: 1)), account)
            applyDelivery(1, of: purchase, account)
            purchase.delivered = purchase.quantity
            purchase.finishFault = .deliversTooLittle
            return true
        }
        if purchase.payment != nil, fails(.deliversToStranger) {
            let seq = deliverAll(as: AccountID(names.uuid()))
            // The account itself receives no units to consume.
            if let place = SimulatedProduct.consumables.firstIndex(of: purchase.product) {
                account.balances[place] -= left
            }
            plant(.deliversToStranger, at: seq, account, key: transaction.name)
            return true
        }
        if let otherAccount = purchase.otherAccount {
            let seq = deliverAll(as: otherAccount)
            plant(.restoresForStranger, at: seq, account, as: otherAccount, key: transaction.name)
            return true
        }
        if account.environment == .sandbox, fails(.deliversTestPurchase) {
            let seq = deliverAll(in: .production)
            plant(.deliversTestPurchase, at: seq, account, key: transaction.name)
            return true
        }
        return false
    }

    /// Restarts a finished download.
    func restart(
        _ download: SimulatedDownload, of purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) {
        let seq = note(
            .deliveryDownload(
                .init(
                    transaction: purchase.transaction, download: download.name, state: .active,
                    bytes: 0, total: download.total)), account)
        plant(.restartsDownload, at: seq, account, key: purchase.transaction.name)
    }

    /// Plants a fault that becomes visible at the finish, or at the delivery before it.
    ///
    /// What a renewal bought is no loss once its period is over, or once another plan replaced it.
    func plantFinish(_ purchase: SimulatedPurchase, at seq: Int64, _ account: SimulatedAccount) {
        let isFirst = purchase.subscription?.original == purchase.transaction
        let isRenewal = purchase.payment == nil && purchase.subscription != nil && !isFirst
        let isOver = purchase.expiresAt.map { $0 <= now } ?? false
        guard let fault = purchase.finishFault, purchase.isOwed, fault != .deliversUnvalidated,
            !(isRenewal && isOver), !purchase.isReplaced
        else { return }
        let isExcusable = fault == .finishesUndelivered || fault == .finishesUnpersisted
        plant(
            fault, at: seq, account, key: purchase.transaction.name,
            excusedByEndOf: isExcusable ? purchase.transaction : nil)
    }

    /// Plants faults that an app commits after finishing a transaction.
    func afterFinish(
        _ purchase: SimulatedPurchase, _ entry: QueueEntry<Written>, _ account: SimulatedAccount
    ) {
        guard case .bought = purchase.state, purchase.finishFault == nil else { return }
        let transaction = purchase.transaction
        if purchase.kind == .consumable { account.lastConsumable = purchase }
        func plantLater(_ fault: Fault, _ fact: Fact<Written>, of payment: String? = nil) {
            let key = payment ?? transaction.name
            if fails(fault) { account.push(after: 900, .plant(fault, fact, key: key)) }
        }
        // After a restore, the queue may present everything again.
        if !account.device.hasRestored {
            plantLater(.presentsFinished, boughtFact(purchase, account))
        }
        plantLater(
            .persistsAfterFinish,
            .deliveryPersisted(.init(transaction: transaction, store: .server)))
        plantLater(.finishesTwice, .queueFinished(entry: entry))
        guard let payment = purchase.payment, purchase.isRequested, !purchase.sharesPayment else {
            return
        }
        plantLater(.deferredAfterPurchase, .queueDeferred(payment: payment), of: payment.name)
        if purchase.kind == .consumable, fails(.chargesTwice) {
            let again = SimulatedPurchase(product: purchase.product, payment: payment.name)
            again.sharesPayment = true
            again.answerFault = .chargesTwice
            account.push(after: 2_000, .arrive(again))
        }
    }

    /// Delivers a consumable twice before its finish; returns whether it did.
    func deliverTwice(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Bool {
        guard purchase.kind == .consumable, listed[purchase.product], fails(.deliversTwice) else {
            return false
        }
        let seq = note(
            .deliveryDelivered(
                .init(transaction: purchase.transaction, quantity: purchase.quantity)), account)
        applyDelivery(purchase.quantity, of: purchase, account)
        plant(.deliversTwice, at: seq, account, key: purchase.transaction.name)
        return true
    }

    // MARK: Requests

    /// Requests a listing that never arrives; without the listing, the user's request isn't made.
    func loseAnswer(on product: ProductID<Written>, _ account: SimulatedAccount) {
        let isOpen = account.device.unansweredRequests.contains {
            $0.fault == .losesCatalogueAnswer && $0.key == product.name
        }
        guard !isOpen else { return }
        let seq = note(.catalogRequested(product: product), account)
        account.device.unansweredRequests.append((.losesCatalogueAnswer, seq, product.name, 1, nil))
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
        let subscription = account.subscriptions.last {
            $0.group == group && $0.grantsAccess(at: now) && !$0.isSeat
        }
        // Only the catalogue states the group of a product that was purchased through the queue.
        guard let subscription, listed[subscription.product], subscription.product != product,
            subscription.expiry > now + Timestamp.hour, fails(.sellsSecondPlan)
        else { return }
        let purchase = SimulatedPurchase(product: product)
        purchase.answerFault = .sellsSecondPlan
        account.push(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
    }

    /// Whether another subscription of the account grants a product.
    func isCovered(
        _ product: Int, byAnotherSubscriptionThan subscription: SimulatedSubscription,
        _ account: SimulatedAccount
    ) -> Bool {
        account.subscriptions.contains { other in
            other !== subscription && other.product == product && other.grantsAccess(at: now)
        }
    }

    // MARK: Restoring and the receipt

    /// A consumable to restore, which is a fault.
    func restorableByMistake(_ account: SimulatedAccount) -> [SimulatedPurchase] {
        var restored: [SimulatedPurchase] = []
        if let last = account.lastConsumable, listed[last.product], fails(.restoresConsumable) {
            let again = newRestore(of: last, last.transaction, account)
            again.answerFault = .restoresConsumable
            restored.append(again)
        }
        return restored
    }

    /// Refreshes the receipt again at once; the second receipt lists a row that the first one
    /// lacked.
    func refreshAgain(_ rows: [ReceiptListed<Written>], _ account: SimulatedAccount) {
        let receipt = noteReceipt(rows, account)
        let old = SimulatedPurchase(product: 0)
        old.transaction = TransactionID(names.transaction(in: account.environment))
        old.purchasedAt = thisSecond - Timestamp.day
        var row = receiptRow(old, account)
        account.rows?.append(row)
        row.receipt = receipt
        plant(
            .receiptChanges, at: note(.receiptListed(row), account), account,
            key: old.transaction.name)
    }

    // MARK: Access

    /// Opens content that was never paid for, or an issue outside every period; returns whether it
    /// did.
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

    /// Keeps a product unlocked after its expiry date; returns whether it did.
    func keepsUnlocked(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) -> Bool {
        guard case .ended = subscription.state, let last = subscription.grants.last,
            last.product == subscription.product, subscription.current.isFinished,
            !subscription.hadGrace,
            // A seat may give the product too.
            !account.subscriptions.contains(where: {
                $0 !== subscription && $0.product == subscription.product
                    && ($0.grantsAccess(at: now) || $0.hadGrace)
            }),
            fails(.forgetsToWithdraw)
        else { return false }
        let seq = note(.deliveryUnlocked(product: SimulatedProduct.all[last.product].id), account)
        // A delivery of the period itself takes precedence over a delivery of a restore.
        let given = subscription.grants.filter { $0.product == subscription.product }
        let grant =
            given.last { $0.transaction == subscription.current.transaction }
            ?? given.last { !$0.isRestored } ?? last
        plant(.forgetsToWithdraw, at: seq, account, key: grant.transaction.name)
        return true
    }

    /// Withdraws a plan in the middle of its period.
    func withdrawTooEarly(_ subscription: SimulatedSubscription, _ account: SimulatedAccount) {
        guard subscription.grantsAccess(at: now + Timestamp.hour),
            let grant = subscription.grants.popLast(), grant.product == subscription.product
        else { return }
        let withdrawn = DeliveryWithdrawn(transaction: grant.transaction, reason: .expired)
        let seq = note(.deliveryWithdrawn(withdrawn), account)
        let before = subscription.start > now ? subscription.currentBefore : nil
        let isAlone = !isCovered(
            subscription.product, byAnotherSubscriptionThan: subscription, account)
        plant(
            .withdrawsTooEarly, at: seq, account, key: grant.transaction.name,
            excusedByEndOf: isAlone ? (before ?? subscription.current).transaction : nil)
    }

    /// Delivers a refunded and withdrawn purchase again.
    func deliverRefunded(
        _ grant: SimulatedGrant, _ purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) {
        guard purchase.isRefunded, !purchase.keepsUnits,
            grant.transaction == purchase.transaction, fails(.deliversRefunded)
        else { return }
        let seq = note(.deliveryDelivered(.init(transaction: grant.transaction)), account)
        plant(.deliversRefunded, at: seq, account, key: grant.transaction.name)
    }
}
