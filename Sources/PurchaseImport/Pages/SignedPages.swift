import PurchaseEvents

// The pages of the App Store Server API (importing.md, 1). A page isn't a snapshot: each signed
// record on the page states the same facts as anywhere else.

extension AppStoreFormat {
    /// Pages of the transaction history, of the refund history and of order look-ups.
    static let history = AppStoreFormat(
        kind: .history, recognises: { $0["signedTransactions"]?.elements != nil },
        readStatements: { document, remarks, context in
            guard let page = Page(document, remarks, context) else { return [] }
            page.remarkUnknownKeys(["signedTransactions", "revision", "status"])
            page.checkOrder()
            let opened = page.elements("signedTransactions").compactMap { element, path in
                OpenedRecord(element, path: path, remarks, context)
            }
            page.noteEnd(of: .history, opened.first?.payload["appTransactionId"]?.plainText)
            return opened.compactMap { page.transaction($0)?.source() }
        })

    /// The response to a look-up of one transaction.
    static let transactionInfo = AppStoreFormat(
        kind: .transactionInfo,
        recognises: { document in
            transactionInfoKeys.contains { key in
                document[key].map { $0.isText || $0.members != nil } ?? false
            }
        },
        readStatements: { document, remarks, context in
            guard let page = Page(document, remarks, context) else { return [] }
            page.remarkUnknownKeys(
                transactionInfoKeys.union(["status", "originalTransactionId"]))
            if let app = OpenedRecord("signedAppTransactionInfo", of: page.record, context) {
                AppTransaction.take(app, context)
                guard Page.lineKeys.contains(where: { page.record.value($0) != nil }) else {
                    return []
                }
            }
            return page.line(page.record)
        })

    /// The response with the statuses of all subscriptions of a user.
    static let status = AppStoreFormat(
        kind: .status,
        recognises: { document in
            guard let groups = document["data"]?.elements else { return false }
            // Other services answer with an empty `data` too, but don't name an app beside it.
            return groups.isEmpty
                ? document["bundleId"] != nil
                : groups.allSatisfy { $0["lastTransactions"]?.elements != nil }
        },
        readStatements: { document, remarks, context in
            guard let page = Page(document, remarks, context) else { return [] }
            page.remarkUnknownKeys(["data"])
            return page.record.records("data").flatMap { $0.records("lastTransactions") }
                .flatMap(page.line)
        })

    static let notificationHistory = AppStoreFormat(
        kind: .notificationHistory,
        recognises: { $0["notificationHistory"]?.elements != nil },
        readStatements: { document, remarks, context in
            guard let page = Page(document, remarks, context) else { return [] }
            page.noteEnd(of: .notificationHistory)
            page.remarkUnknownKeys(["notificationHistory", "paginationToken"])
            return page.record.records("notificationHistory").compactMap { item in
                SendAttempts.check(item)
                item.remarkUnknownKeys(
                    of: "notification history", known: ["signedPayload", "sendAttempts"])
                guard item.hasValue(ofOneOf: ["signedPayload"]) else { return nil }
                return OpenedRecord("signedPayload", of: item, context)
                    .flatMap { ServerNotification($0, context) }?.source
            }
        })

    private static let transactionInfoKeys: Set<String> = [
        "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
    ]
}

/// A page, with the app and the environment that all its records must have.
private struct Page {
    let record: RecordReader
    private let app: String?
    private let environment: Environment?
    private let context: ReadContext

    /// Returns `nil`, with a remark, for another app's page.
    init?(_ document: JSONValue, _ remarks: ImportRemarks, _ context: ReadContext) {
        guard let record = RecordReader(document, remarks: remarks), context.accepts(record) else {
            return nil
        }
        self.record = record
        self.context = context
        app = record.name("bundleId")
        environment = AppStoreEnvironment.stated(record)
    }

    /// Notes whether more pages follow this one, of a customer if it is one's.
    func noteEnd(of kind: ImportKind, _ customer: String? = nil) {
        var end = PageEnd(kind: kind, customer: customer.map(PackedSource.fingerprint(of:)))
        if record.flag("hasMore") == true {
            end.more = record.remarks.place(
                of: record.value("hasMore")?.offset ?? record.offset,
                path: record.path(to: "hasMore"))
        }
        record.remarks.note(end)
    }

    func remarkUnknownKeys(_ known: Set<String>) {
        let common: Set<String> = ["bundleId", "appAppleId", "environment", "hasMore"]
        record.remarkUnknownKeys(of: "page", known: known.union(common))
    }

    /// The elements of the array under a key, each with its path.
    func elements(_ key: String) -> [(element: JSONValue, path: String)] {
        let elements = record.value(key)?.elements ?? []
        return elements.enumerated().map { index, element in
            (element, "\(record.path(to: key))[\(index)]")
        }
    }

    /// A transaction on the page, signed or decoded, or `nil`, with a remark, if it is skipped.
    func transaction(_ opened: OpenedRecord) -> SignedTransaction? {
        accepted(opened).flatMap { SignedTransaction($0, context) }
    }

    /// The record; `nil` if its signature is invalid, or if its app or environment isn't the
    /// page's.
    private func accepted(_ opened: OpenedRecord?) -> OpenedRecord? {
        guard let opened, opened.signature != .invalid, opened.belongs(to: app, environment) else {
            return nil
        }
        return opened
    }

    /// Adds a note if the page answers the look-up of an order that the App Store doesn't know.
    func checkOrder() {
        let isInvalid = record.number(
            "status", ["0": false, "1": true], "0 or 1", orRemark: .note)
        guard isInvalid == true else { return }
        record.remark(
            .note, "status",
            "the answer to an order look-up with an invalid order number: it states no purchase")
    }

    /// The keys of the signed records of an item.
    static let lineKeys = ["signedTransactionInfo", "signedRenewalInfo"]

    /// The statements of an item that may have a signed transaction, a signed renewal info and a
    /// status; an item with neither record gives a remark.
    func line(_ item: RecordReader) -> [StatedSource] {
        guard item.hasValue(ofOneOf: Page.lineKeys) else { return [] }
        let transaction = accepted(OpenedRecord("signedTransactionInfo", of: item, context))
            .flatMap { SignedTransaction($0, context) }
        let renewal = accepted(OpenedRecord("signedRenewalInfo", of: item, context))
            .flatMap { RenewalInfo($0, context) }
        let status = item.number("status", SubscriptionStatus.numbers, "1 to 5")
        var sources = [transaction?.source()].compactMap(\.self)
        let end = transaction?.row.expiresAt
        if let renewal {
            sources.append(renewal.source(status: status, end: end, app: app ?? transaction?.app))
            if status == .grace, renewal.pending.graceExpiresAt == nil {
                item.remark(
                    .warning, "status",
                    "expected `gracePeriodExpiresDate` of the renewal info beside it, seen none; "
                        + "recorded a retry without a grace period")
            }
        } else if let status, status != .active, status != .revoked {
            item.remark(
                .warning, "status",
                "expected a valid `signedRenewalInfo` beside it, seen none; skipped the status")
        }
        return sources
    }
}
