import PurchaseEvents

/// A decoded response of verifyReceipt (G4.19, G9.1): a snapshot of a whole receipt.
struct VerifyReceiptResponse {
    let status: Int64?
    let app: String?
    let environment: Environment?
    let rows: AppStoreRows
    let pending: [PendingRenewal]
    /// The time of the response, if stated: the `signedAt` of all its facts.
    let requestedAt: Timestamp?
    let dates: KnownDates
    /// Whether the response has a receipt; a refusal has only a status.
    let hasReceipt: Bool
}

extension VerifyReceiptResponse {
    /// Reads a response; in iOS 6 style, its receipt is one transaction.
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
        // In iOS 6 style, top-level keys describe the renewal of the only line.
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
        record.countUnplaced(of: "responses", ["is-retryable", "is_retryable", "exception"])
        receipt?.countUnplaced(of: "receipts", VerifyReceiptResponse.unplaced)
        record.remarkUnknownKeys(of: "response", known: VerifyReceiptResponse.knownKeys)
        receipt?.remarkUnknownKeys(of: "receipt", known: VerifyReceiptResponse.knownReceiptKeys)
    }

    /// The environment that the receipt belongs to, or for a refusal without a receipt, the one
    /// that answered.
    ///
    /// The statuses 21007 and 21008 say that the receipt belongs to the other environment.
    private static func environment(
        _ record: RecordReader, _ receipt: RecordReader?, _ rows: [AppStoreRow], _ status: Int64?
    ) -> Environment? {
        var stated = AppStoreEnvironment.stated(record).map { [$0] } ?? []
        let owner: Environment? = status.flatMap { [21007: .sandbox, 21008: .production][$0] }
        if let owner {
            if receipt != nil || !rows.isEmpty {
                stated.append(owner)
            } else if stated.isEmpty {
                return owner == .sandbox ? .production : .sandbox
            }
        }
        return AppStoreEnvironment(
            receiptType: receipt?.word(
                "receipt_type", AppStoreEnvironment.receiptTypes, "Production or ProductionSandbox"
            ),
            stated: stated, rows: rows
        ).decided(record)
    }

    /// The outcome of a status; `unreachable` if the store didn't judge the receipt, because of an
    /// outage or a faulty request.
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
    ).union(AppStoreRow.knownKeys).union(["receipt_type", "bundle_id", "in_app"]).union(unplaced)

    /// The keys of a receipt about the app itself.
    private static let unplaced: Set<String> = [
        "adam_id", "application_version", "download_id", "original_application_version",
        "expiration_date", "preorder_date",
    ]
}

extension VerifyReceiptResponse {
    /// The facts of the response: the snapshot under this identity, the validation, cancellations,
    /// and pending renewals.
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
        for line in pending {
            guard let kept = line.keptPlan else { continue }
            let account = rows.account(of: line.original)
            facts.append(
                StatedFact(
                    fact: kept, account: account, signedAt: answeredAt, endsOpenChange: true))
        }
        return facts
    }
}

extension VerifyReceiptResponse {
    /// Whether an object is a response: it has a receipt, or a status and only keys of responses. A
    /// refusal may have the keys of a receipt without values.
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
        readStatements: { document, remarks, context in
            guard let record = RecordReader(document, remarks: remarks) else { return [] }
            let response = VerifyReceiptResponse(record)
            guard context.accepts(record, app: response.app) else { return [] }
            let identity = SHA256.shortHex(document.canonicalBytes(without: "password"))
            return [
                StatedSource(
                    identity: identity, place: remarks.place(of: document.offset),
                    app: response.app, environment: response.environment,
                    date: response.dates.latest, facts: response.facts(identity: identity))
            ]
        })
}
