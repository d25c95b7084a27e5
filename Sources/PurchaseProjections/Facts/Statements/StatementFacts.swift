import PurchaseEvents

/// What one App Store statement says about one transaction, for every event type.
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
    /// Whether the purchase date is the date of a restore (G8.8).
    var isRestore = false

    init?(_ fact: Fact<Interned>) {
        if case .queuePurchased(let said) = fact {
            (transaction, original, product) = (said.transaction, said.original, said.product)
            (quantity, purchasedAt, expiresAt) = (said.quantity, said.purchasedAt, said.expiresAt)
            (originalPurchasedAt, ownership) = (said.originalPurchasedAt, said.ownership)
            (price, currency, payment) = (said.price, said.currency, said.payment)
        } else if case .queueRestored(let said) = fact {
            isRestore = true
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
    /// Takes in an App Store statement about a transaction.
    mutating func observeStatement(_ event: Event<Interned>, on line: Line) {
        guard let said = Statement(event.fact) else { return }
        let index = touch(said.transaction)
        if let original = said.original { touch(original) }
        let time = event.signedAt ?? said.cancelledAt ?? said.purchasedAt
        let environment = environment(of: event)
        let version = versions.add(event, time: time, in: environment, on: line)
        learn(said.product, kind: said.kind, group: said.group, version)
        let isNewInProduction =
            environment == .production && !transactions[index].isStatedInProduction
        var originalBefore = transactions[index].take(
            said, of: event, in: environment, version, &versions, line.number)
        if isNewInProduction, enterProduction(said.transaction) { originalBefore = nil }
        if let payment = said.payment {
            touchPayment(payment, of: said.transaction, event, line.number)
        }
        if event.type == .queueRestored {
            let original = original(of: said.transaction)
            transactions[original.index].rare.restoredAs = said.transaction
        }
        if event.type == .queuePurchased || event.type == .queueRestored {
            present(said.transaction, event)
        }
        joinLine(said.transaction, line.number)
        recordOriginal(said.transaction, unless: originalBefore)
        if event.account != nil || isNewInProduction { nameOwner(by: said.transaction) }
        if event.type == .renewalStarted || event.type == .renewalRenewed {
            let lineIndex = self.lineIndex(of: said.original ?? said.transaction, line.number)
            lines[lineIndex][environment].retry.assign(.renewed, version, &versions)
            lines[lineIndex][environment].recordRenewal(version, &versions)
        }
        versions.discard(version)
        listFamily(of: said.transaction)
    }

    /// Takes in a refund, a revocation or a reversal.
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
            // A refund after a reversal is a full refund unless it states a share again.
            (state, time, percent) = (.reversed, event.signedAt ?? event.at, Refund.whole)
        } else {
            return
        }
        let environment = environment(of: event)
        let version = versions.add(event, time: time, in: environment, on: line)
        let before = (transactions[index].original, transactions[index].account)
        if let original { touch(original) }
        transactions[index].assignEarliest(account: event.account, version, &versions)
        if transactions[index].accepts(environment) {
            transactions[index].assign(
                original: original == transaction ? nil : original, version, &versions)
            transactions[index].assign(refundKind: kind, percent: percent, version, &versions)
            transactions[index].assign(refund: state, version, &versions, line.number)
        }
        joinLine(transaction, line.number)
        if event.account != nil { nameOwner(by: transaction) }
        recordOriginal(transaction, unless: before.0)
        versions.discard(version)
        listFamily(of: transaction, isMoved: transactions[index].account != before.1)
    }
}

extension TransactionFacts {
    /// Takes in an event's statement, and returns the original known before.
    fileprivate mutating func take(
        _ said: Statement, of event: Event<Interned>, in environment: Environment,
        _ version: VersionID, _ versions: inout Versions, _ line: LineNumber
    ) -> TransactionID<Interned>? {
        let before = original
        note(environment, &versions, line)
        if accepts(environment) { assign(said, version, &versions, line) }
        assignEarliest(account: event.account, version, &versions)
        state(event.type, at: event.at, line)
        return before
    }

    /// Assigns every field that a statement gives.
    fileprivate mutating func assign(
        _ said: Statement, _ version: VersionID, _ versions: inout Versions, _ line: LineNumber
    ) {
        if adopts(.product, version, &versions) { storedProduct = said.product }
        assign(
            original: said.original == said.transaction ? nil : said.original, version, &versions)
        assign(quantity: said.quantity, version, &versions)
        assign(purchasedAt: said.purchasedAt, isOfRestore: said.isRestore, version, &versions)
        if let at = said.originalPurchasedAt, adopts(.originalPurchasedAt, version, &versions) {
            storedOriginalPurchasedAt = at
        }
        assign(expiresAt: said.expiresAt, version, &versions)
        assign(ownership: said.ownership, version, &versions)
        assign(isUpgraded: said.upgraded, version, &versions)
        if let kind = said.kind, adopts(.kind, version, &versions) { storedKind = kind }
        if let group = said.group, adopts(.group, version, &versions) { storedGroup = group }
        assign(price: said.price, said.currency, version, &versions)
        if let cancelledAt = said.cancelledAt {
            assign(refund: .taken(cancelledAt: cancelledAt), version, &versions, line)
        }
    }

    /// Assigns the purchase date. A restore states its own date, so the date in any other statement
    /// wins over a restore's, whatever their versions (G8.8).
    @inline(__always)
    private mutating func assign(
        purchasedAt: Timestamp, isOfRestore: Bool, _ version: VersionID, _ all: inout Versions
    ) {
        if versions.has(.purchasedAt), marks.contains(.isDatedByRestore) != isOfRestore {
            if isOfRestore { return }
            setVersion(version, .purchasedAt, over: self.version(of: .purchasedAt), &all)
        } else if !adopts(.purchasedAt, version, &all) {
            return
        }
        storedPurchasedAt = purchasedAt
        if isOfRestore {
            marks.insert(.isDatedByRestore)
        } else {
            marks.remove(.isDatedByRestore)
        }
    }
}
