import PurchaseEvents

/// A decoded version 1 status update notification (G7).
///
/// A notification has no identifier and no time: the hash of its content identifies it, and
/// ``KnownDates/earliestStatement`` dates its undated facts.
struct StatusUpdateNotification {
    /// The types of version 1 (G7.3).
    enum Kind: String, CaseIterable {
        case cancel = "CANCEL"
        case consumptionRequest = "CONSUMPTION_REQUEST"
        case changeOfPlan = "DID_CHANGE_RENEWAL_PREF"
        case changeOfRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
        case failureToRenew = "DID_FAIL_TO_RENEW"
        case recovery = "DID_RECOVER"
        case automaticRenewal = "DID_RENEW"
        case initialBuy = "INITIAL_BUY"
        case interactiveRenewal = "INTERACTIVE_RENEWAL"
        case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
        case refund = "REFUND"
        case revocation = "REVOKE"
        case renewal = "RENEWAL"

        /// The type with a name, ignoring letter case; Apple's translated guide prints one name
        /// differently.
        init?(word: String) {
            let word = word.uppercased()
            self.init(
                rawValue: word == "DID_CHANGE_RENEWAL_PREFERENCE"
                    ? Kind.changeOfPlan.rawValue : word)
        }
    }

    /// The type as written, and the known type; `kind` is `nil` for an unknown type.
    let name: String, kind: Kind?
    let app: String?
    let environment: Environment?
    let rows: AppStoreRows
    /// The rows, with the top-level cancellation applied.
    let settledRows: AppStoreRows
    let pending: [PendingRenewal]
    /// The original transaction that the notification is about, if it can be determined.
    let line: String?
    /// The top-level cancellation date, which only `CANCEL` has (G7.2).
    let cancelledAt: Timestamp?
    /// The row that the top-level date cancels, or `nil` if it can't be determined.
    let cancelled: AppStoreRow?
    let dates: KnownDates
    let record: RecordReader
}

extension StatusUpdateNotification {
    init(_ record: RecordReader) {
        self.record = record
        name = record.text("notification_type") ?? "unknown"
        kind = Kind(word: name)
        let unified = record.record("unified_receipt")
        let unifiedRecords = unified?.records("latest_receipt_info") ?? []
        let topRecords = ["latest_receipt_info", "latest_expired_receipt_info"]
            .flatMap { record.records($0) }
        let unifiedRows = unifiedRecords.compactMap { AppStoreRow($0) }
        let topRows = topRecords.compactMap { AppStoreRow($0) }
        let rows = AppStoreRows(unifiedRows + topRows)
        self.rows = rows
        app =
            record.name("bid")
            ?? (unifiedRecords + topRecords).lazy.compactMap { $0.name("bid") }.first
        environment = AppStoreEnvironment(
            stated: [record, unified].compactMap { AppStoreEnvironment.stated($0) }, rows: rows.all
        ).decided(record)
        let elements = (unified?.records("pending_renewal_info") ?? [])
            .compactMap { PendingRenewal($0, rows: rows) }
        let item = record.text("web_order_line_item_id")
        let line = StatusUpdateNotification.line(
            record, kind, rows, item: item, topLine: AppStoreRows(topRows).soleLine, elements)
        self.line = line
        cancelledAt = record.time("cancellation_date")
        let reason = record.refundReason("cancellation_reason")
        let index = cancelledAt.flatMap { rows.index(cancelledAt: $0, item: item, line: line) }
        let settled = rows.cancelling(index, at: cancelledAt, reason)
        cancelled = settled.row
        settledRows = settled.rows
        pending = StatusUpdateNotification.pending(record, line, rows, elements)
        var lapsed = Set(pending.filter(\.hasLapsed).map(\.original))
        // The store reports a failed renewal at the end of the period.
        if let line, kind == .failureToRenew { lapsed.insert(line) }
        var dates = KnownDates(rows: settledRows, lapsed: lapsed)
        dates.add(cancelledAt)
        dates.add(record.time("auto_renew_status_change_date"))
        self.dates = dates
        let counted = "notifications of version 1"
        record.countUnplaced(of: counted, StatusUpdateNotification.unplaced)
        unified?.countUnplaced(of: counted, ["status"])
        record.remarkUnknownKeys(of: "notification", known: StatusUpdateNotification.knownKeys)
        unified?.remarkUnknownKeys(
            of: "unified_receipt",
            known: [
                "environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
                "status",
            ])
    }

    /// The original transaction that the notification is about, or `nil` if it can't be determined.
    ///
    /// Uses the first of these that is known: the original named by the notification, the row of
    /// its order item, its top-level row, the only pending renewal, the only line of the rows, the
    /// pending renewal with its next product.
    private static func line(
        _ record: RecordReader, _ kind: Kind?, _ rows: AppStoreRows, item: String?,
        topLine: String?, _ pending: [PendingRenewal]
    ) -> String? {
        if let named = record.name("original_transaction_id") { return named }
        if let item, let row = rows.all.last(where: { $0.webOrderLine == item }) { return row.line }
        if let topLine { return topLine }
        let originals = Set(pending.map(\.original))
        // Only subscriptions renew, but these types may be about any purchase.
        let isOfAnyPurchase = kind == .refund || kind == .consumptionRequest
        if originals.count == 1, !isOfAnyPurchase { return originals.first }
        if let line = rows.soleLine { return line }
        guard originals.count > 1, let next = record.name("auto_renew_product_id") else {
            return nil
        }
        // Rows don't help here: another line may have had the next product before.
        let lines = Set(pending.lazy.filter { $0.nextProduct == next }.map(\.original))
        return lines.count == 1 ? lines.first : nil
    }

    /// The pending renewals; for the notification's own line, top-level keys take precedence.
    private static func pending(
        _ record: RecordReader, _ line: String?, _ rows: AppStoreRows, _ elements: [PendingRenewal]
    ) -> [PendingRenewal] {
        guard let line else { return elements }
        var own = PendingRenewal(record, original: line)
        var others: [PendingRenewal] = []
        for element in elements {
            guard element.original == line else {
                others.append(element)
                continue
            }
            if let top = own.autoRenews, let listed = element.autoRenews, top != listed {
                record.remark(
                    .note, "auto_renew_status",
                    "seen \(top) here and \(listed) in `pending_renewal_info`; used this one")
            }
            own = own.filled(from: element)
        }
        own.product = own.product ?? rows.newest(of: line)?.product
        return [own] + others
    }

    private static let knownKeys: Set<String> = Set<String>.dateKeys(
        "auto_renew_status_change_date", "cancellation_date", "grace_period_expires_date"
    ).union([
        "auto_renew_product_id", "auto_renew_status", "bid", "cancellation_reason", "environment",
        "expiration_intent", "is_in_billing_retry_period", "latest_expired_receipt",
        "latest_expired_receipt_info", "latest_receipt", "latest_receipt_info", "notification_type",
        "original_transaction_id", "password", "unified_receipt", "web_order_line_item_id",
    ]).union(unplaced)

    private static let unplaced: Set<String> = ["auto_renew_adam_id", "bvrs", "deprecation"]
}

extension AppStoreRows {
    /// The index of the row that a top-level date cancels: the row of the order item, the row of
    /// the period running at that date, or the only row.
    fileprivate func index(cancelledAt time: Timestamp, item: String?, line: String?) -> Int? {
        if let item, let index = all.lastIndex(where: { $0.webOrderLine == item }) { return index }
        let own = all.indices.filter { line == nil || all[$0].line == line }
        let running = own.filter { index in
            let row = all[index]
            return row.isUncancelledPeriod && row.purchasedAt <= time
                && (row.expiresAt.map { time < $0 } ?? false)
        }
        let found = running.isEmpty ? own : running
        return found.count == 1 ? found.first : nil
    }

    /// The row at an index, marked as cancelled unless it states its own cancellation, and all rows
    /// after this change.
    fileprivate func cancelling(
        _ index: Int?, at time: Timestamp?, _ reason: RefundReason?
    ) -> (row: AppStoreRow?, rows: AppStoreRows) {
        guard let index else { return (nil, self) }
        var row = all[index]
        guard row.cancelledAt == nil else { return (row, self) }
        row.cancelledAt = time
        row.refundReason = row.refundReason ?? reason
        return (row, replacing(index, with: row))
    }
}

extension AppStoreFormat {
    static let statusUpdateNotification = AppStoreFormat(
        kind: .notificationV1,
        recognises: { $0["notification_type"] != nil || $0["unified_receipt"]?.members != nil },
        readStatements: { document, remarks, context in
            guard let record = RecordReader(document, remarks: remarks) else { return [] }
            let content = document.canonicalBytes(without: "password")
            let secret = context.options.sharedSecret?.check(record.text("password"))
            guard secret != .wrong else {
                return [forged(content, record, remarks.place(of: document.offset))]
            }
            let notification = StatusUpdateNotification(record)
            guard context.accepts(record, app: notification.app) else { return [] }
            let identity = SHA256.shortHex(content)
            let received = NotificationReceived<Written>(
                notification: NotificationID(identity), name: notification.name, version: 1,
                secret: secret)
            var source = StatedSource(
                identity: identity, place: remarks.place(of: document.offset),
                app: notification.app, environment: notification.environment,
                date: notification.dates.latest)
            source.received = StatedFact(
                fact: .notificationReceived(received),
                account: notification.line.flatMap { notification.rows.account(of: $0) })
            source.recordsEachArrival = true
            source.facts = StatusUpdateFacts.stated(by: notification)
            return [source]
        })

    /// The source of a notification with a wrong secret: only its arrival, without date and
    /// environment, under another identity than that of a genuine notification with equal content.
    private static func forged(
        _ content: [UInt8], _ record: RecordReader, _ place: ImportPlace
    ) -> StatedSource {
        let identity = SHA256.shortHex(Array("wrong secret\n".utf8) + content)
        let received = NotificationReceived<Written>(
            notification: NotificationID(identity),
            name: record.text("notification_type") ?? "unknown", version: 1, secret: .wrong)
        record.remark(
            .warning, nil,
            "`password` is not the shared secret; ignored everything else in the notification")
        var source = StatedSource(identity: identity, place: place)
        source.received = StatedFact(fact: .notificationReceived(received))
        source.recordsEachArrival = true
        return source
    }
}
