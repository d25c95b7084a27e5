import PurchaseEvents

/// A response of verifyReceipt as it was read (G4.19, G9.1): one snapshot of a whole receipt.
struct VerifyReceiptResponse {
    let status: Int64?
    let app: String?
    let environment: Environment?
    let rows: AppStoreRows
    let pending: [PendingRenewal]
    /// When the store answered; every fact of the response is signed then.
    let requestedAt: Timestamp?
    let dates: KnownDates
    /// Whether it holds a receipt at all: a refusal has a status alone, and is no empty receipt.
    let hasReceipt: Bool
}

extension VerifyReceiptResponse {
    /// Reads a response: of a receipt with many purchases, or in iOS 6 style of one transaction.
    init(_ record: RecordReader) {
        let receipt = record.record("receipt")
        status = record.integer("status", in: 0...Int64(Int32.max))
        if status == nil {
            record.remark(.warning, nil, "expected `status`, seen none; recorded no validation")
        }
        var rowRecords = receipt?.records("in_app") ?? []
        if let receipt, receipt.value("transaction_id") != nil { rowRecords.append(receipt) }
        rowRecords += record.records("latest_receipt_info")
        rowRecords += record.records("latest_expired_receipt_info")
        let rows = AppStoreRows(rowRecords.compactMap { AppStoreRow($0) })
        self.rows = rows
        var pending = record.records("pending_renewal_info")
            .compactMap { PendingRenewal($0, rows: rows) }
        // In iOS 6 style it stands at the top level, for the only line.
        if pending.isEmpty, let line = rows.soleLine {
            var own = PendingRenewal(record, original: line)
            own.product = rows.newest(of: line)?.product
            pending = [own]
        }
        self.pending = pending
        hasReceipt = receipt != nil || record.value("latest_receipt_info") != nil
        app = receipt?.name("bundle_id") ?? receipt?.name("bid")
        requestedAt = receipt?.time("request_date")
        environment = VerifyReceiptResponse.environment(record, receipt, rows.all, status)
        let lapsed = requestedAt == nil ? pending.filter(\.hasLapsed).map(\.original) : []
        var dates = KnownDates(rows: rows, lapsed: Set(lapsed))
        dates.add(requestedAt)
        dates.add(receipt?.time("receipt_creation_date"))
        self.dates = dates
        record.remarkUnknownKeys(of: "response", known: VerifyReceiptResponse.knownKeys)
        receipt?.remarkUnknownKeys(
            of: "receipt", known: VerifyReceiptResponse.knownReceiptKeys)
    }

    private static func environment(
        _ record: RecordReader, _ receipt: RecordReader?, _ rows: [AppStoreRow], _ status: Int64?
    ) -> Environment? {
        // These two say that the other environment has to be asked: the one that answered is meant.
        if status == 21007 { return .production }
        if status == 21008 { return .sandbox }
        return AppStoreEnvironment(
            receiptType: receipt?.word(
                "receipt_type", AppStoreEnvironment.receiptTypes, "Production or ProductionSandbox"
            ),
            stated: AppStoreEnvironment.stated(record).map { [$0] } ?? [], rows: rows
        ).decided(record)
    }

    /// What a status says of the receipt; `unreachable` where the store has not judged it, because
    /// it could not or because the request was at fault.
    static func outcome(of status: Int64) -> ValidationOutcome {
        switch status {
        // 21006 is a valid receipt of a subscription that has expired.
        case 0, 21006: .valid
        case 21000, 21001, 21002, 21004, 21005, 21009, 21100...21199: .unreachable
        case _: .invalid
        }
    }

    private static let knownKeys: Set<String> = [
        "status", "environment", "is-retryable", "is_retryable", "exception", "receipt",
        "latest_receipt", "latest_receipt_info", "latest_expired_receipt_info",
        "pending_renewal_info", "auto_renew_status", "auto_renew_product_id", "expiration_intent",
        "is_in_billing_retry_period",
    ]

    private static let knownReceiptKeys: Set<String> = Set<String>.dateKeys(
        "receipt_creation_date", "request_date", "original_purchase_date", "expiration_date",
        "preorder_date"
    ).union(AppStoreRow.knownKeys).union([
        "receipt_type", "adam_id", "bundle_id", "application_version", "download_id",
        "original_application_version", "in_app",
    ])
}

extension VerifyReceiptResponse {
    /// The facts of the response, the receipt named by its identity: the snapshot, what the store
    /// answered, what was taken back, and what is pending.
    func facts(identity: String) -> [StatedFact] {
        let receipt = ReceiptID<Written>(identity)
        var facts: [StatedFact] = []
        func state(_ fact: Fact<Written>, _ account: String?, signedAt: Timestamp?) {
            facts.append(StatedFact(fact: fact, account: account, signedAt: signedAt))
        }
        if hasReceipt {
            state(.receiptRefreshed(receipt: receipt), rows.soleAccount, signedAt: requestedAt)
        }
        for row in rows.all { state(row.listed(in: receipt), row.account, signedAt: requestedAt) }
        if let status {
            let validated = ReceiptValidated<Written>(
                receipt: receipt, outcome: VerifyReceiptResponse.outcome(of: status),
                status: status)
            state(.receiptValidated(validated), rows.soleAccount, signedAt: requestedAt)
        }
        for row in rows.all {
            guard let fact = row.cancellation(isRevoked: false) else { continue }
            state(fact, row.account, signedAt: requestedAt)
        }
        let answeredAt = requestedAt ?? dates.earliestStatement
        for line in pending {
            let account = rows.account(of: line.original)
            for fact in line.facts(rows: rows, statedAt: requestedAt) {
                state(fact, account, signedAt: answeredAt)
            }
        }
        return facts
    }
}

extension VerifyReceiptResponse {
    /// Whether an object is a response: it holds a receipt, or a status beside nothing that a
    /// response has not. A refusal may write the keys of a receipt with nothing in them.
    fileprivate static func recognises(_ document: JSONValue) -> Bool {
        let keys = (document.members ?? []).filter { !$0.value.isAbsent }.map(\.key)
        if keys.contains("latest_receipt_info") || document["receipt"]?.members != nil {
            return true
        }
        return keys.contains("status") && keys.allSatisfy(knownKeys.contains)
    }
}

extension AppStoreFormat {
    /// Responses of verifyReceipt: with a receipt, or with a status alone.
    static let verifyReceiptResponse = AppStoreFormat(
        kind: .verifyReceipt, recognises: VerifyReceiptResponse.recognises,
        states: { document, remarks, context in
            guard let record = RecordReader(document, remarks: remarks) else { return [] }
            let response = VerifyReceiptResponse(record)
            let isAccepted = context.accepts(app: response.app, appID: nil) {
                record.remark(.error, nil, $0)
            }
            guard isAccepted else { return [] }
            let identity = SHA256.shortHex(document.canonicalBytes(without: "password"))
            return [
                StatedSource(
                    identity: identity, place: remarks.place(of: document.offset),
                    app: response.app, environment: response.environment,
                    date: response.dates.latest, facts: response.facts(identity: identity))
            ]
        })
}
