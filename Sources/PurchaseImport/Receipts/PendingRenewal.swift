import PurchaseEvents

/// What the App Store states of the next renewal of one subscription line (G6.5, G6.6).
struct PendingRenewal: Hashable {
    var original: String
    var product: String?
    var nextProduct: String?
    var autoRenews: Bool?
    var expired: ExpirationReason?
    var isRetrying: Bool?
    var graceExpiresAt: Timestamp?
    var consent: PriceConsent?

    /// Whether the line's last period has ended, by what the statement says: a reason for the
    /// expiry, a retry and a grace period are stated only after it.
    var hasLapsed: Bool { expired != nil || isRetrying == true || graceExpiresAt != nil }
}

extension PendingRenewal {
    /// Reads an element of `pending_renewal_info`; its line is that of the rows where it names
    /// none itself. `nil`, with a remark, where no line can be told.
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
        // Both keys are documented with the same meaning; the newer is preferred.
        let consents: [String: PriceConsent] = [
            "0": .pending, "1": .agreed, "false": .pending, "true": .agreed,
        ]
        consent =
            record.word("price_increase_status", consents, "0 or 1")
            ?? record.word("price_consent_status", consents, "0 or 1")
        record.remarkUnknownKeys(of: "pending renewal", known: PendingRenewal.knownKeys)
    }

    /// Reads what a version 1 notification, or an iOS 6 style response, says at its top level.
    init(_ record: RecordReader, original: String) {
        self.original = original
        nextProduct = record.name("auto_renew_product_id")
        autoRenews = record.flag("auto_renew_status")
        isRetrying = record.flag("is_in_billing_retry_period")
        graceExpiresAt = record.time("grace_period_expires_date")
        expired = record.word(
            "expiration_intent", PendingRenewal.reasons, "1 to 5; the reason is told as `other`")
        if expired == nil, record.value("expiration_intent")?.isPlain == true { expired = .other }
    }

    /// The reasons for an expiry by their numbers, in all versions of the App Store's data.
    static let reasons: [String: ExpirationReason] = [
        "1": .cancelled, "2": .billing, "3": .priceIncrease, "4": .unavailable, "5": .other,
    ]

    /// What is said here, and for the rest what another statement of the same line says.
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
            "is_in_billing_retry_period", "offer_code_ref_name", "original_transaction_id",
            "price_consent_status", "product_id", "promotional_offer_id", "price_increase_status",
        ])
}

extension PendingRenewal {
    /// The facts that the statement holds, given the rows beside it and, where it is known, when it
    /// was made.
    ///
    /// A line whose period still ran then had not expired, whatever reason was stated: nobody's
    /// subscription is cut off by a reason that comes early.
    func facts(rows: AppStoreRows, statedAt: Timestamp?) -> [Fact<Written>] {
        var facts: [Fact<Written>] = []
        let line = TransactionID<Written>(original)
        if let autoRenews {
            facts.append(
                autoRenews ? .renewalTurnedOn(original: line) : .renewalTurnedOff(original: line))
        }
        if let nextProduct, let product, nextProduct != product {
            facts.append(planChange(to: nextProduct))
        }
        if let consent {
            facts.append(.renewalPriceIncreased(.init(original: line, consent: consent)))
        }
        if isRetrying == true || graceExpiresAt != nil { facts.append(failure) }
        // While the store retries, the reason given is that of a failure, not yet of an end.
        let end = rows.lastEnd(of: original)
        let stillRuns = end.flatMap { end in statedAt.map { $0 < end } } ?? false
        if expired != nil, isRetrying != true, !stillRuns { facts.append(expiry(end: end)) }
        return facts
    }

    /// The line expired, for the reason that is stated.
    func expiry(end: Timestamp?) -> Fact<Written> {
        .renewalExpired(
            RenewalExpired(
                original: TransactionID(original), product: product.map { ProductID($0) },
                expiresAt: end, reason: expired ?? .other))
    }

    /// The renewal failed, with what is said of retry and grace.
    var failure: Fact<Written> {
        .renewalFailed(
            RenewalFailed(
                original: TransactionID(original), product: product.map { ProductID($0) },
                retrying: isRetrying, graceExpiresAt: graceExpiresAt))
    }

    /// The plan changes at the next renewal, as the auto-renew preference tells (G6.5).
    func planChange(to next: String) -> Fact<Written> {
        .renewalPlanChanged(
            RenewalPlanChanged(
                original: TransactionID(original), product: product.map { ProductID($0) },
                next: ProductID(next), effect: .nextRenewal))
    }
}
