import PurchaseEvents

extension Facts {
    /// Records one event; accepts any event, in any order.
    public mutating func observe(_ event: LogEvent, on line: Line) {
        makeUnique()
        observeUniquely(event, on: line)
    }

    /// Records one event; no copy of the facts may share the storage.
    mutating func observeUniquely(_ event: LogEvent, on line: Line) {
        if latestLine == 0 {
            record.pointee.startsInTheMiddle = event.type != .logOpened
            record.pointee.firstAt = event.at
        }
        record.pointee.positions.note(event.seq, of: line.number)
        record.pointee.latestLine = line.number
        if greatestAt.map({ $0 < event.at }) ?? true { record.pointee.greatestAt = event.at }
        if event.type == .receiptRefreshed || record.pointee.openReceipts.count > 0 {
            record.pointee.openReceipts.observe(event, on: line.number)
        }
        switch event.type {
        case .logOpened: observeOpening(event)
        case .logNoted, .logRecovered, .catalogRequested, .deliveryUnlocked, .deliveryConsumed,
            .receiptRefreshed, .receiptValidated, .contentOpened:
            break
        case .appLaunched, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed:
            observeDevice(event, line.number)
        case .catalogListed, .catalogInvalid, .contentPublished, .notificationReceived:
            observeCatalogue(event, line.number)
        case .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed:
            observePayment(event, line.number)
        case .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed:
            observeStatement(event, on: line)
        case .queueFinished, .queueRemoved: observeEntry(event, line.number)
        case .deliveryValidated, .deliveryPersisted, .deliveryDownload, .deliveryInstalled,
            .deliveryDelivered, .deliveryWithdrawn:
            observeDelivery(event, line.number)
        case .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
            .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
            .accountLinked:
            observeSubscription(event, on: line)
        case .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined:
            observeCancellation(event, on: line)
        }
    }

    /// Records an instant that a statement of the App Store shows to be past.
    @inline(__always)
    mutating func noteStated(_ instant: Timestamp?) {
        if let instant, instant > latestStated { record.pointee.latestStated = instant }
    }

    /// Records an instant that a statement shows to be past, also for the account that it names.
    @inline(__always)
    mutating func noteStated(_ instant: Timestamp, of account: AccountHandle?) {
        noteStated(instant)
        guard let account, instant > record.pointee.latestStatedOf[account.index] else { return }
        record.pointee.latestStatedOf[account.index] = instant
    }

    /// Records that the whole log continues until at least `at`, in lines that this fold doesn't
    /// see.
    mutating func endNoEarlier(than at: Timestamp) {
        makeUnique()
        record.pointee.greatestAt = max(at, greatestAt ?? at)
    }

    /// Records a line that was not understood; its content is unknown.
    public mutating func observeNotUnderstood(_ line: LineNumber) {
        makeUnique()
        if notUnderstoodLines.count < 1_000 { record.pointee.notUnderstoodLines.append(line) }
        record.pointee.notUnderstoodCount += 1
        record.pointee.latestNotUnderstoodLine = line
    }

    private mutating func observeOpening(_ event: LogEvent) {
        record.pointee.logEnvironment = event.environment ?? .production
        guard case .logOpened(let opened) = event.fact else { return }
        record.pointee.isChained = opened.chained == true
    }

    private mutating func observeDevice(_ event: LogEvent, _ line: LineNumber) {
        if event.device == nil { record.pointee.openReceipts.unnamedLine = line }
        let index = Facts.index(of: event.device)
        let type = event.type
        if type == .appLaunched {
            devices[index].launches &+= 1
            devices[index].launchedLine = line
            devices[index].restrictedLine = 0
        } else if type == .queueObserved {
            devices[index].observedLine = line
        } else if type == .queueUnobserved {
            devices[index].unobservedLine = line
        } else if type == .paymentRestricted {
            devices[index].restrictedLine = line
        } else if type == .paymentAllowed {
            devices[index].restrictedLine = 0
        } else if type == .restoreRequested {
            devices[index].restoreRequestedLine = line
            devices[index].selectedProducts = []
        } else if type == .restoreSelected, case .restoreSelected(let product) = event.fact {
            // A selection without a restore request excludes nothing.
            guard devices[index].restoreRequestedLine != 0 else { return }
            devices[index].selectedProducts.insert(product)
        } else {
            devices[index].restoreEndedLine = line
        }
    }

    private mutating func observeCatalogue(_ event: LogEvent, _ line: LineNumber) {
        if event.type == .catalogListed, case .catalogListed(let listed) = event.fact {
            products[listed.product.index].list(listed, on: line)
        } else if event.type == .catalogInvalid, case .catalogInvalid(let product) = event.fact {
            products[product.index].refuse(on: line)
        } else if event.type == .contentPublished, case .contentPublished(let content) = event.fact
        {
            guard contents[content.content.index] == nil else { return }
            contents[content.content.index] = ContentFacts(
                publishedAt: content.publishedAt, product: content.product,
                group: content.group, publishedLine: line)
            record.pointee.publications.add(content)
        } else if event.type == .notificationReceived,
            case .notificationReceived(let received) = event.fact,
            received.secret == .wrong || received.signature == .invalid
        {
            distrusted[received.notification] = distrusted[received.notification] ?? line
        }
    }

    private mutating func observePayment(_ event: LogEvent, _ line: LineNumber) {
        guard let payment = event.payment else { return }
        touch(payment, event, line) { known in
            if event.type == .paymentRequested, case .paymentRequested(let request) = event.fact {
                known.request(request, line)
            } else if event.type == .queueFailed {
                known.failedLine = line
            }
            known.entry.note(event.type, line)
        }
    }

    private mutating func observeEntry(_ event: LogEvent, _ line: LineNumber) {
        if let payment = event.payment {
            touch(payment, event, line) { known in
                if event.type == .queueFinished { known.finish(line) }
            }
            if event.type == .queueFinished, payments[payment.index].entry.hasFinishedPurchase {
                finishPurchase(of: payment)
            }
        }
        if let transaction = finishedTransaction(of: event) {
            transactions[touch(transaction)].finish(line)
            finish(transaction, event)
        } else if let transaction = event.transaction {
            transactions[touch(transaction)].removedLine = line
        }
    }

    /// Records that an event names a payment, and applies a change to the payment's facts.
    @inline(__always)
    private mutating func touch(
        _ payment: PaymentHandle, _ event: LogEvent, _ line: LineNumber,
        _ change: (inout PaymentFacts) -> Void
    ) {
        let isFirstAccount = payments[payment.index].touch(by: event.account, line, change)
        if isFirstAccount { listPurchases(of: payment) }
    }

    /// Records that a finish that names a payment ends the payment's oldest purchase that is not
    /// finished.
    private mutating func finishPurchase(of payment: PaymentHandle) {
        let index = payment.index
        payments[index].finishedPurchase = payments[index].purchase
        guard var open = record.pointee.openPurchases.removeValue(forKey: payment) else { return }
        let next = { [transactions] (open: inout ArraySlice<TransactionHandle>) in
            while let first = open.first, transactions[first.index].isFinished {
                open.removeFirst()
            }
            return open.first
        }
        guard let oldest = next(&open) else { return }
        payments[index].finishedPurchase = oldest
        open.removeFirst()
        guard next(&open) != nil else { return }
        payments[index].entry.keepPurchase()
        record.pointee.openPurchases[payment] = open
    }

    /// Records that the current line names a transaction, and returns the transaction's index.
    @discardableResult
    mutating func touch(_ transaction: TransactionHandle) -> Int {
        transactions[transaction.index].namedLine = latestLine
        return transaction.index
    }

    /// Records the payment that a transaction's statement names.
    mutating func touchPayment(
        _ payment: PaymentHandle, of transaction: TransactionHandle,
        _ event: LogEvent, _ line: LineNumber
    ) {
        let index = payment.index
        let before = payments[index].purchase
        touch(payment, event, line) { known in
            known.entry.note(event.type, line)
            known.purchase = transaction
        }
        guard transactions[transaction.index].payment == nil else { return }
        transactions[transaction.index].payment = payment
        if let before, before != transaction {
            let isOwn = transactions[before.index].payment == payment
            record.pointee.openPurchases[payment, default: isOwn ? [before] : []]
                .append(transaction)
        }
        if payments[index].account == nil {
            record.pointee.purchasesWithoutAccount.add(
                UInt32(transaction.index), under: UInt32(index))
        }
    }

    /// Records the kind and group that a statement gives for a product, used where the catalogue
    /// gives none.
    mutating func learn(
        _ product: ProductHandle, kind: ProductKind?, group: GroupHandle?, _ version: VersionID
    ) {
        guard kind != nil || group != nil else { return }
        products[product.index].statedKindRegister.assignEarliest(kind, version, &versions)
        products[product.index].statedGroupRegister.assignEarliest(group, version, &versions)
    }
}
