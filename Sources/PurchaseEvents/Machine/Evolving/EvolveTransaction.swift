/// The changes that statements and the app's acts make to a transaction, besides its phase.
extension PurchaseState {
    mutating func applyPresentation(_ id: TransactionID<S>, _ event: Event<S>) {
        let presentation = presentation(event)
        transactions[id]?.presentation = presentation
    }

    /// Applies what the App Store states about a transaction; statements may arrive in any order.
    mutating func applyStatement(_ statement: Statement<S>, _ event: Event<S>) {
        let environment = environment(of: event)
        let version = StatementVersion(
            event, in: environment, ownDate: statement.cancelledAt ?? statement.purchasedAt)
        recordProduct(statement, version)
        var known = transactions[statement.transaction] ?? TransactionState()
        known.record(environment)
        if known.accepts(environment) { known.apply(statement, version) }
        known.accountStated.setEarliest(event.account, version)
        known.opensPeriod = known.opensPeriod || statement.opensPeriod
        known.isPaid = true
        transactions[statement.transaction] = known

        if kind(of: known) != .consumable {
            products[statement.product, default: ProductState()]
                .transactions.insert(statement.transaction)
        }
        attach(statement.transaction)
    }

    private mutating func recordProduct(_ statement: Statement<S>, _ version: StatementVersion) {
        guard statement.kind != nil || statement.group != nil else { return }
        var product = products[statement.product] ?? ProductState()
        let kind = product.kind
        product.statedKind.setEarliest(statement.kind, version)
        product.statedGroup.setEarliest(statement.group, version)
        products[statement.product] = product
        changeKind(of: statement.product, from: kind)
    }

    /// Updates the purchases of a product after its kind may have changed.
    mutating func changeKind(of product: ProductID<S>, from before: ProductKind?) {
        let kind = products[product]?.kind
        if kind != before { expandAll(of: product) }
        if kind == .consumable { products[product]?.transactions = [] }
    }

    /// The environment of an event (event-log.md, 2).
    func environment(of event: Event<S>) -> Environment { event.environment ?? environment }

    mutating func applyDelivery(_ event: Event<S>) {
        if case .deliveryConsumed(let fact) = event.fact {
            changeBalance(
                of: fact.product, event.account,
                by: Int64(0).subtractingSaturating(fact.quantity ?? 1))
        }
        guard let id = event.transaction else { return }
        var known = transactions[id] ?? TransactionState()
        if case .deliveryValidated(let fact) = event.fact,
            fact.outcome != .unreachable || known.validation == nil
        {
            known.validation = fact.outcome
        }
        if case .deliveryPersisted(let fact) = event.fact {
            known.isPersisted = true
            if fact.store == .receipt { known.isPersistedInReceipt = true }
        }
        if case .deliveryDownload(let fact) = event.fact {
            known.hadDownloads = true
            downloads[id, default: [:]][fact.download] = fact.state
            if fact.state.isTerminal {
                endedDownloads[id, default: []].insert(fact.download)
            } else {
                endedDownloads[id]?.remove(fact.download)
            }
        }
        if case .deliveryDelivered(let fact) = event.fact {
            // Without a quantity, all undelivered units count as delivered, at least one.
            let quantity = fact.quantity ?? max(1, known.undeliveredQuantity)
            known.deliveredQuantity.addSaturating(quantity)
            known.isDelivered = true
            known.wasDelivered = true
            if known.cancelledAt != nil { known.wasFinishedRefunded = false }
            if let until = fact.until { known.until = until }
            changeBalance(of: known.product, event.account, by: quantity)
        }
        if case .deliveryWithdrawn(let fact) = event.fact {
            let delivered = known.deliveredQuantity
            let withdrawn = min(fact.quantity ?? delivered, delivered)
            changeBalance(
                of: known.product, event.account, by: Int64(0).subtractingSaturating(withdrawn))
            known.deliveredQuantity = delivered - withdrawn
            known.isDelivered = false
            known.wasWithdrawn = true
        }
        transactions[id] = known
    }

    private mutating func changeBalance(
        of product: ProductID<S>?, _ account: AccountID<S>?, by count: Int64
    ) {
        guard let product else { return }
        products[product, default: ProductState()].balances[account, default: 0]
            .addSaturating(count)
    }

    mutating func applyCancellation(_ event: Event<S>) {
        guard let id = event.transaction else { return }
        var known = transactions[id] ?? TransactionState()
        var cancelledAt: Timestamp?
        var share: Int64? = RefundedShare.whole
        if case .cancellationRefunded(let fact) = event.fact {
            (cancelledAt, share) = (fact.cancelledAt, fact.percent)
        }
        if case .cancellationRevoked(let fact) = event.fact { cancelledAt = fact.cancelledAt }
        let environment = environment(of: event)
        let version = StatementVersion(event, in: environment, ownDate: cancelledAt)
        if known.accepts(environment) {
            known.refundStated.set(cancelledAt.map(StatedRefund.taken) ?? .reversed, version)
            known.refundedShare.set(share, version)
            known.setOriginal(event.fact.original, of: id, version)
        }
        known.accountStated.setEarliest(event.account, version)
        known.cancellationAccount.setEarliest(event.account, version)
        transactions[id] = known
        attach(id)
    }

    mutating func applySubscriptionStatement(_ event: Event<S>) {
        guard let original = event.fact.original else { return }
        openSubscription(original)
        let environment = environment(of: event)
        let version = StatementVersion(event, in: environment)
        subscriptions[original]?.hasPeriods = true
        // In place, because a copy of a subscription costs as much as its history is long.
        subscriptions[original]?[environment].apply(event, version)
        if case .renewalExtended(let fact) = event.fact, let id = fact.transaction {
            var known = transactions[id] ?? TransactionState()
            if known.accepts(environment) {
                known.expiresAtStated.set(fact.expiresAt, version)
                known.setOriginal(original, of: id, version)
            }
            transactions[id] = known
            attach(id)
        }
    }

    private mutating func attach(_ id: TransactionID<S>) {
        guard let known = transactions[id] else { return }
        let subscription = known.original ?? id
        // A single purchase without connections needs no such state.
        if known.expiresAt != nil || known.original != nil || known.subscription != nil
            || known.kindStated.value == .autoRenewable
        {
            openSubscription(subscription)
        }
        if known.isAttested(in: .production) { subscriptions[id]?.isOfProduction = true }
        join(id, subscription: subscription)
    }

    private mutating func openSubscription(_ original: TransactionID<S>) {
        guard subscriptions[original] == nil else { return }
        var subscription = SubscriptionState<S>()
        let first = transactions[original]
        subscription.isOfProduction = first?.isAttested(in: .production) ?? false
        subscriptions[original] = subscription
        if let first, first.original == nil { join(original, subscription: original) }
    }

    /// Moves a transaction to its subscription. Of one that nobody bought, only the account counts,
    /// which a refund may name.
    private mutating func join(_ id: TransactionID<S>, subscription: TransactionID<S>) {
        guard let known = transactions[id], subscriptions[subscription] != nil else { return }
        if known.isPaid, known.subscription != subscription {
            if let left = known.subscription { leave(id, subscription: left) }
            transactions[id]?.subscription = subscription
            subscriptions[subscription]?.transactions.append(id)
        }
        if known.isAttested(in: .production) { subscriptions[subscription]?.isOfProduction = true }
        if known.opensPeriod, known.expiresAt != nil {
            subscriptions[subscription]?.hasPeriods = true
        }
        // Restoring a purchase doesn't make an account its owner (G8.6).
        let named = known.opensPeriod ? known.accountStated : known.cancellationAccount
        guard let version = named.version else { return }
        subscriptions[subscription]?[version.isOfTests ? .sandbox : .production].account
            .setEarliest(named.value, version)
    }

    private mutating func leave(_ id: TransactionID<S>, subscription: TransactionID<S>) {
        // Taken out, so that removing one of many transactions copies none of them.
        guard var left = subscriptions.removeValue(forKey: subscription) else { return }
        if let place = left.transactions.firstIndex(of: id) { left.transactions.remove(at: place) }
        left.isOfProduction =
            isAttestedInProduction(subscription)
            || left.transactions.contains { isAttestedInProduction($0) }
        subscriptions[subscription] = left
    }

    private func isAttestedInProduction(_ id: TransactionID<S>) -> Bool {
        transaction(id)?.isAttested(in: .production) ?? false
    }
}

extension StatedSubscription {
    fileprivate mutating func apply(_ event: Event<S>, _ version: StatementVersion) {
        if case .accountLinked = event.fact {
            link(to: event.account)
        } else {
            account.setEarliest(event.account, version)
        }
        if case .renewalFailed(let fact) = event.fact, let end = fact.graceExpiresAt {
            graces.add(end: end, statedAt: version.time)
        }
        if case .renewalGraceExpired = event.fact { graces.addEnd(statedAt: version.time) }
        if case .renewalExpired(let fact) = event.fact {
            graces.addExpiry(statedAt: version.time, expiresAt: fact.expiresAt)
            expired.set(fact.expiresAt ?? version.time, version)
        }
        if case .renewalExtended(let fact) = event.fact, fact.transaction == nil {
            extensions.record(fact.expiresAt, version)
        }
    }
}

extension TransactionState {
    fileprivate mutating func apply(_ statement: Statement<S>, _ version: StatementVersion) {
        productStated.set(statement.product, version)
        setOriginal(statement.original, of: statement.transaction, version)
        quantityStated.set(statement.quantity, version)
        upgradedStated.set(statement.upgraded, version)
        groupStated.set(statement.group, version)
        kindStated.set(statement.kind, version)
        refundStated.set(statement.cancelledAt.map(StatedRefund.taken), version)
        expiresAtStated.set(statement.expiresAt, version)
        setPurchaseDate(statement, version)
    }

    /// A restore states its own date, so the date in any other statement takes precedence (G8.8).
    private mutating func setPurchaseDate(_ statement: Statement<S>, _ version: StatementVersion) {
        if !statement.opensPeriod, purchasedAt != nil, !isDatedByRestore { return }
        if statement.opensPeriod, isDatedByRestore { purchasedAtStated = StatedValue() }
        purchasedAtStated.set(statement.purchasedAt, version)
        isDatedByRestore = !statement.opensPeriod
    }

    /// The first statement in production discards all stated in tests but the account (G9.3).
    fileprivate mutating func record(_ environment: Environment) {
        if environment == .production, !isAttested(in: .production) {
            productStated.discardTests()
            originalStated.discardTests()
            quantityStated.discardTests()
            purchasedAtStated.discardTests()
            expiresAtStated.discardTests()
            upgradedStated.discardTests()
            refundStated.discardTests()
            refundedShare.discardTests()
            groupStated.discardTests()
            kindStated.discardTests()
        }
        environments.insert(Environments(environment))
    }

    /// A transaction that names itself as its original changes nothing.
    fileprivate mutating func setOriginal(
        _ original: TransactionID<S>?, of id: TransactionID<S>, _ version: StatementVersion
    ) {
        originalStated.set(original == id ? nil : original, version)
    }
}
