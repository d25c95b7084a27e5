/// What statements and the app's acts change of a transaction beside its phase.
extension PurchaseState {
    mutating func takePresentation(_ id: TransactionID<S>, _ event: Event<S>) {
        let presentation = presentation(event)
        transactions[id]?.presentation = presentation
    }

    /// Takes in what the App Store states of a transaction, in any order of arrival.
    mutating func takeStatement(_ statement: Statement<S>, _ event: Event<S>) {
        let environment = environment(of: event)
        let version = StatementVersion(
            event, in: environment, ownDate: statement.cancelledAt ?? statement.purchasedAt)
        learn(statement, version)
        var known = transactions[statement.transaction] ?? TransactionState()
        known.note(environment)
        if known.heeds(environment) { known.take(statement, version) }
        known.accountStated.sayFirst(event.account, version)
        known.opensPeriod = known.opensPeriod || statement.opensPeriod
        known.isPaid = true
        transactions[statement.transaction] = known

        if kind(of: known) != .consumable {
            products[statement.product, default: ProductState()]
                .transactions.insert(statement.transaction)
        }
        attach(statement.transaction)
    }

    /// Notes what a statement tells of its product, where the catalogue hasn't.
    private mutating func learn(_ statement: Statement<S>, _ version: StatementVersion) {
        guard statement.kind != nil || statement.group != nil else { return }
        var product = products[statement.product] ?? ProductState()
        let kind = product.kind
        product.statedKind.sayFirst(statement.kind, version)
        product.statedGroup.sayFirst(statement.group, version)
        products[statement.product] = product
        changeKind(of: statement.product, from: kind)
    }

    /// Sorts the purchases of a product anew, where its kind is another one than before.
    mutating func changeKind(of product: ProductID<S>, from before: ProductKind?) {
        let kind = products[product]?.kind
        if kind != before { unsettleAll(of: product) }
        if kind == .consumable { products[product]?.transactions = [] }
    }

    /// The environment that an event is of (event-log.md, 2).
    func environment(of event: Event<S>) -> Environment {
        event.environment ?? environment
    }

    /// Takes in what the app or a server did for a transaction.
    mutating func takeDelivery(_ event: Event<S>) {
        if case .deliveryConsumed(let fact) = event.fact {
            changeBalance(
                of: fact.product, event.account,
                by: Int64(0).subtractingSaturating(fact.quantity ?? 1))
        }
        guard let id = event.transaction else { return }
        var known = transactions[id] ?? TransactionState()
        if case .deliveryValidated(let fact) = event.fact { known.validation = fact.outcome }
        if case .deliveryPersisted(let fact) = event.fact {
            known.isPersisted = true
            if fact.store == .receipt { known.isPersistedInReceipt = true }
        }
        if case .deliveryDownload(let fact) = event.fact {
            known.hadDownloads = true
            downloads[id, default: [:]][fact.download] = fact.state
        }
        if case .deliveryDelivered(let fact) = event.fact {
            // Without a quantity: all that is left, at least one.
            let quantity = fact.quantity ?? max(1, known.undeliveredQuantity)
            known.deliveredQuantity.addSaturating(quantity)
            known.isDelivered = true
            known.wasDelivered = true
            if let until = fact.until { known.until = until }
            changeBalance(of: known.product, event.account, by: quantity)
        }
        if case .deliveryWithdrawn = event.fact {
            changeBalance(
                of: known.product, event.account,
                by: Int64(0).subtractingSaturating(known.deliveredQuantity))
            known.deliveredQuantity = 0
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

    /// Takes in a refund, a revocation, or a reversal.
    mutating func takeCancellation(_ event: Event<S>) {
        guard let id = event.transaction else { return }
        var known = transactions[id] ?? TransactionState()
        var cancelledAt: Timestamp?
        if case .cancellationRefunded(let fact) = event.fact { cancelledAt = fact.cancelledAt }
        if case .cancellationRevoked(let fact) = event.fact { cancelledAt = fact.cancelledAt }
        let environment = environment(of: event)
        let version = StatementVersion(event, in: environment, ownDate: cancelledAt)
        if known.heeds(environment) {
            known.refundStated.say(cancelledAt.map(Refund.taken) ?? .reversed, version)
            known.sayOriginal(event.fact.original, of: id, version)
        }
        known.accountStated.sayFirst(event.account, version)
        transactions[id] = known
        attach(id)
    }

    /// Takes in what is said of a line as a whole.
    mutating func takeLine(_ event: Event<S>) {
        guard let original = event.fact.original else { return }
        openLine(original)
        var line = lines[original] ?? LineState()
        let environment = environment(of: event)
        let version = StatementVersion(event, in: environment)
        if case .accountLinked = event.fact {
            line[environment].link(to: event.account)
        } else {
            line[environment].account.sayFirst(event.account, version)
        }
        if case .renewalFailed(let fact) = event.fact, let end = fact.graceExpiresAt {
            line[environment].graces.say(end: end, said: version.time)
        }
        if case .renewalGraceExpired = event.fact {
            line[environment].graces.sayOver(said: version.time)
        }
        if case .renewalExpired(let fact) = event.fact {
            line[environment].graces.sayExpired(
                said: version.time, expiresAt: fact.expiresAt)
        }
        if case .renewalExtended(let fact) = event.fact, fact.transaction == nil {
            line[environment].extensions.say(fact.expiresAt, version)
        }
        lines[original] = line
        if case .renewalExtended(let fact) = event.fact, let id = fact.transaction {
            var known = transactions[id] ?? TransactionState()
            if known.heeds(environment) {
                known.expiresAtStated.say(fact.expiresAt, version)
                known.sayOriginal(original, of: id, version)
            }
            transactions[id] = known
            attach(id)
        }
    }

    /// Puts a transaction that was bought into the line of its original, and says of the line whom
    /// the transaction names first, where it is a period of it.
    private mutating func attach(_ id: TransactionID<S>) {
        guard let known = transactions[id], known.isPaid else { return }
        let line = known.original ?? id
        // A single purchase that nothing is tied to needs no line.
        if known.expiresAt != nil || known.original != nil || known.line != nil
            || known.kindStated.value == .autoRenewable
        {
            openLine(line)
        }
        if known.isAttested(in: .production) { lines[id]?.isOfProduction = true }
        join(id, line: line)
    }

    /// Opens a line, to which the transaction that is its original belongs.
    private mutating func openLine(_ original: TransactionID<S>) {
        guard lines[original] == nil else { return }
        var line = LineState<S>()
        let first = transactions[original]
        line.isOfProduction = first?.isAttested(in: .production) ?? false
        lines[original] = line
        if let first, first.isPaid, first.original == nil { join(original, line: original) }
    }

    /// Puts a transaction into its line, and takes it out of the one that it was thought to be of.
    private mutating func join(_ id: TransactionID<S>, line: TransactionID<S>) {
        guard let known = transactions[id], lines[line] != nil else { return }
        if known.line != line {
            if let left = known.line { leave(id, line: left) }
            transactions[id]?.line = line
            lines[line]?.transactions.append(id)
        }
        let isPeriod = known.opensPeriod && known.expiresAt != nil
        let isInProduction = known.isAttested(in: .production)
        if isInProduction { lines[line]?.isOfProduction = true }
        // Whoever restores a purchase doesn't own it for that (G8.6).
        guard isPeriod, let version = known.accountStated.version else { return }
        let isOfTests = version.isOfTests || !isInProduction
        lines[line]?[isOfTests ? .sandbox : .production].account
            .sayFirst(known.accountStated.value, version)
    }

    private mutating func leave(_ id: TransactionID<S>, line: TransactionID<S>) {
        guard var left = lines[line] else { return }
        left.transactions.removeAll { $0 == id }
        left.isOfProduction = ([line] + left.transactions).contains { other in
            transaction(other)?.isAttested(in: .production) ?? false
        }
        lines[line] = left
    }
}

extension TransactionState {
    /// Takes in what a statement says of the transaction itself.
    fileprivate mutating func take(_ statement: Statement<S>, _ version: StatementVersion) {
        productStated.say(statement.product, version)
        sayOriginal(statement.original, of: statement.transaction, version)
        quantityStated.say(statement.quantity, version)
        upgradedStated.say(statement.upgraded, version)
        groupStated.say(statement.group, version)
        kindStated.say(statement.kind, version)
        refundStated.say(statement.cancelledAt.map(Refund.taken), version)
        expiresAtStated.say(statement.expiresAt, version)
        sayPurchase(statement, version)
    }

    /// Takes when a statement says that it was purchased: the date of a restore is the restore's
    /// own, so what any other statement says counts over it (G8.8).
    private mutating func sayPurchase(_ statement: Statement<S>, _ version: StatementVersion) {
        if !statement.opensPeriod, purchasedAt != nil, !isDatedByRestore { return }
        if statement.opensPeriod, isDatedByRestore { purchasedAtStated = StatedValue() }
        purchasedAtStated.say(statement.purchasedAt, version)
        isDatedByRestore = !statement.opensPeriod
    }

    /// Notes that a statement of an environment attests it: with the first one of production all
    /// that was said of tests is forgotten, but for whom it names (G9.3).
    fileprivate mutating func note(_ environment: Environment) {
        if environment == .production, !isAttested(in: .production) {
            productStated.forgetTests()
            originalStated.forgetTests()
            quantityStated.forgetTests()
            purchasedAtStated.forgetTests()
            expiresAtStated.forgetTests()
            upgradedStated.forgetTests()
            refundStated.forgetTests()
            groupStated.forgetTests()
            kindStated.forgetTests()
        }
        environments.insert(Environments(environment))
    }

    /// Takes an original that a statement names; a transaction that names itself says nothing.
    fileprivate mutating func sayOriginal(
        _ original: TransactionID<S>?, of id: TransactionID<S>, _ version: StatementVersion
    ) {
        originalStated.say(original == id ? nil : original, version)
    }
}
