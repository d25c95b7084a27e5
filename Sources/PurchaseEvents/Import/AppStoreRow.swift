/// What the App Store states of one transaction: a row of a receipt or of a notification (G6.1).
struct AppStoreRow: Hashable {
    var transaction: String
    var original: String?
    var product: String
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
    var account: String?
    var webOrderLine: String?

    /// The key of the subscription line: a transaction may be its own original.
    var line: String { original ?? transaction }

    /// Whether it was cancelled and no upgrade took its place (G6.9).
    var isCancelled: Bool { cancelledAt != nil && isUpgraded != true }

    /// Whether it attests a period that nothing took back.
    var isStanding: Bool { expiresAt != nil && cancelledAt == nil && isUpgraded != true }

    /// The statement as an event says it, a row of a snapshot where `receipt` names one.
    func listed(in receipt: ReceiptID<Written>?) -> Fact<Written> {
        .receiptListed(
            ReceiptListed(
                receipt: receipt, transaction: TransactionID(transaction),
                original: original.map { TransactionID($0) }, product: ProductID(product),
                // Only an auto-renewable subscription has an expiration date in a receipt: for a
                // non-renewing one the app itself works it out (G1.4).
                kind: expiresAt == nil ? nil : .autoRenewable, group: group.map { GroupID($0) },
                quantity: quantity, purchasedAt: purchasedAt,
                originalPurchasedAt: originalPurchasedAt, expiresAt: expiresAt,
                cancelledAt: cancelledAt, upgraded: isUpgraded, ownership: ownership,
                offer: offer))
    }
}

extension AppStoreRow {
    /// Reads a row of `in_app`, of `latest_receipt_info` or of an iOS 6 style receipt; `nil`, with
    /// a remark, where it doesn't say which transaction, which product and when.
    init?(_ record: RecordReader) {
        guard let transaction = record.name("transaction_id"),
            let product = record.name("product_id"), let purchasedAt = record.time("purchase_date")
        else {
            record.remark(
                .error, nil,
                "expected `transaction_id`, `product_id` and `purchase_date`, seen not all of "
                    + "them; the transaction is not in the log")
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
        refundReason = record.word(
            "cancellation_reason", ["0": .other, "1": .issue], "0 or 1")
        isUpgraded = record.flag("is_upgraded")
        ownership = record.word(
            "in_app_ownership_type", ["purchased": .purchased, "family_shared": .familyShared],
            "PURCHASED or FAMILY_SHARED")
        offer = AppStoreRow.offer(record)
        account = record.name("app_account_token")
        webOrderLine = record.text("web_order_line_item_id")
        record.remarkUnknownKeys(of: "row", known: AppStoreRow.knownKeys)
    }

    /// A promotional offer or an offer code may be a free trial too; it is told as what it is.
    private static func offer(_ record: RecordReader) -> Offer? {
        let isTrial = record.flag("is_trial_period") ?? false
        let isIntroductory = record.flag("is_in_intro_offer_period") ?? false
        if record.text("promotional_offer_id") != nil { return .promotional }
        if record.text("offer_code_ref_name") != nil { return .code }
        return isTrial || isIntroductory ? .introductory : nil
    }

    /// The keys of a row and, for iOS 6 style receipts that are one, of the receipt around it.
    static let knownKeys: Set<String> = Set<String>.dateKeys(
        "purchase_date", "original_purchase_date", "expires_date", "cancellation_date"
    ).union([
        "transaction_id", "product_id", "original_transaction_id", "subscription_group_identifier",
        "quantity", "cancellation_reason", "is_upgraded", "in_app_ownership_type",
        "app_account_token", "web_order_line_item_id", "promotional_offer_id",
        "offer_code_ref_name", "is_trial_period", "is_in_intro_offer_period", "item_id",
        "app_item_id", "version_external_identifier", "bid", "bvrs", "unique_identifier",
        "unique_vendor_identifier",
    ])
}

extension AppStoreRow {
    /// The rows of one document, each transaction once for each distinct content, by purchase date.
    ///
    /// What two rows of a transaction say is merged where they don't contradict each other: the
    /// same purchase stands in `in_app` and, with more keys, in `latest_receipt_info`.
    static func merged(_ rows: [AppStoreRow]) -> [AppStoreRow] {
        var merged: [AppStoreRow] = []
        var places: [String: [Int]] = [:]
        for row in rows {
            var isTaken = false
            for place in places[row.transaction, default: []] where !isTaken {
                if let both = merged[place].merged(with: row) {
                    merged[place] = both
                    isTaken = true
                }
            }
            if !isTaken {
                places[row.transaction, default: []].append(merged.count)
                merged.append(row)
            }
        }
        // Neither the rows of `in_app` nor identifiers are in the order of time; equal dates keep
        // the order of the source, since `sorted` is not promised to.
        return merged.enumerated().sorted {
            ($0.element.purchasedAt, $0.offset) < ($1.element.purchasedAt, $1.offset)
        }.map(\.element)
    }

    /// What both rows say; `nil` where they contradict each other.
    private func merged(with other: AppStoreRow) -> AppStoreRow? {
        guard product == other.product, purchasedAt == other.purchasedAt else { return nil }
        var both = self
        var agree = true
        func take<Value: Equatable>(_ key: WritableKeyPath<AppStoreRow, Value?>) {
            guard let stated = other[keyPath: key] else { return }
            if let known = self[keyPath: key], known != stated { agree = false }
            both[keyPath: key] = stated
        }
        take(\.original)
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
        // A row without the name of its offer code can only say that the offer is introductory.
        if let stated = other.offer, offer == nil || offer == .introductory { both.offer = stated }
        return agree ? both : nil
    }
}

extension [AppStoreRow] {
    /// The last standing period of a line, by purchase date.
    func newest(of line: String) -> AppStoreRow? {
        last { $0.line == line && $0.isStanding }
    }

    /// The last end of a line's periods.
    func lastExpiry(of line: String) -> Timestamp? {
        filter { $0.line == line }.compactMap(\.expiresAt).max()
    }

    /// The account that the newest row of a line names.
    func account(of line: String) -> String? {
        last { $0.line == line && $0.account != nil }?.account
    }

    /// The account that all rows name which name one; `nil` where they name several.
    var soleAccount: String? {
        let accounts = Set(compactMap(\.account))
        return accounts.count == 1 ? accounts.first : nil
    }

    /// The line that all rows belong to; `nil` where they are of several.
    var soleLine: String? {
        let lines = Set(map(\.line))
        return lines.count == 1 ? lines.first : nil
    }
}
