import PurchaseEvents

/// The App Store's statement about the next renewal of a subscription (G6.5, G6.6).
struct PendingRenewal: Hashable {
    var original: String
    var product: String?
    var nextProduct: String?
    var autoRenews: Bool?
    var expired: ExpirationReason?
    var isRetrying: Bool?
    var graceExpiresAt: Timestamp?
    var consent: PriceConsent?

    /// Whether the statement implies that the last period has ended: a reason for the expiry, a
    /// retry or a grace period is stated only after the end.
    var hasLapsed: Bool { expired != nil || isRetrying == true || graceExpiresAt != nil }
}

extension PendingRenewal {
    /// Reads an element of `pending_renewal_info`.
    ///
    /// An element without an original belongs to the only line of its product, or of all rows if it
    /// names no product. Returns `nil`, with a remark, if there are no or several such lines.
    init?(_ record: RecordReader, rows: AppStoreRows) {
        let product = record.name("product_id")
        let line =
            record.name("original_transaction_id")
            ?? product.map(rows.soleLine(ofProduct:)) ?? rows.soleLine
        guard let line else {
            record.remark(
                .warning, nil, "expected `original_transaction_id`, seen none; skipped the renewal")
            return nil
        }
        self.init(record, original: line)
        self.product = product
        // Both keys have the same documented meaning; the newer takes precedence.
        let consents: [String: PriceConsent] = [
            "0": .pending, "1": .agreed, "false": .pending, "true": .agreed,
        ]
        consent =
            record.word("price_increase_status", consents, "0 or 1")
            ?? record.word("price_consent_status", consents, "0 or 1")
        record.countUnplaced(of: "pending renewals", PendingRenewal.unplaced)
        record.remarkUnknownKeys(of: "pending renewal", known: PendingRenewal.knownKeys)
    }

    /// Reads the keys that an element shares with the top level of a version 1 notification or of
    /// an iOS 6 style response.
    init(_ record: RecordReader, original: String) {
        self.original = original
        nextProduct = record.name("auto_renew_product_id")
        autoRenews = record.flag("auto_renew_status")
        isRetrying = record.flag("is_in_billing_retry_period")
        graceExpiresAt = record.time("grace_period_expires_date")
        expired = record.expiration("expiration_intent")
    }

    /// The statement with missing values filled in from another statement about the same line.
    func filled(from other: PendingRenewal) -> PendingRenewal {
        var filled = self
        filled.product = product ?? other.product
        filled.nextProduct = nextProduct ?? other.nextProduct
        filled.autoRenews = autoRenews ?? other.autoRenews
        filled.expired = expired ?? other.expired
        filled.isRetrying = isRetrying ?? other.isRetrying
        filled.graceExpiresAt = graceExpiresAt ?? other.graceExpiresAt
        filled.consent = consent ?? other.consent
        return filled
    }

    private static let knownKeys: Set<String> = Set<String>.dateKeys("grace_period_expires_date")
        .union([
            "auto_renew_product_id", "auto_renew_status", "expiration_intent",
            "is_in_billing_retry_period", "original_transaction_id", "price_consent_status",
            "product_id", "price_increase_status",
        ]).union(unplaced)

    private static let unplaced: Set<String> = ["offer_code_ref_name", "promotional_offer_id"]
}

/// A fact about the next renewal, and the part of the statement that states it.
struct RenewalStatement {
    enum Part: CaseIterable { case autoRenewal, commitment, plan, price, failure, expiry }

    let part: Part
    let fact: Fact<Written>
}

extension PendingRenewal {
    /// The facts of the statement, given the rows of the same document and the time of the
    /// statement, if known.
    ///
    /// A line whose period is still running hasn't expired, whatever reason is stated: a reason
    /// that arrives early must not end a subscription.
    func facts(rows: AppStoreRows, statedAt: Timestamp?) -> [Fact<Written>] {
        // While the store retries, the reason is that of a failed renewal, not of an expiry.
        let end = rows.lastEnd(of: original)
        let stillRuns = end.flatMap { end in statedAt.map { $0 < end } } ?? false
        let isExpired = expired != nil && isRetrying != true && !stillRuns
        return statements(isExpired: isExpired, end: end).map(\.fact)
    }

    /// The facts of the statement in log order; `end` is that of its latest period, if known.
    func statements(
        renewsCommitment: Bool? = nil, isExpired: Bool, end: Timestamp?
    ) -> [RenewalStatement] {
        var all: [RenewalStatement] = []
        func state(_ part: RenewalStatement.Part, _ fact: Fact<Written>) {
            all.append(RenewalStatement(part: part, fact: fact))
        }
        if let autoRenews { state(.autoRenewal, autoRenewal(isOn: autoRenews)) }
        if let renewsCommitment {
            state(.commitment, autoRenewal(isOn: renewsCommitment, commitment: true))
        }
        if let nextProduct, let product, nextProduct != product {
            state(.plan, planChange(to: nextProduct))
        }
        if let consent { state(.price, priceIncrease(consent)) }
        if isRetrying == true || graceExpiresAt != nil { state(.failure, failure) }
        if isExpired { state(.expiry, expiry(end: end)) }
        return all
    }

    /// Whether the subscription renews, or with `commitment` only the commitment.
    func autoRenewal(isOn: Bool, commitment: Bool? = nil) -> Fact<Written> {
        let line = TransactionID<Written>(original)
        return isOn
            ? .renewalTurnedOn(original: line, commitment: commitment)
            : .renewalTurnedOff(original: line, commitment: commitment)
    }

    func priceIncrease(_ consent: PriceConsent) -> Fact<Written> {
        .renewalPriceIncreased(
            RenewalPriceIncreased(original: TransactionID(original), consent: consent))
    }

    func expiry(end: Timestamp?) -> Fact<Written> {
        .renewalExpired(
            RenewalExpired(
                original: TransactionID(original), product: product.map { ProductID($0) },
                expiresAt: end, reason: expired ?? .other))
    }

    var failure: Fact<Written> {
        .renewalFailed(
            RenewalFailed(
                original: TransactionID(original), product: product.map { ProductID($0) },
                retrying: isRetrying, graceExpiresAt: graceExpiresAt))
    }

    /// The statement that the line renews with its present plan; `nil` if another plan follows.
    var keptPlan: Fact<Written>? {
        nextProduct.flatMap { $0 == product ? planChange(to: $0) : nil }
    }

    /// The change of plan at the next renewal (G6.5).
    func planChange(to next: String) -> Fact<Written> {
        .renewalPlanChanged(
            RenewalPlanChanged(
                original: TransactionID(original), product: product.map { ProductID($0) },
                next: ProductID(next), effect: .nextRenewal))
    }
}
