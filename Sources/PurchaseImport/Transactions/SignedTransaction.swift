import PurchaseEvents

/// A signed transaction: the payload of a `JWSTransaction` from a page, a notification or StoreKit
/// 2 (importing.md, 3).
struct SignedTransaction {
    /// The statement of the transaction, in the form shared by all sources.
    let row: AppStoreRow
    /// The refunded share in thousandths of a percent; `nil` means all.
    let percent: Int64?
    /// The reason of the revocation, if access ended and nobody was paid back; `nil` if the
    /// cancellation is a refund.
    let revocationReason: String?
    /// The key whose unknown value is the reason of the revocation; `nil` for a known reason.
    private let unknownReasonKey: String?
    private let record: RecordReader
    let app: String?
    let statement: SignedStatement
}

extension SignedTransaction {
    /// Returns `nil`, with a remark, for a payload without a transaction, a product or a purchase
    /// date, or of another app.
    init?(_ opened: OpenedRecord, _ context: ReadContext) {
        let record = opened.record
        self.record = record
        guard opened.signature != .invalid, context.accepts(record) else { return nil }
        guard let transaction = record.name("transactionId"),
            let product = record.name("productId"), let purchasedAt = record.date("purchaseDate")
        else {
            record.remark(
                .error, nil,
                "expected `transactionId`, `productId` and `purchaseDate`, but at least one is "
                    + "missing or invalid; skipped the transaction")
            return nil
        }
        record.remark(purchasedAt, of: "purchaseDate")
        let quantity = record.integer("quantity", in: 1...Int64(Int32.max))
        let items = AdvancedCommerceItems(record)
        let ownership = record.ownership("inAppOwnershipType")
        let refundReason = record.refundReason("revocationReason", orRemark: .note)
        row = AppStoreRow(
            transaction: transaction, original: record.name("originalTransactionId"),
            product: product,
            kind: record.word("type", AppStoreWords.kinds, "a product type", orRemark: .note),
            group: record.name("subscriptionGroupIdentifier"), quantity: quantity,
            purchasedAt: purchasedAt, originalPurchasedAt: record.date("originalPurchaseDate"),
            expiresAt: record.date("expiresDate"),
            cancelledAt: record.date("revocationDate") ?? items.refundedAt,
            refundReason: refundReason,
            isUpgraded: record.flag("isUpgraded"), ownership: ownership,
            offer: record.number("offerType", AppStoreWords.offers, "1 to 5", orRemark: .note),
            terms: BillingTerms(record),
            account: AccountKey.account(of: record, context.options.account),
            price: SignedTransaction.total(record, quantity: quantity ?? 1),
            currency: record.currency("currency"))
        percent = record.integer("revocationPercentage", in: 0...100_000)
        (revocationReason, unknownReasonKey) =
            row.isCancelled
            ? SignedTransaction.revocationReason(record, ownership, refundReason) : (nil, nil)
        app = record.name("bundleId")
        statement = SignedStatement(opened, about: "tx:\(transaction)", account: row.account)
        record.countUnplaced(of: "transactions", SignedTransaction.unplaced)
        if row.cancelledAt == nil {
            record.countUnplaced(of: "transactions", SignedTransaction.ofRevocation)
        }
        record.remarkUnknownKeys(of: "transaction", known: SignedTransaction.known)
    }

    /// The price of the whole quantity; the App Store states the price of one.
    private static func total(_ record: RecordReader, quantity: Int64) -> Int64? {
        let largest: Int64 = 1 << 53 - 1
        guard let price = record.integer("price", in: 0...largest) else { return nil }
        let (total, overflow) = price.multipliedReportingOverflow(by: quantity)
        guard !overflow, total <= largest else {
            record.remark(.warning, "price", "the total price is too large for a log; skipped it")
            return nil
        }
        return total
    }

    /// The reason of a revocation that paid nobody back, and its key if its value is unknown; no
    /// reason for a refund.
    ///
    /// A refund is never recorded on a guess: an unknown type, or without a type an unknown
    /// ownership or reason, is a revocation for that reason.
    private static func revocationReason(
        _ record: RecordReader, _ ownership: Ownership?, _ refundReason: RefundReason?
    ) -> (String?, unknownKey: String?) {
        let type = record.name("revocationType")
        switch ownership {
        case .familyShared: return (RevocationReason.family.rawValue, nil)
        case .assigned: return (RevocationReason.assignment.rawValue, nil)
        case .purchased, nil: break
        }
        if let type {
            if let known = revocationTypes[type.lowercased()] { return (known?.rawValue, nil) }
        } else if ownership == nil, let word = record.name("inAppOwnershipType") {
            return (word, "inAppOwnershipType")
        } else if refundReason != nil || record.value("revocationReason") == nil {
            return (nil, nil)
        }
        let isBundled = bundleKeys.contains { record.value($0) != nil }
        if isBundled || type?.lowercased().contains("bundle") == true {
            return (RevocationReason.bundle.rawValue, nil)
        }
        let word = type ?? record.nameOfNumber("revocationReason") ?? "other"
        return (word, type == nil ? "revocationReason" : "revocationType")
    }

    private static let mapped: Set<String> = [
        "transactionId", "originalTransactionId", "bundleId", "productId",
        "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate",
        "quantity", "type", "appAccountToken", "inAppOwnershipType", "signedDate",
        "revocationReason", "revocationDate", "isUpgraded", "offerType", "environment", "price",
        "currency", "revocationType", "revocationPercentage", "billingPlanType", "commitmentInfo",
        "appTransactionId",
    ]

    /// What only an event with the date of the revocation has a place for.
    private static let ofRevocation: Set<String> = [
        "revocationReason", "revocationType", "revocationPercentage",
    ]

    private static let unplaced = Set<String>([
        "webOrderLineItemId", "offerIdentifier", "storefront", "storefrontId", "transactionReason",
        "offerDiscountType", "offerPeriod", "advancedCommerceInfo", "previousOriginalTransactionId",
        "previousOriginalTransactionID", "deviceVerification", "deviceVerificationNonce",
    ]).union(bundleKeys)

    private static let known = mapped.union(unplaced)
}

/// The types of revocations, and the reason of each that pays nobody back.
private let revocationTypes: [String: RevocationReason?] = [
    "refund_full": nil, "refund_prorated": nil, "family_revoke": .family,
    "assignment_revoke": .assignment,
]

/// The keys of a purchase in a bundle, in the spelling of the server and in that of StoreKit.
private let bundleKeys: Set<String> = [
    "bundleProductId", "bundleTransactionId", "bundleOriginalTransactionId",
    "bundleSubscriptionGroupId", "bundleProductID", "bundleTransactionID",
    "bundleOriginalTransactionID", "bundleSubscriptionGroupID",
]

// The facts that a transaction may state.
extension SignedTransaction {
    /// The stated refund or revocation; `nil` for an upgrade. Adds a note on an unknown reason.
    func cancelled() -> Fact<Written>? {
        guard row.isCancelled else { return nil }
        return revocationReason == nil ? refunded() : revoked()
    }

    /// The refund, whatever the type of the revocation, or `nil` without its date. Adds a note if
    /// the type or the reason of the revocation is unknown.
    func refunded() -> Fact<Written>? {
        remarkUnknownReason("recorded as a refund, as the notification says")
        return row.refunded(percent: percent)
    }

    /// The revocation, or `nil` without its date. Adds a note on an unknown reason.
    func revoked() -> Fact<Written>? {
        remarkUnknownReason("recorded as a revocation for this reason, which pays nobody back")
        return row.revoked(for: revocationReason)
    }

    private func remarkUnknownReason(_ consequence: String) {
        guard let key = unknownReasonKey else { return }
        let word = EscapedText.escape(revocationReason ?? "")
        record.remark(.note, key, "unknown word `\(word)`: \(consequence)")
    }

    /// Whether the transaction states what no renewal event has a key for.
    var saysMoreThanAPeriod: Bool {
        row.ownership ?? .purchased != .purchased || row.quantity ?? 1 > 1
            || row.isUpgraded == true || row.cancelledAt != nil
    }

    /// Whether the transaction has no revocation, also none that can't be read.
    var showsNoRefund: Bool {
        row.cancelledAt == nil && row.isUpgraded != true
            && !record.keys.contains { $0.hasPrefix("revocation") && record.value($0) != nil }
    }

    func source() -> StatedSource {
        let (signed, ended) = (statement.signedAt, row.cancelledAt)
        var source = statement.source(
            [row.listed()] + [cancelled()].compactMap(\.self), app: app,
            date: max(signed ?? row.purchasedAt, ended ?? row.purchasedAt))
        source.facts[0].showsNoRefund = showsNoRefund
        return source
    }
}

extension RecordReader {
    /// Adds a note on a purchase before the App Store opened in July 2008, such as one in seconds.
    fileprivate func remark(_ purchasedAt: Timestamp, of key: String) {
        guard purchasedAt.milliseconds < 1_214_870_400_000 else { return }
        remarks.add(
            .note, at: value(key)?.offset ?? offset, path: path(to: key), once: "age of \(key)",
            "expected milliseconds since 1970, seen a purchase before the App Store opened in "
                + "2008; are these seconds?")
    }

    func currency(_ key: String) -> Currency? {
        guard let text = text(key) else { return nil }
        guard let currency = Currency(code: text) else {
            remark(
                .warning, key,
                "expected a currency of three capital letters, seen another text; skipped it")
            return nil
        }
        return currency
    }
}
