import PurchaseEvents

/// What one statement of the App Store says of one transaction, whatever the type of the event.
fileprivate struct Statement {
    var transaction: TransactionID<Interned>
    var original: TransactionID<Interned>?
    var product: ProductID<Interned>
    var kind: ProductKind?
    var group: GroupID<Interned>?
    var quantity: Int64?
    var purchasedAt: Timestamp
    var originalPurchasedAt: Timestamp?
    var expiresAt: Timestamp?
    var cancelledAt: Timestamp?
    var upgraded: Bool?
    var ownership: Ownership?
    var price: Int64?
    var currency: Currency?
    var payment: PaymentID<Interned>?

    init?(_ fact: Fact<Interned>) {
        if case .queuePurchased(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (quantity, purchasedAt, expiresAt) = (said.quantity, said.purchasedAt, said.expiresAt)
            (originalPurchasedAt, ownership) = (said.originalPurchasedAt, said.ownership)
            (price, currency, payment) = (said.price, said.currency, said.payment)
        } else if case .queueRestored(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (quantity, purchasedAt, expiresAt) = (said.quantity, said.purchasedAt, said.expiresAt)
            (originalPurchasedAt, ownership) = (said.originalPurchasedAt, said.ownership)
        } else if case .receiptListed(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (quantity, purchasedAt, expiresAt) = (said.quantity, said.purchasedAt, said.expiresAt)
            (originalPurchasedAt, ownership) = (said.originalPurchasedAt, said.ownership)
            (price, currency, kind, group) = (said.price, said.currency, said.kind, said.group)
            (cancelledAt, upgraded) = (said.cancelledAt, said.upgraded)
        } else if case .renewalStarted(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (purchasedAt, expiresAt) = (said.purchasedAt, said.expiresAt)
            (price, currency, group) = (said.price, said.currency, said.group)
            kind = .autoRenewable
        } else if case .renewalRenewed(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (purchasedAt, expiresAt) = (said.purchasedAt, said.expiresAt)
            (price, currency, group) = (said.price, said.currency, said.group)
            kind = .autoRenewable
        } else {
            return nil
        }
    }
}

extension Facts {
    /// Takes in what the App Store says of a transaction.
    mutating func observeStatement(_ event: Event<Interned>, on line: Line) {
        guard let said = Statement(event.fact) else { return }
        let index = touch(said.transaction)
        if let original = said.original { _ = touch(original) }
        let time = event.signedAt ?? said.cancelledAt ?? said.purchasedAt
        let version = versions.add(event.type, time: time, line)
        learn(said.product, kind: said.kind, group: said.group, version)
        transactions[index].environmentRegister.sayFirst(
            environment(of: event), version, &versions)
        if environment(of: event) == .production {
            transactions[index].isStatedInProduction = true
        }
        let originalBefore = transactions[index].original
        transactions[index].say(said, by: event.account, version, &versions, line.number)
        transactions[index].mark(event.type, line.number)
        if let payment = said.payment {
            touchPayment(payment, of: said.transaction, event, line.number)
        }
        transactions[index].recordedAt = min(transactions[index].recordedAt ?? event.at, event.at)
        if event.type == .queueRestored {
            transactions[original(of: said.transaction).index].restoredAs = said.transaction
        }
        join(said.transaction, line.number)
        joinKin(said.transaction, unless: originalBefore)
        let member = Int(transactions[index].memberOf) - 1
        if member >= 0, event.type != .queueRestored {
            lines[member].accountRegister.sayFirst(event.account, version, &versions)
        }
        if event.type == .renewalStarted || event.type == .renewalRenewed {
            let lineIndex = self.lineIndex(of: said.original ?? said.transaction, line.number)
            lines[lineIndex].retryRegister.say(.renewed, version, &versions)
        }
        versions.discard(version)
        listFamily(of: said.transaction)
    }

    /// Takes in a refund, a revocation, or that it was taken back.
    mutating func observeCancellation(_ event: Event<Interned>, on line: Line) {
        guard let transaction = event.transaction else { return }
        let index = touch(transaction)
        let state: RefundState
        let time: Timestamp
        var original: TransactionID<Interned>?
        var kind: Refund.Kind?
        var percent: Int64?
        if event.type == .cancellationRefunded, case .cancellationRefunded(let said) = event.fact {
            state = .taken(cancelledAt: said.cancelledAt)
            time = event.signedAt ?? said.cancelledAt
            (original, kind, percent) = (said.original, .refunded, said.percent)
        } else if event.type == .cancellationRevoked,
            case .cancellationRevoked(let said) = event.fact
        {
            state = .taken(cancelledAt: said.cancelledAt)
            time = event.signedAt ?? said.cancelledAt
            (original, kind) = (said.original, .revoked)
        } else if event.type == .cancellationReversed {
            // What is refunded after it is refunded wholly, unless it says a share again.
            (state, time, percent) = (.reversed, event.signedAt ?? event.at, Refund.whole)
        } else {
            return
        }
        let version = versions.add(event.type, time: time, line)
        let before = (transactions[index].original, transactions[index].account)
        if let original {
            _ = touch(original)
            transactions[index].originalRegister.say(
                original == transaction ? nil : original, version, &versions)
        }
        transactions[index].accountRegister.sayFirst(event.account, version, &versions)
        transactions[index].refundKindRegister.say(kind, version, &versions)
        transactions[index].refundPercentRegister.say(percent, version, &versions)
        transactions[index].sayRefund(state, version, &versions, line.number)
        join(transaction, line.number)
        joinKin(transaction, unless: before.0)
        versions.discard(version)
        listFamily(of: transaction, isMoved: transactions[index].account != before.1)
    }
}

extension TransactionFacts {
    /// Says each thing that a statement says.
    fileprivate mutating func say(
        _ said: Statement, by account: AccountID<Interned>?, _ version: VersionID,
        _ versions: inout Versions, _ line: LineNumber
    ) {
        productRegister.say(said.product, version, &versions)
        let original = said.original == said.transaction ? nil : said.original
        originalRegister.say(original, version, &versions)
        quantityRegister.say(said.quantity, version, &versions)
        purchasedAtRegister.say(said.purchasedAt, version, &versions)
        originalPurchasedAtRegister.say(said.originalPurchasedAt, version, &versions)
        expiresAtRegister.say(said.expiresAt, version, &versions)
        ownershipRegister.say(said.ownership, version, &versions)
        upgradedRegister.say(said.upgraded, version, &versions)
        kindRegister.say(said.kind, version, &versions)
        groupRegister.say(said.group, version, &versions)
        accountRegister.sayFirst(account, version, &versions)
        if let price = said.price {
            let price = Price(thousandths: price, currency: said.currency)
            priceRegister.say(price, version, &versions)
        }
        if let cancelledAt = said.cancelledAt {
            sayRefund(.taken(cancelledAt: cancelledAt), version, &versions, line)
        }
    }

    /// Notes the line of a statement by its type.
    fileprivate mutating func mark(_ type: EventType, _ line: LineNumber) {
        if statedLine == 0 { statedLine = line }
        if type == .queuePurchased {
            if purchasedLine == 0 { purchasedLine = line }
            purchasedAgainLine = line
            presentations &+= 1
        } else if type == .queueRestored {
            if restoredLine == 0 { restoredLine = line }
            restoredAgainLine = line
            presentations &+= 1
        } else if type == .receiptListed {
            if listedLine == 0 { listedLine = line }
        } else if renewalLine == 0 {
            renewalLine = line
        }
    }

    /// Says a refund, and notes the line at which it came into force.
    fileprivate mutating func sayRefund(
        _ state: RefundState, _ version: VersionID, _ versions: inout Versions,
        _ line: LineNumber
    ) {
        let (wasRefunded, wasTaken) = (refund != nil, cancelledAt != nil)
        refundRegister.say(state, version, &versions)
        if refund != nil, !wasRefunded { refundedLine = line }
        if wasTaken, cancelledAt == nil { reversedLine = line }
    }
}
