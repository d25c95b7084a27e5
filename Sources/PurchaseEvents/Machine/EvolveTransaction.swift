/// What statements and the app's acts change of a transaction beside its phase.
extension PurchaseState {
    mutating func takePresentation(_ id: TransactionID<S>, _ event: Event<S>) {
        let presentation = presentation(event)
        transactions[id]?.presentation = presentation
    }

    /// Takes in what the App Store states of a transaction, in any order of arrival.
    mutating func takeStatement(_ statement: Statement<S>, _ event: Event<S>) {
        let version = StatementVersion(
            event, ownDate: statement.cancelledAt ?? statement.purchasedAt)
        var known = transactions[statement.transaction] ?? TransactionState()
        known.productStated.say(statement.product, version)
        known.originalStated.say(statement.original, version)
        known.quantityStated.say(statement.quantity, version)
        known.upgradedStated.say(statement.upgraded, version)
        known.groupStated.say(statement.group, version)
        known.kindStated.say(statement.kind, version)
        known.refundStated.say(statement.cancelledAt.map(Refund.taken), version)
        known.accountStated.sayFirst(event.account, version)
        if statement.opensPeriod || !known.opensPeriod {
            known.purchasedAtStated.say(statement.purchasedAt, version)
            known.expiresAtStated.say(statement.expiresAt, version)
        }
        known.opensPeriod = known.opensPeriod || statement.opensPeriod
        known.isPaid = true
        if known.environment == nil { known.environment = event.environment ?? environment }
        transactions[statement.transaction] = known

        if kind(of: known) != .consumable {
            products[statement.product, default: ProductState()]
                .transactions.insert(statement.transaction)
        }
        if statement.opensLine { openLine(statement.line) }
        if lines[statement.line] != nil { join(statement.transaction, line: statement.line) }
        // Who restores a purchase doesn't own it for that (G8.6).
        if statement.opensPeriod {
            lines[statement.line]?.accountStated.sayFirst(event.account, version)
        }
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
        let version = StatementVersion(event, ownDate: cancelledAt)
        known.refundStated.say(cancelledAt.map(Refund.taken) ?? .reversed, version)
        known.originalStated.say(event.fact.original, version)
        known.accountStated.sayFirst(event.account, version)
        transactions[id] = known
    }

    /// Takes in what is said of a line as a whole.
    mutating func takeLine(_ event: Event<S>) {
        guard let original = event.fact.original else { return }
        openLine(original)
        var line = lines[original] ?? LineState()
        let version = StatementVersion(event)
        if case .accountLinked = event.fact {
            line.linkedAccount = event.account ?? line.linkedAccount
        } else {
            line.accountStated.sayFirst(event.account, version)
        }
        if case .renewalFailed(let fact) = event.fact, let end = fact.graceExpiresAt {
            line.graces.say(Grace(end: end, said: version.time))
        }
        if case .renewalExtended(let fact) = event.fact {
            if let transaction = fact.transaction {
                transactions[transaction, default: TransactionState()].expiresAtStated
                    .say(fact.expiresAt, version)
            } else {
                line.extensionStated.say(fact.expiresAt, version)
            }
        }
        lines[original] = line
    }

    /// Opens a line, to which the transaction that is its original belongs.
    private mutating func openLine(_ original: TransactionID<S>) {
        guard lines[original] == nil else { return }
        var line = LineState<S>()
        if let first = transactions[original] {
            line.accountStated.sayFirst(first.accountStated.value, first.accountStated.version)
        }
        lines[original] = line
        if transactions[original]?.isPaid == true { join(original, line: original) }
    }

    /// Puts a transaction into its line, and takes it out of the one that it was thought to be of.
    private mutating func join(_ id: TransactionID<S>, line: TransactionID<S>) {
        let left = transactions[id]?.line
        guard left != line else { return }
        if let left { lines[left]?.transactions.removeAll { $0 == id } }
        transactions[id]?.line = line
        lines[line]?.transactions.append(id)
    }
}
