import PurchaseEvents

/// Each `id` has one content, and each transaction one product (event-log.md, 2).
///
/// The content is what the event states: every key except `seq`, `at` and `chain`. Xcode reuses
/// transaction identifiers, so there a second product is only a note. Costs about 30 bytes for each
/// `id` and 4 for each transaction.
struct IdentifiersUnique: CatalogueRule {
    static let id = "identifiers-unique"
    static let level = Level.error
    static let statement =
        "Each id has one content: all keys except seq, at and chain; a repeat with the same "
        + "content is noted. One transaction belongs to one product; in the environment xcode a "
        + "second product is noted."
    static let evidence = ["format"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed)
    static let readsKeys = EnvelopeKeys.id

    private var ids = IdentifierTable()
    /// The product handle plus one of each transaction's first statement; 0 if there is none.
    private var products = DenseTable<UInt32>(0)
    /// Transactions whose first statement gives no environment, in a log of unknown environment.
    private var unstated = TransactionSet()

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let id = event.id { observe(id, event, on: line, facts, &report) }
        guard let transaction = event.transaction, let product = event.product else {
            return
        }
        let known = products[transaction.index]
        let statedHandle = product.name.rawValue &+ 1
        if known == statedHandle { return }
        if known == 0 {
            products[transaction.index] = statedHandle
            if facts.startsInTheMiddle, event.environment == nil { unstated.insert(transaction) }
            return report.test()
        }
        let first = ProductID<Interned>(index: Int(known) - 1)
        judge(transaction, first, product, event, on: line, facts, &report)
    }

    private mutating func observe(
        _ id: Fingerprint, _ event: Event<Interned>, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let digest = line.withContent { facts.names.digest(of: $0) }
        guard let before = ids.insert(id, digest, line.number) else { return report.test() }
        let text = line.written?.id
        let name = text.map { "id \($0)" } ?? "the id"
        let isSame = before.digest == digest
        report.find(
            event, on: line, facts, level: isSame ? .note : nil, key: text,
            isSame
                ? "\(name) is used again with the same content: expected it once"
                : "\(name) is used again with different content: expected one content for an id",
            notes: [Finding.Note(line: before.line, message: "let \(name) be used here first")],
            hint: isSame
                ? "nothing is lost; a writer that appends an id twice should be told that the log "
                    + "has it"
                : "one of the two events would be dropped as a repetition: look at how the writer "
                    + "makes its ids")
    }

    private mutating func judge(
        _ transaction: TransactionID<Interned>, _ first: ProductID<Interned>,
        _ second: ProductID<Interned>, _ event: Event<Interned>, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let isReuse =
            facts.environment(of: event) == .xcode || facts[transaction].environment == .xcode
        if isReuse { products[transaction.index] = second.name.rawValue &+ 1 }
        let isUnstated = event.environment == nil || unstated.contains(transaction)
        if !isReuse, isUnstated, let reason = facts.environmentMayBeMissing {
            return report.cannotTell(reason)
        }
        let (one, other) = (facts.names.text(of: first), facts.names.text(of: second))
        let name = DeliveryPhrases.name(transaction, facts)
        report.find(
            event, on: line, facts, level: isReuse ? .note : nil,
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) is stated for product \(other): expected \(one), as before",
            notes: DeliveryPhrases.note(
                facts[transaction].statedLine, "let \(name) be stated for \(one)"),
            hint: isReuse
                ? "transaction identifiers of Xcode's test environment start again: keep a log for "
                    + "each run"
                : "what the account is owed can't be told for this transaction: look at where the "
                    + "writer takes the product from")
    }
}
