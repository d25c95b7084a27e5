extension PurchaseState {
    /// Whether the rule `lifecycle` reports the event in this state, so that the event changes
    /// nothing.
    public func forbids(_ event: Event<S>) -> Bool {
        if let id = event.transaction, let step = transactionStep(event),
            phase(of: id).after(step) == nil
        {
            return true
        }
        guard let id = event.payment, let step = PaymentStep(event.type) else { return false }
        return payments[id]?.forbids(step) ?? false
    }

    /// Applies an event; any event in any state gives a state.
    ///
    /// An event that the rule `lifecycle` reports leaves the state unchanged; any other event is
    /// taken as having happened, even if it broke a rule.
    public mutating func evolve(_ event: Event<S>) {
        // Before the event changes the state, find the purchase that a finish of its payment
        // finishes.
        let id = event.transaction ?? purchase(finishedBy: event)
        let original = event.fact.original
        expand(id, original)
        defer { compact(id, original) }
        if forbids(event) { return }
        if let payment = event.payment, let step = PaymentStep(event.type) {
            applyStep(payment, step, event)
        }
        if let id, let step = transactionStep(event), let next = phase(of: id).after(step) {
            if step == .finished { noteRefund(beforeFinishOf: id) }
            transactions[id, default: TransactionState()].phase = next
            if step == .finished {
                forgetEndedDownloads(of: id)
                forgetFinishedPurchases(of: transactions[id]?.payment)
            }
        }
        apply(event)
        if !subscriptions.isEmpty, let step = SubscriptionStep(event.fact),
            let id = event.fact.original ?? event.transaction, let subscription = subscriptions[id]
        {
            let environment = environment(of: event)
            subscriptions[id]?[environment].phase = subscription[environment].phase.after(step)
        }
    }

    /// The transaction that an event finishes by naming its payment, if the payment was purchased
    /// and has no failure left to finish: the oldest that is not finished.
    package func purchase(finishedBy event: Event<S>) -> TransactionID<S>? {
        guard event.type == .queueFinished, let payment = event.payment else { return nil }
        return payments[payment]?.finishedPurchase.map { openPurchases[payment]?.first ?? $0 }
    }

    /// The step that an event means for its transaction; a presentation that arrives twice is
    /// ``TransactionStep/heardAgain``.
    func transactionStep(_ event: Event<S>) -> TransactionStep? {
        guard let step = TransactionStep(event.type) else { return nil }
        guard step == .purchased || step == .restored, let id = event.transaction,
            let known = transaction(id), let presentation = known.presentation,
            presentation == self.presentation(event), known.phase.isRestored == (step == .restored)
        else { return step }
        return .heardAgain
    }

    func presentation(_ event: Event<S>) -> Presentation<S> {
        Presentation(device: event.device, launch: device(event.device).launches)
    }

    private mutating func applyStep(_ id: PaymentID<S>, _ step: PaymentStep, _ event: Event<S>) {
        var payment = payments[id] ?? PaymentState()
        if step == .purchased, let transaction = event.transaction {
            // A purchase that is presented again doesn't close another request.
            if transactions[transaction]?.presentation == nil {
                payment.apply(step)
                keepOpen(transaction, of: id, after: payment.purchase)
            }
            payment.presentPurchase(transaction)
        } else {
            let finished = step == .finished ? payment.finishedPurchase : nil
            payment.apply(step)
            if finished != nil, let next = openPurchases[id]?.dropFirst().last {
                openPurchases[id]?.removeFirst()
                payment.presentPurchase(next)
            }
        }
        if step == .failed { payment.presentFailure(presentation(event)) }
        if payment.account == nil { payment.account = event.account }
        if payment.product == nil { payment.product = event.product }
        payments[id] = payment
    }

    private mutating func apply(_ event: Event<S>) {
        switch event.fact {
        case .logOpened: environment = event.environment ?? .production
        case .catalogListed(let fact): applyListing(fact)
        case .appLaunched: changeDevice(of: event) { $0.launch() }
        case .queueObserved: changeDevice(of: event) { $0.observer = .registered }
        case .queueUnobserved: changeDevice(of: event) { $0.observer = .unregistered }
        case .paymentRestricted: changeDevice(of: event) { $0.isRestricted = true }
        case .paymentAllowed: changeDevice(of: event) { $0.isRestricted = false }
        case .restoreRequested: changeDevice(of: event) { $0.beginRestore(by: event.account) }
        case .restoreSelected(let product): changeDevice(of: event) { $0.selection.insert(product) }
        case .restoreCompleted, .restoreFailed: changeDevice(of: event) { $0.isRestoring = false }
        case .queuePurchased(let fact):
            if transactions[fact.transaction]?.payment == nil {
                transactions[fact.transaction]?.payment = fact.payment
            }
            applyPresentation(fact.transaction, event)
            applyStatement(Statement(fact), event)
        case .queueRestored(let fact):
            applyPresentation(fact.transaction, event)
            let restorer = event.account ?? device(event.device).restorer
            transactions[fact.transaction]?.restorer = restorer
            applyStatement(Statement(fact), event)
        case .receiptListed(let fact):
            applyStatement(Statement(fact), event)
            transactions[fact.transaction]?.isListed = true
        case .renewalStarted(let fact): applyStatement(Statement(fact), event)
        case .renewalRenewed(let fact): applyStatement(Statement(fact), event)
        case .deliveryValidated, .deliveryPersisted, .deliveryDownload, .deliveryDelivered,
            .deliveryWithdrawn, .deliveryConsumed:
            applyDelivery(event)
        case .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
            .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
            .accountLinked:
            applySubscriptionStatement(event)
        case .cancellationRefunded, .cancellationRevoked, .cancellationReversed:
            applyCancellation(event)
        case .notificationReceived(let fact):
            if fact.secret == .wrong || fact.signature == .invalid {
                untrusted.insert(fact.notification)
            }
        case .contentPublished(let fact):
            guard contents[fact.content] == nil else { return }
            contents[fact.content] = ContentState(
                publishedAt: fact.publishedAt, product: fact.product, group: fact.group)
        case .logNoted, .logRecovered, .catalogRequested, .catalogInvalid, .paymentRequested,
            .queuePurchasing, .queueDeferred, .queueFailed, .queueFinished, .queueRemoved,
            .deliveryInstalled, .deliveryUnlocked, .receiptRefreshed, .receiptValidated,
            .cancellationRequested, .cancellationDeclined, .contentOpened:
            return
        }
    }

    private mutating func changeDevice(
        of event: Event<S>, _ change: (inout DeviceState<S>) -> Void
    ) { change(&devices[event.device, default: DeviceState()]) }

    private mutating func keepOpen(
        _ transaction: TransactionID<S>, of payment: PaymentID<S>, after earlier: TransactionID<S>?
    ) {
        guard let earlier, !phase(of: earlier).wasFinished else { return }
        openPurchases[payment, default: [earlier]].append(transaction)
    }

    /// Removes the finished purchases before the oldest that is not finished.
    private mutating func forgetFinishedPurchases(of payment: PaymentID<S>?) {
        guard let payment else { return }
        while let oldest = openPurchases[payment]?.first, phase(of: oldest).wasFinished {
            openPurchases[payment]?.removeFirst()
        }
        if openPurchases[payment]?.isEmpty ?? false { openPurchases[payment] = nil }
    }

    /// Notes that the first finish of a transaction comes after a refund and before any delivery.
    private mutating func noteRefund(beforeFinishOf id: TransactionID<S>) {
        guard let known = transactions[id], !known.phase.wasFinished, known.cancelledAt != nil,
            !known.wasDelivered
        else { return }
        transactions[id]?.wasFinishedRefunded = true
    }

    /// Removes the ended downloads of a finished transaction; other downloads stay until the entry
    /// comes back.
    private mutating func forgetEndedDownloads(of id: TransactionID<S>) {
        for download in endedDownloads.removeValue(forKey: id) ?? [] {
            downloads[id]?[download] = nil
        }
        if downloads[id]?.isEmpty ?? false { downloads[id] = nil }
    }

    private mutating func applyListing(_ fact: CatalogListed<S>) {
        var product = products[fact.product] ?? ProductState()
        let kind = product.kind
        product.listedKind = fact.kind
        if let group = fact.group { product.listedGroup = group }
        if let hosted = fact.hosted { product.isHosted = hosted }
        products[fact.product] = product
        changeKind(of: fact.product, from: kind)
    }
}

extension DeviceState {
    fileprivate mutating func launch() {
        launches.addSaturating(1)
        observer = .unregistered
        isRestricted = false
    }

    fileprivate mutating func beginRestore(by account: AccountID<S>?) {
        isRestoring = true
        hasRestored = true
        restorer = account
        selection = []
    }
}
