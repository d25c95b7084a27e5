import PurchaseEvents

/// The facts that a version 2 notification states, in log order: its transaction, the facts of its
/// type, and those that only its renewal info states.
struct ServerNotificationFacts {
    private let notification: ServerNotification
    /// The subtype, if the type is known to have it.
    private let subtype: NotificationSubtype?
    private var facts: [StatedFact] = []
    /// The parts of the renewal info that the facts of the type already cover.
    private var coveredParts: Set<RenewalStatement.Part> = []
    /// Whether the facts of the type state the transaction, and its refund or revocation.
    private var (statesTransaction, statesCancellation) = (false, false)

    static func stated(by notification: ServerNotification) -> [StatedFact] {
        var mapping = ServerNotificationFacts(notification)
        mapping.remarkUnknownSubtype()
        mapping.stateType()
        mapping.stateTransaction()
        mapping.stateRenewal()
        mapping.markWithoutRefund()
        return mapping.facts
    }

    /// Marks the statement of a transaction without a refund, unless the notification is about one.
    private mutating func markWithoutRefund() {
        guard !statesCancellation, let transaction = notification.transaction,
            transaction.showsNoRefund,
            let place = facts.firstIndex(where: {
                [.receiptListed, .renewalStarted, .renewalRenewed].contains($0.fact.type)
            })
        else { return }
        facts[place].showsNoRefund = true
    }

    private init(_ notification: ServerNotification) {
        self.notification = notification
        subtype = notification.subtype.flatMap { notification.kind?.subtype(named: $0) }
    }

    private var hasUnknownSubtype: Bool { notification.subtype != nil && subtype == nil }

    private func remarkUnknownSubtype() {
        guard hasUnknownSubtype, notification.kind != nil, let name = notification.subtype else {
            return
        }
        notification.opened.record.remark(
            .note, "subtype",
            "unknown subtype `\(EscapedText.excerpt(of: name))` of "
                + "`\(EscapedText.escape(notification.name))`: recorded it, and mapped the type "
                + "and the signed records without it")
    }

    private var signedAt: Timestamp? { notification.opened.signedAt }

    /// Adds a fact of the type; if the fact is `nil`, warns about what is missing.
    private mutating func state(_ fact: Fact<Written>?, or missing: String) {
        guard let fact else { return miss(missing) }
        facts.append(StatedFact(fact: fact, account: notification.account, signedAt: signedAt))
    }

    private func miss(_ expected: String) {
        let type = EscapedText.escape(notification.name)
        notification.opened.record.remark(
            .warning, "notificationType",
            "`\(type)`: expected \(expected), seen no valid one; ignored the type"
        )
    }

    private mutating func stateType() {
        switch notification.kind {
        case .subscribed: stateStart(isResubscription: subtype == .resubscribe ? true : nil)
        case .renewed:
            let isRecovered: Bool? = subtype == .billingRecovery ? true : nil
            statePeriod { $0.renewed(isRecovered: isRecovered) }
        case .planChanged: statePlanChange()
        case .renewalStatusChanged: stateRenewalStatus()
        case .offerRedeemed:
            stateListed()
            // Without a subtype, the plan is kept only if the renewal info says so.
            if subtype != nil || notification.renewal?.keptPlan != nil { statePlanChange() }
        case .expired: stateExpiry()
        case .failedToRenew: stateFailure()
        case .graceExpired:
            state(
                line.map { .renewalGraceExpired(original: TransactionID($0)) },
                or: "a signed record that names the line")
        case .priceIncrease: statePriceIncrease()
        case .refund, .refundReversed, .refundDeclined, .consumptionRequest, .revoked: stateRefund()
        case .oneTimeCharge: stateListed()
        case .renewalExtended: stateExtension()
        case .renewalExtension, .externalPurchaseToken, .metadataUpdate, .migration, .priceChange,
            .consentRescinded, .test:
            break
        case nil: stateUnknown()
        }
    }

    /// The original transaction of the subscription that the notification is about.
    private var line: String? {
        notification.transaction?.row.line ?? notification.renewal?.pending.original
    }

    // MARK: Facts about a transaction

    private let missingTransaction = "a signed transaction"

    /// Adds the transaction's `receipt.listed`, which is the same statement in every source.
    private mutating func stateListed() {
        guard let transaction = notification.transaction else { return miss(missingTransaction) }
        facts.append(transaction.statement.stated(transaction.row.listed(), number: 1))
        statesTransaction = true
    }

    /// Adds what the signed transaction states, unless the facts of the type state the same and
    /// more: a signed record is true whatever the type of its notification.
    private mutating func stateTransaction() {
        guard let transaction = notification.transaction else { return }
        if !statesTransaction {
            facts.insert(transaction.statement.stated(transaction.row.listed(), number: 1), at: 0)
        }
        if !statesCancellation, let cancellation = transaction.cancelled() {
            facts.append(transaction.statement.stated(cancellation, number: 2))
        }
    }

    private mutating func statePeriod(_ fact: (AppStoreRow) -> Fact<Written>?) {
        guard let transaction = notification.transaction else { return miss(missingTransaction) }
        let fact = fact(transaction.row)
        state(fact, or: "`expiresDate` of the transaction")
        // A renewal event has no place for a seat, a quantity or a cancellation.
        if fact != nil, !transaction.saysMoreThanAPeriod { statesTransaction = true }
    }

    private mutating func stateStart(isResubscription: Bool?) {
        statePeriod { $0.started(isResubscription: isResubscription) }
    }

    /// Adds the transaction's `receipt.listed` without the refund that the App Store took back.
    ///
    /// The transaction may still carry its `revocationDate` when the reversal is sent. The row is a
    /// statement of the notification: other sources state the transaction with its cancellation.
    private mutating func stateReinstated(_ transaction: SignedTransaction) {
        guard transaction.row.isCancelled else { return stateListed() }
        var row = transaction.row
        row.cancelledAt = nil
        let statement = transaction.statement
        facts.append(
            StatedFact(
                fact: row.listed(), account: statement.account, signedAt: statement.signedAt))
        statesTransaction = true
        notification.opened.record.remark(
            .note, "notificationType",
            "the transaction still has its `revocationDate`: left it out, because the refund was "
                + "reversed")
    }

    private mutating func stateRefund() {
        let revocationDate = "`revocationDate` of the transaction"
        guard let transaction = notification.transaction else { return miss(missingTransaction) }
        if notification.kind == .refundReversed {
            stateReinstated(transaction)
        } else {
            stateListed()
        }
        let id = TransactionID<Written>(transaction.row.transaction)
        // After a reversal, the transaction is no longer refunded.
        statesCancellation =
            notification.kind == .refund || notification.kind == .revoked
            || notification.kind == .refundReversed
        switch notification.kind {
        case .refund: state(transaction.refunded(), or: revocationDate)
        case .revoked: state(transaction.revoked(), or: revocationDate)
        case .refundReversed: state(.cancellationReversed(transaction: id), or: "")
        case .refundDeclined: state(.cancellationDeclined(transaction: id), or: "")
        case .consumptionRequest: state(.cancellationRequested(transaction: id), or: "")
        case _: break
        }
    }

    private mutating func stateExtension() {
        guard let transaction = notification.transaction else { return miss(missingTransaction) }
        let fact = transaction.row.expiresAt.map { end in
            Fact<Written>.renewalExtended(
                RenewalExtended(
                    original: TransactionID(transaction.row.line),
                    transaction: TransactionID(transaction.row.transaction), expiresAt: end))
        }
        state(fact, or: "`expiresDate` of the transaction")
    }

    private func stateUnknown() {
        notification.opened.record.remark(
            .note, "notificationType",
            "unknown type `\(EscapedText.excerpt(of: notification.name))`: recorded it under this "
                + "name, and mapped its signed records")
    }

    // MARK: Facts about a subscription

    private let missingRenewal = "a signed renewal info"

    /// Adds the change of plan that the subtype says; with an unknown subtype, the renewal info
    /// alone says what comes next.
    private mutating func statePlanChange() {
        guard !hasUnknownSubtype else { return }
        let product = notification.transaction?.row.product
        let pending = notification.renewal?.pending
        coveredParts.insert(.plan)
        switch subtype {
        case .upgrade:
            guard let transaction = notification.transaction else {
                return miss(missingTransaction)
            }
            stateStart(isResubscription: nil)
            let change = RenewalPlanChanged<Written>(
                original: TransactionID(transaction.row.line),
                next: ProductID(transaction.row.product), effect: .now)
            state(.renewalPlanChanged(change), or: "")
            // The renewal info may still name another plan for the next renewal.
            coveredParts.remove(.plan)
        case .downgrade:
            let next = pending?.nextProduct
            state(next.flatMap { pending?.planChange(to: $0) }, or: missingRenewal)
        case _:
            // The user cancelled a change of plan, so the next plan is the current one.
            let present = pending?.product ?? product
            let change = present.flatMap { present in
                line.map { PendingRenewal(original: $0, product: present).planChange(to: present) }
            }
            state(change, or: "a signed record that names a product")
        }
    }

    /// Adds whether the subscription renews, as its renewal info says.
    ///
    /// Without a renewal info, the subtype says so. Under a monthly plan, the subtype is about the
    /// renewal of the commitment: the billing periods go on.
    private mutating func stateRenewalStatus() {
        let byName: Bool? = subtype.flatMap {
            [.renewalEnabled: true, .renewalDisabled: false][$0]
        }
        let stated = notification.renewal?.pending.autoRenews
        // The renewal info names the plan of the next period, which may be another.
        let plan = notification.transaction?.row.terms.plan
        let isMonthly = plan.map { $0 == .monthly } ?? (notification.renewal?.isMonthly == true)
        let commitment: Bool? = stated == nil && isMonthly ? true : nil
        func renewal(_ isOn: Bool?, commitment: Bool?) -> Fact<Written>? {
            guard let line, let isOn else { return nil }
            return PendingRenewal(original: line).autoRenewal(isOn: isOn, commitment: commitment)
        }
        coveredParts.insert(commitment == true ? .commitment : .autoRenewal)
        state(renewal(stated ?? byName, commitment: commitment), or: missingRenewal)
        guard let stated, let byName else { return }
        if isMonthly, notification.renewal?.renewsCommitment == nil {
            state(renewal(byName, commitment: true), or: missingRenewal)
        } else if !isMonthly, stated != byName {
            notification.opened.record.remark(
                .note, "subtype",
                "the renewal info says that the renewal is \(stated ? "on" : "off"): recorded that")
        }
    }

    /// Adds the expiry for the reason that the subtype says; with an unknown subtype, for the
    /// reason of the renewal info.
    private mutating func stateExpiry() {
        let reasons: [NotificationSubtype: ExpirationReason] = [
            .voluntary: .cancelled, .billingRetry: .billing, .priceIncrease: .priceIncrease,
            .productNotForSale: .unavailable,
        ]
        let row = notification.transaction?.row
        let pending = notification.renewal?.pending
        let product = row?.product ?? pending?.product
        coveredParts.insert(.expiry)
        let fact = line.map { line in
            let reason = hasUnknownSubtype ? pending?.expired : subtype.flatMap { reasons[$0] }
            return PendingRenewal(original: line, product: product, expired: reason)
                .expiry(end: row?.expiresAt)
        }
        state(fact, or: "a signed record that names the line")
    }

    private mutating func stateFailure() {
        coveredParts.insert(.failure)
        guard let line else { return miss("a signed record that names the line") }
        let pending = notification.renewal?.pending
        let product = pending?.product ?? notification.transaction?.row.product
        let failed = PendingRenewal(
            original: line, product: product, isRetrying: pending?.isRetrying ?? true,
            graceExpiresAt: pending?.graceExpiresAt)
        state(failed.failure, or: "")
        if subtype == .gracePeriod, pending?.graceExpiresAt == nil {
            miss("`gracePeriodExpiresDate` of the renewal info")
        }
    }

    private mutating func statePriceIncrease() {
        coveredParts.insert(.price)
        let consents: [NotificationSubtype: PriceConsent] = [
            .pending: .pending, .accepted: .agreed,
        ]
        let consent = subtype.flatMap { consents[$0] } ?? notification.renewal?.pending.consent
        let fact = line.flatMap { line in
            consent.map { PendingRenewal(original: line).priceIncrease($0) }
        }
        state(fact, or: missingRenewal)
    }

    /// Adds the facts of the renewal info that the type doesn't cover.
    private mutating func stateRenewal() {
        guard let renewal = notification.renewal else { return }
        let end = notification.transaction?.row.expiresAt
        for (index, one) in renewal.statements(notification.status, end: end).enumerated()
        where !coveredParts.contains(one.part) {
            facts.append(renewal.statement.stated(one.fact, number: index + 1))
        }
        if !coveredParts.contains(.plan), let kept = renewal.keptPlan { facts.append(kept) }
    }
}
