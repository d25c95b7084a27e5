import PurchaseEvents

/// A signed transaction: the payload of a `JWSTransaction` from a page, a notification or StoreKit
/// 2 (importing.md, 3).
struct SignedTransaction {
    /// The statement of the transaction, in the form shared by all sources.
    let row: AppStoreRow
    /// The price of the whole transaction in thousandths, and its currency.
    let price: Int64?, currency: Currency?
    /// The refunded share in thousandths of a percent; `nil` means all.
    let percent: Int64?
    /// Whether the stated type of the revocation is the end of family sharing.
    let isFamilyRevocation: Bool
    let app: String?
    let environment: Environment?
    let signedAt: Timestamp?
    let place: ImportPlace
    /// The unique name of this statement: the transaction and the time of its signature, or the
    /// hash of an unsigned record.
    let statement: String
}

extension SignedTransaction {
    /// Reads a payload.
    ///
    /// Returns `nil`, with a remark, for a payload without a transaction, a product or a purchase
    /// date, or of another app.
    init?(_ opened: OpenedRecord, _ context: ReadContext) {
        let record = opened.record
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
        let quantity = record.integer("quantity", in: 1...Int64(Int32.max))
        row = AppStoreRow(
            transaction: transaction, original: record.name("originalTransactionId"),
            product: product, kind: record.word("type", kinds, "a product type"),
            group: record.name("subscriptionGroupIdentifier"), quantity: quantity,
            purchasedAt: purchasedAt, originalPurchasedAt: record.date("originalPurchaseDate"),
            expiresAt: record.date("expiresDate"), cancelledAt: record.date("revocationDate"),
            refundReason: record.number(
                "revocationReason", ["0": .other, "1": .issue], "0 or 1"),
            isUpgraded: record.flag("isUpgraded"),
            ownership: record.word(
                "inAppOwnershipType", ["purchased": .purchased, "family_shared": .familyShared],
                "PURCHASED or FAMILY_SHARED"),
            offer: record.number("offerType", offers, "1 to 4"),
            account: record.name("appAccountToken")?.lowercased())
        price = SignedTransaction.total(record, quantity: quantity ?? 1)
        currency = record.currency("currency")
        percent = record.integer("revocationPercentage", in: 0...100_000)
        isFamilyRevocation =
            record.word("revocationType", revocationTypes, "a type of revocation") == true
        app = record.name("bundleId")
        environment = opened.environment
        signedAt = opened.signedAt
        place = opened.place
        statement = opened.statement(prefix: "tx", of: transaction)
        record.countUnplaced(of: "transactions", SignedTransaction.unplaced)
        record.remarkUnknownKeys(of: "transaction", known: SignedTransaction.known)
    }

    /// The price of the whole quantity; the App Store states the price of one.
    private static func total(_ record: RecordReader, quantity: Int64) -> Int64? {
        let largest: Int64 = 1 << 53 - 1
        guard let price = record.integer("price", in: 0...largest) else { return nil }
        let (total, overflow) = price.multipliedReportingOverflow(by: quantity)
        guard !overflow, total <= largest else {
            record.remark(
                .warning, "price", "the total price is too large for a log; skipped it")
            return nil
        }
        return total
    }

    private static let mapped: Set<String> = [
        "transactionId", "originalTransactionId", "bundleId", "productId",
        "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate",
        "quantity", "type", "appAccountToken", "inAppOwnershipType", "signedDate",
        "revocationReason", "revocationDate", "isUpgraded", "offerType", "environment", "price",
        "currency", "revocationType", "revocationPercentage",
    ]

    private static let unplaced: Set<String> = [
        "webOrderLineItemId", "offerIdentifier", "storefront", "storefrontId", "transactionReason",
        "offerDiscountType", "appTransactionId", "offerPeriod", "advancedCommerceInfo",
        "billingPlanType", "commitmentInfo", "previousOriginalTransactionId", "deviceVerification",
        "deviceVerificationNonce", "bundleProductID", "bundleTransactionID",
        "bundleOriginalTransactionID", "bundleSubscriptionGroupID",
    ]

    private static let known = mapped.union(unplaced)
}

private let kinds: [String: ProductKind] = [
    "auto-renewable subscription": .autoRenewable, "non-consumable": .nonConsumable,
    "consumable": .consumable, "non-renewing subscription": .nonRenewing,
]

private let offers: [String: Offer] = [
    "1": .introductory, "2": .promotional, "3": .code, "4": .winBack,
]

/// The types of revocations, and whether each is the end of family sharing.
private let revocationTypes: [String: Bool] = [
    "refund_full": false, "refund_prorated": false, "family_revoke": true,
]

// The facts that a transaction may state.
extension SignedTransaction {
    /// The transaction as a `receipt.listed`.
    var listed: Fact<Written> { row.listed(in: nil, price: price, currency) }

    /// The stated refund or revocation; `nil` if there is none, or for an upgrade.
    var cancellation: Fact<Written>? {
        guard row.isCancelled else { return nil }
        return row.ownership == .familyShared || isFamilyRevocation ? revoked : refunded
    }

    /// The refund, or `nil` without its date.
    var refunded: Fact<Written>? {
        row.cancelledAt.map { date in
            .cancellationRefunded(
                CancellationRefunded(
                    transaction: TransactionID(row.transaction),
                    original: row.original.map { TransactionID($0) }, cancelledAt: date,
                    reason: row.refundReason, percent: percent))
        }
    }

    /// The end of family sharing, or `nil` without its date.
    var revoked: Fact<Written>? {
        row.cancelledAt.map { date in
            .cancellationRevoked(
                CancellationRevoked(
                    transaction: TransactionID(row.transaction),
                    original: row.original.map { TransactionID($0) }, cancelledAt: date))
        }
    }

    /// The period as the start of a subscription, or `nil` without its end.
    func started(isResubscription: Bool?) -> Fact<Written>? {
        row.expiresAt.map { end in
            .renewalStarted(
                RenewalStarted(
                    transaction: TransactionID(row.transaction), original: TransactionID(row.line),
                    product: ProductID(row.product), group: row.group.map { GroupID($0) },
                    purchasedAt: row.purchasedAt, expiresAt: end, resubscribed: isResubscription,
                    price: price, currency: currency, offer: row.offer))
        }
    }

    /// The period as a renewal, or `nil` without its end.
    func renewed(isRecovered: Bool?) -> Fact<Written>? {
        row.expiresAt.map { end in
            .renewalRenewed(
                RenewalRenewed(
                    transaction: TransactionID(row.transaction), original: TransactionID(row.line),
                    product: ProductID(row.product), group: row.group.map { GroupID($0) },
                    purchasedAt: row.purchasedAt, expiresAt: end, recovered: isRecovered,
                    price: price, currency: currency, offer: row.offer))
        }
    }

    /// The facts of the transaction alone.
    var facts: [Fact<Written>] { [listed] + [cancellation].compactMap(\.self) }

    /// The statements of the transaction alone.
    var source: StatedSource {
        StatedSource(
            identity: statement, place: place, app: app, environment: environment,
            date: signedAt ?? row.purchasedAt,
            facts: facts.enumerated().map { index, fact in stated(fact, number: index + 1) })
    }

    /// A fact of the transaction as its own statement, the same in every source.
    func stated(_ fact: Fact<Written>, number: Int) -> StatedFact {
        StatedFact(
            fact: fact, account: row.account, signedAt: signedAt,
            statement: "\(statement)#\(number)")
    }
}

extension OpenedRecord {
    /// The unique name of a statement: its subject and the time of the signature, or the hash of an
    /// unsigned record.
    func statement(prefix: String, of name: String) -> String {
        guard isSigned, let signedAt else { return SHA256.shortHex(content) }
        let statement = "\(prefix):\(name):\(signedAt.milliseconds)"
        // In the `id` of an event, the number of the fact follows.
        let room = NameCheck.maximumLength - 8
        return statement.utf8.count <= room ? statement : SHA256.shortHex(content)
    }
}

extension RecordReader {
    /// An ISO 4217 currency.
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
