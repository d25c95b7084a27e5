import PurchaseEvents

/// What the App Store signed of the next renewal of one line: the payload of a `JWSRenewalInfo`
/// (importing.md, 3).
struct RenewalInfo {
    /// What every source says of the next renewal.
    let pending: PendingRenewal
    let account: String?
    let environment: Environment?
    let signedAt: Timestamp?
    let place: ImportPlace
    /// What names this statement, and no other one.
    let statement: String
    /// The payload, for remarks.
    fileprivate let record: RecordReader
}

/// Where a subscription stands, as a notification or a status page says it.
enum SubscriptionStatus: Int64 {
    case active = 1, expired, retry, grace, revoked

    /// Whether the line's period is over and the store doesn't try to renew it any more.
    var isOver: Bool { self == .expired || self == .revoked }

    /// The statuses by their numbers.
    static let numbers: [String: SubscriptionStatus] = [
        "1": .active, "2": .expired, "3": .retry, "4": .grace, "5": .revoked,
    ]
}

extension RenewalInfo {
    /// Reads a payload; `nil`, with a remark, where it names no line, or is of another app.
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
        account = record.name("appAccountToken")?.lowercased()
        environment = opened.environment
        signedAt = opened.signedAt
        place = opened.place
        statement = opened.statement(prefix: "ri", of: original)
        record.countUnplaced(of: "renewal infos", RenewalInfo.unplaced)
        record.remarkUnknownKeys(of: "renewal info", known: RenewalInfo.known)
    }

    private static let mapped: Set<String> = [
        "expirationIntent", "originalTransactionId", "autoRenewProductId", "productId",
        "autoRenewStatus", "isInBillingRetryPeriod", "priceIncreaseStatus",
        "gracePeriodExpiresDate", "signedDate", "environment", "appAccountToken", "bundleId",
    ]

    private static let unplaced: Set<String> = [
        "offerType", "offerIdentifier", "recentSubscriptionStartDate", "renewalDate", "currency",
        "renewalPrice", "offerDiscountType", "eligibleWinBackOfferIds", "appTransactionId",
        "offerPeriod", "advancedCommerceInfo", "commitmentInfo", "renewalBillingPlanType",
        "deviceVerification", "deviceVerificationNonce",
    ]

    private static let known = mapped.union(unplaced)
}

extension PendingRenewal {
    /// Reads what a signed renewal info says.
    fileprivate init(signed record: RecordReader, original: String) {
        self.original = original
        product = record.name("productId")
        nextProduct = record.name("autoRenewProductId")
        autoRenews = record.number("autoRenewStatus", ["0": false, "1": true], "0 or 1")
        isRetrying = record.flag("isInBillingRetryPeriod")
        graceExpiresAt = record.date("gracePeriodExpiresDate")
        consent = record.number(
            "priceIncreaseStatus", ["0": .pending, "1": .agreed], "0 or 1")
        expired = record.number(
            "expirationIntent", PendingRenewal.reasons, "1 to 5; the reason is told as `other`")
        if expired == nil, record.value("expirationIntent")?.isPlain == true { expired = .other }
    }
}

/// A fact that a renewal info states, and which part of it.
struct RenewalStatement {
    /// The parts of a renewal info that state something.
    enum Part: CaseIterable { case autoRenewal, plan, price, failure, expiry }

    let part: Part
    let fact: Fact<Written>
}

extension RenewalInfo {
    /// What it states, given where its line stands.
    ///
    /// - Parameters:
    ///   - status: where the line stands, as the record around it says.
    ///   - end: when the line's latest period ends, where the transaction beside it says so.
    ///   - settles: whether the status states by itself what the renewal info leaves open, as that
    ///     of a status page does.
    func statements(
        _ status: SubscriptionStatus?, end: Timestamp?, settles: Bool = false
    ) -> [RenewalStatement] {
        let line = TransactionID<Written>(pending.original)
        var all: [RenewalStatement] = []
        func state(_ part: RenewalStatement.Part, _ fact: Fact<Written>) {
            all.append(RenewalStatement(part: part, fact: fact))
        }
        if let renews = pending.autoRenews {
            state(
                .autoRenewal,
                renews ? .renewalTurnedOn(original: line) : .renewalTurnedOff(original: line))
        }
        if let next = pending.nextProduct, let product = pending.product, next != product {
            state(.plan, pending.planChange(to: next))
        }
        if let consent = pending.consent {
            state(.price, .renewalPriceIncreased(.init(original: line, consent: consent)))
        }
        var failed = pending
        if settles, status == .retry || status == .grace {
            failed.isRetrying = pending.isRetrying ?? true
        }
        if failed.isRetrying == true || failed.graceExpiresAt != nil {
            state(.failure, failed.failure)
        }
        if settles && status == .expired || hasExpired(status, end: end) {
            state(.expiry, pending.expiry(end: end))
        }
        return all
    }

    /// Whether the line has expired for the reason that is stated: by its status, else by its end.
    private func hasExpired(_ status: SubscriptionStatus?, end: Timestamp?) -> Bool {
        guard pending.expired != nil else { return false }
        if let status { return status.isOver }
        // While the store retries, the reason is that of a failure, not yet of an end.
        guard pending.isRetrying != true, let end, let signedAt else { return false }
        return end <= signedAt
    }

    /// What the renewal info states by itself, or on a page that says where its line stands.
    func source(
        status: SubscriptionStatus? = nil, end: Timestamp? = nil, app: String? = nil
    ) -> StatedSource {
        let statements = statements(status, end: end, settles: true)
        if pending.expired != nil, !statements.contains(where: { $0.part == .expiry }) {
            record.remarks.count(
                unplaced: "expirationIntent of a line that isn't known to be over",
                in: "renewal infos")
        }
        return StatedSource(
            identity: statement, place: place, app: app, environment: environment, date: signedAt,
            facts: statements.enumerated().map { index, one in
                stated(one.fact, number: index + 1)
            })
    }

    /// A fact of the renewal info by itself, the same one wherever it stands.
    func stated(_ fact: Fact<Written>, number: Int) -> StatedFact {
        StatedFact(
            fact: fact, account: account, signedAt: signedAt, statement: "\(statement)#\(number)")
    }
}
