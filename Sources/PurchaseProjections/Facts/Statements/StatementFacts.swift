import PurchaseEvents

/// The fields of one App Store statement about one transaction, in one form for all event types.
fileprivate struct StatedFields {
    var transaction: TransactionHandle
    var original: TransactionHandle?
    var product: ProductHandle
    var kind: ProductKind?
    var group: GroupHandle?
    var quantity: Int64?
    var purchasedAt: Timestamp
    var originalPurchasedAt: Timestamp?
    var expiresAt: Timestamp?
    var cancelledAt: Timestamp?
    var upgraded: Bool?
    var ownership: Ownership?
    var price: Int64?
    var currency: Currency?
    var payment: PaymentHandle?
    var terms = BillingTerms()
    /// Whether the purchase date is the date of a restore (G8.8).
    var isRestore = false

    init?(_ fact: Fact<Interned>) {
        if case .queuePurchased(let payload) = fact {
            (transaction, original, product) = (
                payload.transaction, payload.original, payload.product
            )
            (quantity, purchasedAt, expiresAt) = (
                payload.quantity, payload.purchasedAt, payload.expiresAt
            )
            (originalPurchasedAt, ownership) = (payload.originalPurchasedAt, payload.ownership)
            (price, currency, payment) = (payload.price, payload.currency, payload.payment)
            terms = payload.terms
        } else if case .queueRestored(let payload) = fact {
            isRestore = true
            (transaction, original, product) = (
                payload.transaction, payload.original, payload.product
            )
            (quantity, purchasedAt, expiresAt) = (
                payload.quantity, payload.purchasedAt, payload.expiresAt
            )
            (originalPurchasedAt, ownership) = (payload.originalPurchasedAt, payload.ownership)
        } else if case .receiptListed(let payload) = fact {
            (transaction, original, product) = (
                payload.transaction, payload.original, payload.product
            )
            (quantity, purchasedAt, expiresAt) = (
                payload.quantity, payload.purchasedAt, payload.expiresAt
            )
            (originalPurchasedAt, ownership) = (payload.originalPurchasedAt, payload.ownership)
            (price, currency, kind, group) = (
                payload.price, payload.currency, payload.kind, payload.group
            )
            (cancelledAt, upgraded, terms) = (payload.cancelledAt, payload.upgraded, payload.terms)
        } else if case .renewalStarted(let payload) = fact {
            (transaction, original, product) = (
                payload.transaction, payload.original, payload.product
            )
            (purchasedAt, expiresAt) = (payload.purchasedAt, payload.expiresAt)
            (price, currency, group) = (payload.price, payload.currency, payload.group)
            (kind, terms) = (.autoRenewable, payload.terms)
        } else if case .renewalRenewed(let payload) = fact {
            (transaction, original, product) = (
                payload.transaction, payload.original, payload.product
            )
            (purchasedAt, expiresAt) = (payload.purchasedAt, payload.expiresAt)
            (price, currency, group) = (payload.price, payload.currency, payload.group)
            (kind, terms) = (.autoRenewable, payload.terms)
        } else {
            return nil
        }
    }
}

extension Facts {
    mutating func observeStatement(_ event: LogEvent, on line: Line) {
        guard let stated = StatedFields(event.fact) else { return }
        let index = touch(stated.transaction)
        if let original = stated.original { touch(original) }
        let time = event.signedAt ?? stated.cancelledAt ?? stated.purchasedAt
        noteStated(time, of: event.account)
        let environment = environment(of: event)
        let version = versions.add(event, time: time, in: environment, on: line)
        learn(stated.product, kind: stated.kind, group: stated.group, version)
        // A restore states dates of its own (G8.8).
        record.pointee.disagreement =
            stated.isRestore
            ? nil
            : disagreement(
                stated.transaction,
                Disagreement.Values(
                    purchasedAt: stated.purchasedAt, expiresAt: stated.expiresAt, kind: stated.kind,
                    isEnded: stated.upgraded == true || stated.cancelledAt != nil),
                in: environment, version)
        if environment == .xcode {
            noteReuse(of: stated.transaction, for: stated.product, by: event)
        }
        if stated.expiresAt != nil, !products[stated.product.index].hasEnds {
            products[stated.product.index].hasEnds = true
        }
        let isNewInProduction =
            environment == .production && !transactions[index].isStatedInProduction
        let start = transactions[index].purchasedAt
        let wasOnlyRestored = transactions[index].isOnlyRestored
        var originalBefore = transactions[index].take(
            stated, of: event, in: environment, version, &versions, line.number)
        if isNewInProduction, enterProduction(stated.transaction) { originalBefore = nil }
        if let payment = stated.payment {
            touchPayment(payment, of: stated.transaction, event, line.number)
        }
        if event.type == .queueRestored {
            let original = original(of: stated.transaction)
            transactions[original.index].rare.restoredAs = stated.transaction
        }
        if event.type == .queuePurchased || event.type == .queueRestored {
            present(stated.transaction, event)
        }
        joinSubscription(stated.transaction, from: start, line.number)
        recordOriginal(stated.transaction, unless: originalBefore)
        // What a restore named counts once another statement attests the transaction.
        if event.account != nil || isNewInProduction || wasOnlyRestored {
            nameOwner(by: stated.transaction)
        }
        if stated.group != nil || isNewInProduction { nameGroup(by: stated.transaction) }
        if event.type == .renewalStarted || event.type == .renewalRenewed {
            let index = subscriptionIndex(of: stated.original ?? stated.transaction, line.number)
            subscriptions[index].change(in: environment) {
                $0.retry.assign(.renewed, version, &versions)
                $0.recordRenewal(at: min(time, stated.purchasedAt))
            }
        }
        versions.discard(version)
        listFamily(of: stated.transaction)
    }

    mutating func observeCancellation(_ event: LogEvent, on line: Line) {
        guard let transaction = event.transaction else { return }
        let index = touch(transaction)
        let state: RefundState
        let time: Timestamp
        var original: TransactionHandle?
        var kind: Refund.Kind?
        var percent: Int64?
        if event.type == .cancellationRefunded, case .cancellationRefunded(let payload) = event.fact
        {
            state = .taken(cancelledAt: payload.cancelledAt)
            time = event.signedAt ?? payload.cancelledAt
            (original, kind, percent) = (payload.original, .refunded, payload.percent)
        } else if event.type == .cancellationRevoked,
            case .cancellationRevoked(let payload) = event.fact
        {
            state = .taken(cancelledAt: payload.cancelledAt)
            time = event.signedAt ?? payload.cancelledAt
            (original, kind) = (payload.original, .revoked)
        } else if event.type == .cancellationReversed {
            // A refund after a reversal is a full refund unless it states a share again.
            (state, time, percent) = (.reversed, event.signedAt ?? event.at, Refund.whole)
        } else {
            return
        }
        noteStated(time)
        let environment = environment(of: event)
        let version = versions.add(event, time: time, in: environment, on: line)
        let before = (transactions[index].original, transactions[index].account)
        if let original { touch(original) }
        if let account = event.account {
            transactions[index].assignEarliest(cancellationAccount: account, version, &versions)
        }
        if transactions[index].accepts(environment) {
            transactions[index].assign(
                original: original == transaction ? nil : original, version, &versions)
            transactions[index].assign(refundKind: kind, percent: percent, version, &versions)
            transactions[index].assign(refund: state, version, &versions, line.number)
        }
        joinSubscription(transaction, line.number)
        if event.account != nil { nameOwner(by: transaction) }
        recordOriginal(transaction, unless: before.0)
        versions.discard(version)
        listFamily(of: transaction, isMoved: transactions[index].account != before.1)
    }
}

extension TransactionFacts {
    /// Records an event's statement, and returns the original known before.
    fileprivate mutating func take(
        _ stated: StatedFields, of event: LogEvent, in environment: Environment,
        _ version: VersionID, _ versions: inout Versions, _ line: LineNumber
    ) -> TransactionHandle? {
        let before = original
        note(environment, &versions, line)
        if accepts(environment) { assign(stated, version, &versions, line) }
        assignEarliest(account: event.account, version, &versions)
        state(event.type, at: event.at, line)
        return before
    }

    fileprivate mutating func assign(
        _ stated: StatedFields, _ version: VersionID, _ versions: inout Versions, _ line: LineNumber
    ) {
        if adopts(.product, version, &versions) { storedProduct = stated.product }
        assign(
            original: stated.original == stated.transaction ? nil : stated.original, version,
            &versions)
        assign(quantity: stated.quantity, version, &versions)
        assign(purchasedAt: stated.purchasedAt, isOfRestore: stated.isRestore, version, &versions)
        if let at = stated.originalPurchasedAt, adopts(.originalPurchasedAt, version, &versions) {
            storedOriginalPurchasedAt = at
        }
        assign(expiresAt: stated.expiresAt, version, &versions)
        assign(ownership: stated.ownership, version, &versions)
        assign(stated.terms, version, &versions)
        assign(isUpgraded: stated.upgraded, version, &versions)
        if let kind = stated.kind, adopts(.kind, version, &versions) { storedKind = kind }
        if let group = stated.group, adopts(.group, version, &versions) { storedGroup = group }
        assign(price: stated.price, stated.currency, version, &versions)
        if let cancelledAt = stated.cancelledAt {
            assign(refund: .taken(cancelledAt: cancelledAt), version, &versions, line)
        }
    }

    /// Assigns the purchase date.
    ///
    /// A restore states its own date, so the date in any other statement wins over a restore's,
    /// whatever their versions (G8.8).
    @inline(__always)
    private mutating func assign(
        purchasedAt: Timestamp, isOfRestore: Bool, _ version: VersionID, _ all: inout Versions
    ) {
        if versions.has(.purchasedAt), flags.contains(.isDatedByRestore) != isOfRestore {
            if isOfRestore { return }
            setVersion(version, .purchasedAt, over: self.version(of: .purchasedAt), &all)
        } else if !adopts(.purchasedAt, version, &all) {
            return
        }
        storedPurchasedAt = purchasedAt
        if isOfRestore {
            flags.insert(.isDatedByRestore)
        } else {
            flags.remove(.isDatedByRestore)
        }
    }
}
