import PurchaseEvents

/// The App Store's statement of one transaction: a row of a receipt or a notification (G6.1).
struct AppStoreRow: Hashable {
    var transaction: String
    var original: String?
    var product: String
    /// The type of the product, if stated.
    var kind: ProductKind?
    var group: String?
    var quantity: Int64?
    var purchasedAt: Timestamp
    var originalPurchasedAt: Timestamp?
    var expiresAt: Timestamp?
    var cancelledAt: Timestamp?
    var refundReason: RefundReason?
    var isUpgraded: Bool?
    var ownership: Ownership?
    var offer: Offer?
    var terms = BillingTerms()
    var account: String?
    /// The price of the whole transaction in thousandths, and its currency.
    var price: Int64?, currency: Currency?
    var webOrderLine: String?

    /// The original transaction, which identifies the subscription; a transaction may be its own
    /// original.
    var line: String { original ?? transaction }

    /// Whether the transaction was cancelled, other than by an upgrade (G6.9).
    var isCancelled: Bool { cancelledAt != nil && isUpgraded != true }

    /// Whether the row states a period that wasn't cancelled or upgraded.
    var isUncancelledPeriod: Bool { expiresAt != nil && cancelledAt == nil && isUpgraded != true }

    /// The stated end of the period, or an earlier cancellation; `nil` for a row without a period,
    /// and for a period that an upgrade ended at an unstated time.
    var endsAt: Timestamp? {
        guard let expiresAt, let cancelledAt else { return isUncancelledPeriod ? expiresAt : nil }
        return min(expiresAt, cancelledAt)
    }
}

extension AppStoreRow {
    /// Reads a row of `in_app`, of `latest_receipt_info` or of an iOS 6 style receipt. Returns
    /// `nil`, with a remark, without a transaction, a product or a purchase date.
    init?(_ record: RecordReader) {
        guard let transaction = record.name("transaction_id"),
            let product = record.name("product_id"), let purchasedAt = record.time("purchase_date")
        else {
            record.remark(
                .error, nil,
                "expected `transaction_id`, `product_id` and `purchase_date`, but at least one "
                    + "is missing or invalid; skipped the transaction")
            return nil
        }
        self.transaction = transaction
        self.product = product
        self.purchasedAt = purchasedAt
        original = record.name("original_transaction_id")
        group = record.name("subscription_group_identifier")
        quantity = record.integer("quantity", in: 1...Int64(Int32.max))
        originalPurchasedAt = record.time("original_purchase_date")
        expiresAt = record.time("expires_date")
        cancelledAt = record.time("cancellation_date")
        refundReason = record.refundReason("cancellation_reason")
        isUpgraded = record.flag("is_upgraded")
        ownership = record.ownership("in_app_ownership_type")
        offer = AppStoreRow.offer(record)
        account = record.name("app_account_token")?.lowercased()
        webOrderLine = record.text("web_order_line_item_id")
        record.countUnplaced(of: "rows", AppStoreRow.unplaced)
        record.remarkUnknownKeys(of: "row", known: AppStoreRow.knownKeys)
    }

    /// The kind of offer; a free trial by a promotional offer or an offer code counts as that
    /// offer.
    private static func offer(_ record: RecordReader) -> Offer? {
        let isTrial = record.flag("is_trial_period") ?? false
        let isIntroductory = record.flag("is_in_intro_offer_period") ?? false
        if record.text("promotional_offer_id") != nil { return .promotional }
        if record.text("offer_code_ref_name") != nil { return .code }
        return isTrial || isIntroductory ? .introductory : nil
    }

    /// The keys of a row, including those of an iOS 6 style receipt, which is a row itself.
    static let knownKeys: Set<String> = Set<String>.dateKeys(
        "purchase_date", "original_purchase_date", "expires_date", "cancellation_date"
    ).union([
        "transaction_id", "product_id", "original_transaction_id", "subscription_group_identifier",
        "quantity", "cancellation_reason", "is_upgraded", "in_app_ownership_type",
        "app_account_token", "is_trial_period", "is_in_intro_offer_period", "bid",
    ]).union(unplaced)

    private static let unplaced: Set<String> = [
        "web_order_line_item_id", "promotional_offer_id", "offer_code_ref_name", "item_id",
        "app_item_id", "version_external_identifier", "bvrs", "unique_identifier",
        "unique_vendor_identifier",
    ]
}

extension AppStoreRow {
    /// The merged row, or `nil` if the rows contradict each other.
    func merged(with other: AppStoreRow) -> AppStoreRow? {
        guard product == other.product, purchasedAt == other.purchasedAt else { return nil }
        var both = self
        var agree = true
        func take<Value: Equatable>(_ key: WritableKeyPath<AppStoreRow, Value?>) {
            guard let stated = other[keyPath: key] else { return }
            if let known = self[keyPath: key], known != stated { agree = false }
            both[keyPath: key] = stated
        }
        take(\.original)
        take(\.kind)
        take(\.group)
        take(\.quantity)
        take(\.originalPurchasedAt)
        take(\.expiresAt)
        take(\.cancelledAt)
        take(\.refundReason)
        take(\.isUpgraded)
        take(\.ownership)
        take(\.account)
        take(\.webOrderLine)
        // A row without the name of its offer code can only state an introductory offer.
        if let stated = other.offer, offer == nil || offer == .introductory { both.offer = stated }
        return agree ? both : nil
    }
}
