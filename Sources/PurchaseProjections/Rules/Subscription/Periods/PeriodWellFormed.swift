import PurchaseEvents

/// A period ends after it starts and does not start before its original (G6.1).
///
/// Periods are stated by `queue.purchased`, `receipt.listed`, `renewal.started` and
/// `renewal.renewed` with an end, by `renewal.extended` of a transaction, and by a delivery with an
/// end. An original date more than 5 seconds after the purchase date is a warning in production; it
/// is known to happen in sandbox and Xcode. An end date for a consumable or non-consumable is a
/// warning, also where a later line says which kind the product is.
struct PeriodWellFormed: CatalogueRule {
    static let level = Level.error
    static let statement = """
        A period ends after it starts. An original purchase date more than 5 seconds after the \
        purchase date is a warning in production, a note in sandbox and xcode. An end date of a \
        consumable or non-consumable is a warning.
        """
    static let evidence = ["G6.1"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalExtended,
        .deliveryDelivered)

    private var periods = TransactionSet()
    private var reversed = TransactionSet()
    private var olderThanOriginal = TransactionSet()
    private var withUnexpectedEnd = TransactionSet()
    /// The transactions with an end whose product was of a known kind by then.
    private var ofKnownKind = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&periods).visit(&reversed).visit(&olderThanOriginal).visit(&withUnexpectedEnd)
            .visit(&ofKnownKind)
    }

    private struct Dates {
        var start: Timestamp?
        var end: Timestamp?
        var original: Timestamp?
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction else { return }
        let dates = dates(event.fact, facts)
        guard let start = dates.start, let end = dates.end else { return }
        if periods.insert(transaction) { report.test() }
        if end <= start, reversed.insert(transaction) {
            report.find(
                event, on: line, facts, account: facts.owner(of: transaction),
                key: facts.text(transaction),
                "the period of \(facts.describe(transaction)) ends at \(end.text), and starts at "
                    + "\(start.text): expected an end after the start",
                notes: facts.attestedLine(of: transaction) == line.number
                    ? [] : [facts.attested(transaction)],
                hint: "the period grants nothing as stated: compare the dates with the receipt's")
        }
        let latest = start.advanced(byMilliseconds: 5 * Timestamp.second)
        if let original = dates.original, original > latest {
            findOlder(transaction, start, original, event, on: line, facts, &report)
        }
        if let product = event.fact.product {
            findUnexpectedEnd(transaction, product, end, event, on: line, facts, &report)
        }
    }

    private mutating func findOlder(
        _ transaction: TransactionHandle, _ start: Timestamp, _ original: Timestamp,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        guard olderThanOriginal.insert(transaction) else { return }
        report.find(
            event, on: line, facts,
            level: facts.environment(of: event) == .production ? .warning : .note,
            account: facts.owner(of: transaction), key: facts.text(transaction),
            "the period of \(facts.describe(transaction)) starts at \(start.text), and its "
                + "original was purchased at \(original.text): expected no original after its "
                + "renewal",
            hint: "the dates may be swapped: compare them with the receipt's")
    }

    private mutating func findUnexpectedEnd(
        _ transaction: TransactionHandle, _ product: ProductHandle, _ end: Timestamp,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let kind = facts[product].saidKind else { return }
        ofKnownKind.insert(transaction)
        guard kind == .consumable || kind == .nonConsumable, withUnexpectedEnd.insert(transaction)
        else { return }
        findUnexpectedEnd(transaction, product, kind, end, line.number, facts, &report)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for transaction in facts.knownTransactions {
            guard let end = facts[transaction].expiresAt, facts[transaction].attestsPeriod,
                !ofKnownKind.contains(transaction), let product = facts[transaction].product,
                let kind = facts[product].saidKind, kind == .consumable || kind == .nonConsumable
            else { continue }
            let line = facts.attestedLine(of: transaction)
            findUnexpectedEnd(transaction, product, kind, end, line, facts, &report)
        }
    }

    private func findUnexpectedEnd(
        _ transaction: TransactionHandle, _ product: ProductHandle, _ kind: ProductKind,
        _ end: Timestamp, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        report.find(
            at: line, facts, level: .warning, account: facts.owner(of: transaction),
            key: facts.text(transaction),
            "\(facts.describe(transaction)), a product of kind \(kind.rawValue), "
                + "ends at \(end.text): expected no end, or a subscription",
            notes: Finding.note(
                facts[product].listedLine,
                "let \(facts.describe(product)) be listed as \(kind.rawValue)"),
            hint: "the account may keep what it only subscribed to: compare the product's kind "
                + "with the App Store's")
    }

    private func dates(_ fact: Fact<Interned>, _ facts: Facts) -> Dates {
        if case .queuePurchased(let payload) = fact {
            return Dates(
                start: payload.purchasedAt, end: payload.expiresAt,
                original: payload.originalPurchasedAt)
        }
        if case .receiptListed(let payload) = fact {
            return Dates(
                start: payload.purchasedAt, end: payload.expiresAt,
                original: payload.originalPurchasedAt)
        }
        if case .renewalStarted(let payload) = fact {
            return Dates(start: payload.purchasedAt, end: payload.expiresAt)
        }
        if case .renewalRenewed(let payload) = fact {
            return Dates(start: payload.purchasedAt, end: payload.expiresAt)
        }
        if case .renewalExtended(let payload) = fact, let transaction = payload.transaction,
            facts[transaction].attestsPeriod
        {
            return Dates(start: facts[transaction].purchasedAt, end: payload.expiresAt)
        }
        if case .deliveryDelivered(let payload) = fact, let until = payload.until,
            !facts[payload.transaction].isRestored
        {
            return Dates(start: facts[payload.transaction].purchasedAt, end: until)
        }
        return Dates()
    }
}
