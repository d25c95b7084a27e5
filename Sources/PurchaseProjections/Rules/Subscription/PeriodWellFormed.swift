import PurchaseEvents

/// A period ends after it starts, and its original isn't younger than it.
///
/// A period is what a `queue.purchased`, `receipt.listed`, `renewal.started` or `renewal.renewed`
/// with an end says, or a `renewal.extended` of a transaction. An original date more than 5 seconds
/// after the purchase date is a warning in production; sandbox and Xcode are known for it (G6.1).
struct PeriodWellFormed: Rule {
    static let id = "period-well-formed"
    static let level = Level.error
    static let statement = """
        A period ends after it starts. An original purchase date more than 5 seconds after the \
        purchase date is a warning in production, a note in sandbox and xcode.
        """
    static let evidence = ["G6.1"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalExtended)

    private var periods = TransactionSet()
    private var reversed = TransactionSet()
    private var olderThanOriginal = TransactionSet()

    init() {}

    private struct Dates {
        var start: Timestamp?
        var end: Timestamp?
        var original: Timestamp?
    }

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction else { return }
        let dates = dates(event.fact, facts)
        guard let start = dates.start, let end = dates.end else { return }
        if periods.insert(transaction) { report.test() }
        let text = facts.text(transaction)
        if end <= start, reversed.insert(transaction) {
            report.find(
                event, on: line, facts, account: facts.owner(of: transaction), key: text,
                "the period of transaction \(text) ends at \(end.text), and starts at "
                    + "\(start.text): expected an end after the start",
                notes: event.type == .renewalExtended ? [facts.attested(transaction)] : [],
                hint: "it grants nothing as it stands: compare the dates with the receipt's")
        }
        let latest = start.advanced(byMilliseconds: 5 * Timestamp.second)
        if let original = dates.original, original > latest, olderThanOriginal.insert(transaction) {
            report.find(
                event, on: line, facts,
                level: facts.environment(of: event) == .production ? .warning : .note,
                account: facts.owner(of: transaction), key: text,
                "the period of transaction \(text) starts at \(start.text), and its original was "
                    + "purchased at \(original.text): expected no original after its renewal",
                hint: "the dates may be swapped: compare them with the receipt's")
        }
    }

    private func dates(_ fact: Fact<Interned>, _ facts: Facts) -> Dates {
        if case .queuePurchased(let said) = fact {
            return Dates(
                start: said.purchasedAt, end: said.expiresAt, original: said.originalPurchasedAt)
        }
        if case .receiptListed(let said) = fact {
            return Dates(
                start: said.purchasedAt, end: said.expiresAt, original: said.originalPurchasedAt)
        }
        if case .renewalStarted(let said) = fact {
            return Dates(start: said.purchasedAt, end: said.expiresAt)
        }
        if case .renewalRenewed(let said) = fact {
            return Dates(start: said.purchasedAt, end: said.expiresAt)
        }
        if case .renewalExtended(let said) = fact, let transaction = said.transaction,
            facts[transaction].attestsPeriod
        {
            return Dates(start: facts[transaction].purchasedAt, end: said.expiresAt)
        }
        return Dates()
    }
}
