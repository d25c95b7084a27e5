/// A version 1 status update notification as it was read (G7).
///
/// It has no identifier and no time of its own sending: its identity is the hash of its content,
/// and what it says without a date is dated by ``KnownDates/earliestStatement``.
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

        /// The type of a word; the guide's translation prints one of them longer.
        init?(word: String) {
            let word = word.uppercased()
            self.init(
                rawValue: word == "DID_CHANGE_RENEWAL_PREFERENCE"
                    ? Kind.changeOfPlan.rawValue : word)
        }
    }

    /// The type as it was written, and what it is; `nil` for one that is not known.
    let name: String, kind: Kind?
    let app: String?
    let environment: Environment?
    let rows: [AppStoreRow]
    let pending: [PendingRenewal]
    /// The line that the notification is about; `nil` where it can't be told from the rest.
    let line: String?
    /// What is said of a cancellation at the top level, with `CANCEL` alone (G7.2).
    let cancelledAt: Timestamp?, refundReason: RefundReason?, webOrderLine: String?
    let dates: KnownDates
    /// The record, for remarks.
    let record: RecordReader
}

extension StatusUpdateNotification {
    /// Reads a notification: `unified_receipt`, and the keys at the top level that it replaced.
    init(_ record: RecordReader) {
        self.record = record
        name = record.text("notification_type") ?? "unknown"
        kind = Kind(word: name)
        let unified = record.record("unified_receipt")
        let sources = [
            (unified, "latest_receipt_info"), (record, "latest_receipt_info"),
            (record, "latest_expired_receipt_info"),
        ]
        let rowRecords = sources.flatMap { $0.0?.records($0.1) ?? [] }
        let rows = AppStoreRow.merged(rowRecords.compactMap { AppStoreRow($0) })
        self.rows = rows
        app = record.name("bid") ?? rowRecords.lazy.compactMap { $0.name("bid") }.first
        environment = AppStoreEnvironment(
            stated: [record, unified].compactMap { AppStoreEnvironment.stated($0) }, rows: rows
        ).decided(record)
        cancelledAt = record.time("cancellation_date")
        refundReason = record.word("cancellation_reason", ["0": .other, "1": .issue], "0 or 1")
        webOrderLine = record.text("web_order_line_item_id")
        let elements = (unified?.records("pending_renewal_info") ?? [])
            .compactMap { PendingRenewal($0, rows: rows) }
        let line = StatusUpdateNotification.line(record, rows, elements)
        self.line = line
        pending = StatusUpdateNotification.pending(record, line, rows, elements)
        var lapsed = Set(pending.filter(\.hasLapsed).map(\.original))
        // The store says that a renewal failed when the period that it would have followed ends.
        if let line, kind == .failureToRenew { lapsed.insert(line) }
        var dates = KnownDates(rows: rows, lapsed: lapsed)
        dates.add(cancelledAt)
        dates.add(record.time("auto_renew_status_change_date"))
        self.dates = dates
        record.remarkUnknownKeys(
            of: "notification", known: StatusUpdateNotification.knownKeys)
        unified?.remarkUnknownKeys(
            of: "unified_receipt",
            known: [
                "environment", "latest_receipt", "latest_receipt_info", "pending_renewal_info",
                "status",
            ])
    }

    /// The line that it names, or that of the order item that it names, or the only one there is,
    /// in the end of those of its product.
    private static func line(
        _ record: RecordReader, _ rows: [AppStoreRow], _ pending: [PendingRenewal]
    ) -> String? {
        if let named = record.name("original_transaction_id") { return named }
        if let item = record.text("web_order_line_item_id"),
            let row = rows.last(where: { $0.webOrderLine == item })
        {
            return row.line
        }
        let originals = Set(pending.map(\.original))
        if originals.count == 1 { return originals.first }
        let product = record.name("auto_renew_product_id")
        return rows.soleLine ?? rows.filter { $0.product == product }.soleLine
    }

    /// What is pending for each line; for its own, what the top level says goes first.
    private static func pending(
        _ record: RecordReader, _ line: String?, _ rows: [AppStoreRow],
        _ elements: [PendingRenewal]
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
                    "seen \(top) here and \(listed) in `pending_renewal_info`; this is taken")
            }
            own = own.filled(from: element)
        }
        own.product = own.product ?? rows.newest(of: line)?.product
        return [own] + others
    }

    private static let knownKeys: Set<String> = Set<String>.dateKeys(
        "auto_renew_status_change_date", "cancellation_date", "grace_period_expires_date"
    ).union([
        "auto_renew_adam_id", "auto_renew_product_id", "auto_renew_status", "bid", "bvrs",
        "cancellation_reason", "deprecation", "environment", "expiration_intent",
        "is_in_billing_retry_period", "latest_expired_receipt", "latest_expired_receipt_info",
        "latest_receipt", "latest_receipt_info", "notification_type", "original_transaction_id",
        "password", "unified_receipt", "web_order_line_item_id",
    ])
}

extension AppStoreFormat {
    /// Version 1 status update notifications.
    static let statusUpdateNotification = AppStoreFormat(
        recognises: { $0["notification_type"] != nil || $0["unified_receipt"]?.members != nil },
        states: { document, remarks, options in
            guard let record = RecordReader(document, remarks: remarks) else { return nil }
            let content = document.canonicalBytes(without: "password")
            let secret = options.sharedSecret?.check(record.text("password"))
            guard secret != .wrong else {
                return forged(content, record, remarks.place(of: document.offset))
            }
            let notification = StatusUpdateNotification(record)
            let identity = SHA256.shortHex(content)
            let received = NotificationReceived<Written>(
                notification: NotificationID(identity), name: notification.name, version: 1,
                secret: secret)
            return StatedSource(
                identity: identity, place: remarks.place(of: document.offset),
                app: notification.app, environment: notification.environment,
                date: notification.dates.latest,
                received: StatedFact(
                    fact: .notificationReceived(received),
                    account: notification.line.flatMap { notification.rows.account(of: $0) }),
                facts: StatusUpdateFacts.stated(by: notification))
        })

    /// A notification with a wrong secret: that it came, and nothing of what it states, neither a
    /// date nor the environment. Its identity is apart from that of a true one of equal content.
    private static func forged(
        _ content: [UInt8], _ record: RecordReader, _ place: ImportPlace
    ) -> StatedSource {
        let identity = SHA256.shortHex(Array("wrong secret\n".utf8) + content)
        let received = NotificationReceived<Written>(
            notification: NotificationID(identity),
            name: record.text("notification_type") ?? "unknown", version: 1, secret: .wrong)
        record.remark(
            .warning, nil,
            "the password is not the shared secret; nothing that the notification states is taken")
        return StatedSource(
            identity: identity, place: place,
            received: StatedFact(fact: .notificationReceived(received)))
    }
}
