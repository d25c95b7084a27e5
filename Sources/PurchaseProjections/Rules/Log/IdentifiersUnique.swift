import PurchaseEvents

/// Each `id` has one content, and each transaction one product (event-log.md, 2).
///
/// The content is what the event states: every key except `seq`, `at` and `chain`. Xcode reuses
/// transaction identifiers, so there a second product is only a note. Costs about 30 bytes for each
/// `id` and 4 for each transaction.
struct IdentifiersUnique: CatalogueRule {
    static let level = Level.error
    static let statement =
        "Each id has one content: all keys except seq, at and chain; a repeat with the same "
        + "content is noted. One transaction belongs to one product; in the environment xcode a "
        + "second product is noted."
    static let evidence = ["format"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed)
    static let readsKeys = true

    private var ids = IdentifierTable()
    /// The product handle plus one of each transaction's first statement; 0 if there is none.
    private var products = DenseTable<UInt32>(0)
    /// Transactions whose first statement gives no environment, in a log of unknown environment.
    private var unstated = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&ids).visit(&products).visit(&unstated)
    }

    private struct EarlierUse {
        var line: LineNumber
        var isSame: Bool
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let earlier = event.id.flatMap { use(of: $0, on: line, facts, &report) }
        // A line has one finding, the more severe one.
        if let earlier, !earlier.isSame { find(earlier, event, on: line, facts, &report) }
        let isFound = earlier.map { !$0.isSame } ?? false
        if state(event, on: line, facts, &report, isFound: isFound) { return }
        if let earlier, earlier.isSame { find(earlier, event, on: line, facts, &report) }
    }

    /// Compares the product that a statement gives its transaction with that of the first
    /// statement; returns whether that is a finding.
    private mutating func state(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report, isFound: Bool
    ) -> Bool {
        guard let transaction = event.transaction, let product = event.product else { return false }
        let known = products[transaction.index]
        let statedHandle = product.name.rawValue &+ 1
        if known == statedHandle { return false }
        if known == 0 {
            products[transaction.index] = statedHandle
            if facts.startsInTheMiddle, event.environment == nil { unstated.insert(transaction) }
            report.test()
            return false
        }
        let isReuse =
            facts.environment(of: event) == .xcode || facts[transaction].environment == .xcode
        if isReuse { products[transaction.index] = statedHandle }
        if isFound { return true }
        let first = ProductHandle(index: Int(known) - 1)
        return judge(transaction, (first, product), isReuse, event, on: line, facts, &report)
    }

    /// The first line with the `id` of an event; `nil` if it is this line.
    private mutating func use(
        of id: Fingerprint, on line: Line, _ facts: Facts, _ report: inout Report
    ) -> EarlierUse? {
        let digest = line.withContent { facts.names.digest(of: $0) }
        guard let before = ids.insert(id, digest, line.number) else {
            report.test()
            return nil
        }
        return EarlierUse(line: before.line, isSame: before.digest == digest)
    }

    private func find(
        _ earlier: EarlierUse, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        let text = line.written?.id
        let name = text.map { "id \($0)" } ?? "the id"
        let isSame = earlier.isSame
        report.find(
            event, on: line, facts, level: isSame ? .note : nil, key: text,
            isSame
                ? "\(name) is used again with the same content: expected it once"
                : "\(name) is used again with different content: expected one content for an id",
            notes: Finding.note(earlier.line, "let \(name) be used here first"),
            hint: isSame
                ? "nothing is lost; a writer that appends an id twice should be told that the log "
                    + "has it"
                : "one of the two events would be dropped as a repetition: look at how the writer "
                    + "makes its ids")
    }

    private func judge(
        _ transaction: TransactionHandle,
        _ products: (first: ProductHandle, second: ProductHandle), _ isReuse: Bool,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) -> Bool {
        let isUnstated = event.environment == nil || unstated.contains(transaction)
        if !isReuse, isUnstated, let reason = facts.environmentMayBeMissing {
            report.cannotTell(reason)
            return false
        }
        let one = facts.names.text(of: products.first)
        let other = facts.names.text(of: products.second)
        let name = facts.name(transaction)
        report.find(
            event, on: line, facts, level: isReuse ? .note : nil,
            account: facts.account(event, transaction), key: facts.text(transaction),
            "\(name) is stated for product \(other): expected \(one), as before",
            notes: Finding.note(
                facts[transaction].statedLine, "let \(name) be stated for \(one)"),
            hint: isReuse
                ? "transaction identifiers of Xcode's test environment start again: keep a log for "
                    + "each run"
                : "what the account is owed can't be told for this transaction: look at where the "
                    + "writer takes the product from")
        return true
    }
}
