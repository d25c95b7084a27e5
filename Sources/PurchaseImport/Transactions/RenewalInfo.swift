import PurchaseEvents

/// A signed renewal info: the payload of a `JWSRenewalInfo`, about the next renewal of one
/// subscription (importing.md, 3).
struct RenewalInfo {
    /// The statement about the next renewal, in the form shared by all sources.
    let pending: PendingRenewal
    /// Whether the commitment of a monthly plan renews, if stated.
    let renewsCommitment: Bool?
    /// Whether the next period is billed by a monthly plan.
    let isMonthly: Bool
    let statement: SignedStatement
    fileprivate let record: RecordReader
}

/// The status of a subscription in a notification or on a status page.
enum SubscriptionStatus: Int64 {
    case active = 1, expired, retry, grace, revoked

    /// Whether the period is over and the store no longer tries to renew it.
    var isOver: Bool { self == .expired || self == .revoked }

    static let numbers: [String: SubscriptionStatus] = [
        "1": .active, "2": .expired, "3": .retry, "4": .grace, "5": .revoked,
    ]
}

extension RenewalInfo {
    /// Returns `nil`, with a remark, for a payload without an original transaction or of another
    /// app.
    init?(_ opened: OpenedRecord, _ context: ReadContext) {
        let record = opened.record
        self.record = record
        guard opened.signature != .invalid, context.accepts(record) else { return nil }
        guard let original = record.name("originalTransactionId") else {
            record.remark(
                .error, nil,
                "expected `originalTransactionId`, seen none; skipped the renewal info")
            return nil
        }
        pending = PendingRenewal(signed: record, original: original)
        let account = AccountKey.account(of: record, context.options.account ?? .token)
        isMonthly = record.text("renewalBillingPlanType")?.uppercased() == "MONTHLY"
        let commitment = record.record("commitmentInfo")
        renewsCommitment = commitment?.number(
            "commitmentAutoRenewStatus", ["0": false, "1": true], "0 or 1")
        commitment?.countUnplaced(of: "renewal infos", RenewalInfo.unplacedOfCommitment)
        commitment?.remarkUnknownKeys(
            of: "commitment of a renewal info",
            known: RenewalInfo.unplacedOfCommitment.union(["commitmentAutoRenewStatus"]))
        statement = SignedStatement(opened, about: "ri:\(original)", account: account)
        record.countUnplaced(of: "renewal infos", RenewalInfo.unplaced)
        record.remarkUnknownKeys(of: "renewal info", known: RenewalInfo.known)
    }

    private static let mapped: Set<String> = [
        "expirationIntent", "originalTransactionId", "autoRenewProductId", "productId",
        "autoRenewStatus", "isInBillingRetryPeriod", "priceIncreaseStatus",
        "gracePeriodExpiresDate", "signedDate", "environment", "appAccountToken", "bundleId",
        "appTransactionId", "commitmentInfo",
    ]

    private static let unplaced: Set<String> = [
        "offerType", "offerIdentifier", "recentSubscriptionStartDate", "renewalDate", "currency",
        "renewalPrice", "offerDiscountType", "eligibleWinBackOfferIds", "offerPeriod",
        "advancedCommerceInfo", "deviceVerification", "deviceVerificationNonce", "willUnbundle",
        "renewalBillingPlanType",
    ]

    private static let unplacedOfCommitment: Set<String> = [
        "commitmentAutoRenewProductId", "commitmentRenewalBillingPlanType",
        "commitmentRenewalDate", "commitmentRenewalPrice",
    ]

    private static let known = mapped.union(unplaced)
}

extension PendingRenewal {
    fileprivate init(signed record: RecordReader, original: String) {
        self.original = original
        product = record.name("productId")
        nextProduct = record.name("autoRenewProductId")
        autoRenews = record.number("autoRenewStatus", ["0": false, "1": true], "0 or 1")
        isRetrying = record.flag("isInBillingRetryPeriod")
        graceExpiresAt = record.date("gracePeriodExpiresDate")
        consent = record.number("priceIncreaseStatus", ["0": .pending, "1": .agreed], "0 or 1")
        expired = record.expiration("expirationIntent")
    }
}

extension RenewalInfo {
    /// The facts of the renewal info, given the status of its subscription and the end of its
    /// latest period. If `statusDecides`, as outside a notification, the status alone states a
    /// failure or an expiry that the renewal info leaves open.
    func statements(
        _ status: SubscriptionStatus?, end: Timestamp?, statusDecides: Bool = false
    ) -> [RenewalStatement] {
        var pending = pending
        if statusDecides, status == .retry || status == .grace {
            pending.isRetrying = pending.isRetrying ?? true
        }
        return pending.statements(
            renewsCommitment: renewsCommitment,
            isExpired: statusDecides && status == .expired || hasExpired(status, end: end),
            end: end)
    }

    /// Whether the subscription has expired for the stated reason, by its status or, without a
    /// status, by its end.
    private func hasExpired(_ status: SubscriptionStatus?, end: Timestamp?) -> Bool {
        guard pending.expired != nil else { return false }
        if let status { return status.isOver }
        // While the store retries, the reason is that of a failed renewal, not of an expiry.
        guard pending.isRetrying != true, let end, let signedAt = statement.signedAt else {
            return false
        }
        return end <= signedAt
    }

    /// The statements of the renewal info, alone or with its status on a page.
    func source(
        status: SubscriptionStatus? = nil, end: Timestamp? = nil, app: String? = nil
    ) -> StatedSource {
        let statements = statements(status, end: end, statusDecides: true)
        if pending.expired != nil, !statements.contains(where: { $0.part == .expiry }) {
            record.remarks.count(
                unplaced: "expirationIntent of a subscription that may still be running",
                in: "renewal infos")
        }
        var source = statement.source(
            statements.map(\.fact), app: app, date: statement.signedAt)
        if let keptPlan { source.facts.append(keptPlan) }
        return source
    }

    /// The statement that the line renews with its present plan, in every source the same.
    var keptPlan: StatedFact? {
        pending.keptPlan.map { fact in
            // The numbers from 1 are those of the statements that every log records.
            var stated = statement.stated(fact, number: 0)
            stated.endsOpenChange = true
            return stated
        }
    }
}
