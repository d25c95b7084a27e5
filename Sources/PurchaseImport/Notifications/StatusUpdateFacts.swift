import PurchaseEvents

/// The facts that a version 1 notification states, in log order: its rows, cancellations, the facts
/// of its type, and pending renewals.
struct StatusUpdateFacts {
    private let notification: StatusUpdateNotification
    private var facts: [StatedFact] = []
    private var seen: Set<Fact<Written>> = []

    static func stated(by notification: StatusUpdateNotification) -> [StatedFact] {
        var mapping = StatusUpdateFacts(notification: notification)
        mapping.stateRows()
        mapping.stateType()
        mapping.statePending()
        return mapping.facts
    }

    private init(notification: StatusUpdateNotification) { self.notification = notification }

    private var rows: AppStoreRows { notification.rows }

    /// Adds a fact that carries its own date, if the row states it.
    private mutating func state(_ fact: Fact<Written>?, of row: AppStoreRow) {
        guard let fact, seen.insert(fact).inserted else { return }
        facts.append(StatedFact(fact: fact, account: row.account))
    }

    /// Adds an undated fact about a subscription, signed at the notification's earliest possible
    /// time: else the recording time would order the facts, and the bytes those of one time.
    private mutating func state(
        _ fact: Fact<Written>, ofLine line: String, signedAt: Timestamp? = nil,
        endsOpenChange: Bool = false
    ) {
        guard seen.insert(fact).inserted else { return }
        let signedAt = signedAt ?? notification.dates.earliestStatement
        facts.append(
            StatedFact(
                fact: fact, account: rows.account(of: line), signedAt: signedAt,
                endsOpenChange: endsOpenChange))
    }

    private func miss(_ expected: String) {
        notification.record.remark(
            .warning, "notification_type",
            "`\(notification.kind?.rawValue ?? "unknown")`: expected \(expected), seen none; "
                + "ignored the type")
    }

    private mutating func stateRows() {
        for row in rows.all { state(row.listed(), of: row) }
        for row in rows.all { state(row.cancellation(isRevoked: isRevoked(row)), of: row) }
    }

    /// Whether a row's cancellation ends family sharing: Apple sends family members `REVOKE`, and
    /// the purchaser `REFUND`.
    private func isRevoked(_ row: AppStoreRow) -> Bool {
        notification.kind == .revocation && row.ownership == nil
            && (notification.line == nil || row.line == notification.line)
    }

    private mutating func stateType() {
        switch notification.kind {
        case .initialBuy: statePeriod { row, _ in row.started(isResubscription: nil) }
        case .automaticRenewal: statePeriod { row, _ in row.renewed(isRecovered: nil) }
        case .recovery: statePeriod { row, _ in row.renewed(isRecovered: true) }
        // An old type for the renewal of an expired subscription.
        case .renewal:
            statePeriod { row, previous in
                row.renewed(
                    isRecovered: previous.map(row.comesAfterLapse(since:)) == true ? true : nil)
            }
        case .interactiveRenewal: stateInteractiveRenewal()
        case .changeOfPlan: stateChangeOfPlan()
        case .changeOfRenewalStatus:
            if let own = ownPending(), own.autoRenews == nil { miss("`auto_renew_status`") }
        case .failureToRenew:
            if let own = ownPending() { state(own.failure, ofLine: own.original) }
        case .priceIncreaseConsent: statePriceIncrease()
        case .cancel, .refund, .revocation: stateCancellation()
        case .consumptionRequest: stateConsumptionRequest()
        case nil:
            notification.record.remark(
                .note, "notification_type",
                "unknown type `\(EscapedText.excerpt(of: notification.name))`: recorded it under "
                    + "this name, and mapped its rows and pending renewals")
        }
    }

    // MARK: Facts about a period

    /// The newest period of the subscription and the period before it; warns if there is none.
    private func newestPeriod() -> (row: AppStoreRow, previous: AppStoreRow?)? {
        guard let line = notification.line, let row = rows.newest(of: line) else {
            miss("a row of its line with an expiration date")
            return nil
        }
        let previous = rows.all.last { other in
            other.line == line && other.expiresAt != nil && other.purchasedAt < row.purchasedAt
        }
        return (row, previous)
    }

    private mutating func statePeriod(
        as fact: (_ row: AppStoreRow, _ previous: AppStoreRow?) -> Fact<Written>?
    ) {
        guard let (row, previous) = newestPeriod() else { return }
        state(fact(row, previous), of: row)
    }

    /// Adds the facts of a renewal that the user made; the previous period tells whether it is a
    /// return after a lapse, an upgrade, or a renewal in time.
    private mutating func stateInteractiveRenewal() {
        guard let (row, previous) = newestPeriod() else { return }
        guard let previous else {
            let isOriginal = row.transaction == row.line
            return state(row.started(isResubscription: isOriginal ? nil : true), of: row)
        }
        if row.comesAfterLapse(since: previous) || previous.isCancelled {
            return state(row.started(isResubscription: true), of: row)
        }
        // A change of plan within a period takes effect at once: it is an upgrade (G6.5).
        if previous.product != row.product, previous.expiresAt != row.purchasedAt {
            let change = RenewalPlanChanged<Written>(
                original: TransactionID(row.line), product: ProductID(previous.product),
                next: ProductID(row.product), effect: .now)
            // Signed at the time of the purchase, before any statement about the next renewal.
            state(.renewalPlanChanged(change), ofLine: row.line, signedAt: row.purchasedAt)
        }
        state(row.renewed(isRecovered: nil), of: row)
    }

    // MARK: Facts about a subscription

    /// The pending renewal of the notification's subscription; warns if there is none.
    private func ownPending() -> PendingRenewal? {
        let own = notification.pending.first { $0.original == notification.line }
        if own == nil { miss("`original_transaction_id` or rows of one line") }
        return own
    }

    private mutating func stateChangeOfPlan() {
        guard let own = ownPending() else { return }
        // If the next plan is the current one, the user cancelled a change of plan.
        guard let next = own.nextProduct else { return miss("`auto_renew_product_id`") }
        state(own.planChange(to: next), ofLine: own.original)
    }

    private mutating func statePriceIncrease() {
        guard let own = ownPending() else { return }
        state(own.priceIncrease(own.consent ?? .pending), ofLine: own.original)
    }

    private mutating func statePending() {
        for pending in notification.pending {
            for fact in pending.facts(rows: notification.settledRows, statedAt: nil) {
                state(fact, ofLine: pending.original)
            }
        }
        for pending in notification.pending {
            guard let kept = pending.keptPlan else { continue }
            state(kept, ofLine: pending.original, endsOpenChange: true)
        }
    }

    // MARK: Cancellations

    private mutating func stateCancellation() {
        let own = rows.all.filter { notification.line == nil || $0.line == notification.line }
        guard let cancelledAt = notification.cancelledAt else {
            let isTold = own.contains(where: tellsCancellation)
            return isTold ? () : miss("a row with a cancellation date")
        }
        guard let row = notification.cancelled else {
            let isTold = own.contains { $0.cancelledAt == cancelledAt }
            return isTold ? () : miss("the row of the transaction that was cancelled")
        }
        state(row.cancellation(isRevoked: isRevoked(row)), of: row)
    }

    /// Whether a row states the cancellation that the type announces; Apple once sent `CANCEL` for
    /// upgrades too.
    private func tellsCancellation(_ row: AppStoreRow) -> Bool {
        notification.kind == .cancel ? row.cancelledAt != nil : row.isCancelled
    }

    private mutating func stateConsumptionRequest() {
        let own = rows.all.filter { $0.line == notification.line }
        let row = own.count == 1 ? own.first : own.first { $0.transaction == notification.line }
        // A consumable is its own original, so the original identifies the transaction.
        guard let line = notification.line, let transaction = row?.transaction ?? notification.line
        else { return miss("the transaction that it is about") }
        state(.cancellationRequested(transaction: TransactionID(transaction)), ofLine: line)
    }
}

extension AppStoreRow {
    /// Whether this period begins after a gap since an earlier period (G6.2).
    fileprivate func comesAfterLapse(since previous: AppStoreRow) -> Bool {
        previous.expiresAt.map { $0 < purchasedAt } ?? false
    }
}
