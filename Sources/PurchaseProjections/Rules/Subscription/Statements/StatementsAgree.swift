import PurchaseEvents

/// Two statements about one transaction agree on its purchase date, its end and its kind (G7.2,
/// I9).
///
/// Dates may differ by 5 seconds, because a receipt rounds to seconds. An end moves only by an
/// extension, a cancellation or an upgrade. One that moves later by at most 90 days is a note,
/// because the log may not have heard of an extension, and so is everything in sandbox and xcode.
/// One finding a transaction for its end, and one for its date and kind. Judged at the end of the
/// log, when all extensions are known.
struct StatementsAgree: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        Two statements about one transaction agree on its purchase date (to 5 s), its end and its \
        kind; an end moves only by an extension, a cancellation or an upgrade. One that moves \
        later by at most 90 days is a note, and so is everything in sandbox and xcode.
        """
    static let evidence = ["I9", "G7.2"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalExtended)

    private struct Pair: SnapshottedElement {
        var transaction = TransactionHandle(index: 0)
        /// The line of the statement signed later, and the line of the other.
        var line: LineNumber = 0, other: LineNumber = 0
        /// What the later one says, and the other, without the verb.
        var seen = "", before = ""
        var isEnd = false
        var level = Level.note

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&transaction).visit(&line).visit(&other).visit(&seen).visit(&before)
            visitor.visit(&isEnd).visit(&level)
        }
    }

    private struct Place: Hashable {
        var transaction: TransactionHandle
        var isEnd: Bool
    }

    /// The gravest pair of each transaction, the first of equal ones.
    private var pairs: [Place: Pair] = [:]
    /// The line of the statement that counts, of transactions whose statements disagree.
    private var counting: [TransactionHandle: LineNumber] = [:]
    /// The transactions and lines that were extended.
    private var extended: Set<TransactionHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&pairs).visit(&counting).visit(&extended)
    }
    /// The longest time for which an extension that the log didn't hear of may move an end.
    private static let longestExtension = 90 * Timestamp.day

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .renewalExtended, case .renewalExtended(let payload) = event.fact {
            extended.insert(payload.transaction ?? payload.original)
            return
        }
        guard let transaction = event.transaction, facts[transaction].statedLine < line.number
        else { return }
        report.test()
        guard let disagreement = facts.disagreement else { return }
        compare(event, transaction, disagreement, line.number, facts)
    }

    private mutating func compare(
        _ event: LogEvent, _ transaction: TransactionHandle,
        _ disagreement: Disagreement, _ line: LineNumber, _ facts: Facts
    ) {
        let known = counting[transaction] ?? facts.attestedLine(of: transaction)
        let isLater = disagreement.isLater
        if isLater { counting[transaction] = line }
        let isTest = facts.environment(of: event) != .production
        func add(_ said: String, _ before: String, isEnd: Bool, isNote: Bool) {
            let pair = Pair(
                transaction: transaction, line: isLater ? line : known,
                other: isLater ? known : line, seen: isLater ? said : before,
                before: isLater ? before : said, isEnd: isEnd,
                level: isTest || isNote ? .note : .warning)
            let place = Place(transaction: transaction, isEnd: isEnd)
            if pairs[place].map({ $0.level == .note && pair.level != .note }) ?? true {
                pairs[place] = pair
            }
        }
        let (before, said) = (disagreement.before, disagreement.said)
        if let old = before.purchasedAt, let date = said.purchasedAt {
            add("was bought at \(date.text)", "at \(old.text)", isEnd: false, isNote: false)
        } else if let old = before.kind, let kind = said.kind {
            add(
                "is of kind \(kind.rawValue)", "of kind \(old.rawValue)", isEnd: false,
                isNote: false)
        }
        guard !said.isEnded, let old = before.expiresAt, let end = said.expiresAt else { return }
        let moved = isLater ? old.distance(to: end) : end.distance(to: old)
        add(
            "ends at \(end.text)", "at \(old.text)", isEnd: true,
            isNote: moved > 0 && moved <= StatementsAgree.longestExtension)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let pairs = pairs.values.sorted {
            ($0.line, $0.isEnd ? 1 : 0) < ($1.line, $1.isEnd ? 1 : 0)
        }
        for pair in pairs {
            let transaction = pair.transaction
            if pair.isEnd {
                guard !facts[transaction].isUpgraded, !facts[transaction].wasRefunded,
                    !extended.contains(transaction),
                    !extended.contains(facts.original(of: transaction))
                else { continue }
                if let reason = facts.incompleteReason {
                    report.cannotTell("that a period was extended may be missing: \(reason)")
                    continue
                }
            }
            find(pair, facts, &report)
        }
    }

    private func find(_ pair: Pair, _ facts: Facts, _ report: inout Report) {
        let text = facts.text(pair.transaction)
        let owner = facts.owner(of: pair.transaction)
        report.find(
            at: pair.line, facts, level: pair.level, account: owner, key: text,
            "transaction \(text)\(facts.ownerSuffix(owner)) \(pair.seen) by this statement, and "
                + "\(pair.before) by that of line \(pair.other): expected them to agree",
            notes: Finding.note(pair.other, "let transaction \(text) be stated otherwise"),
            hint: pair.isEnd
                ? "look for an extension that was not recorded, or for a source that makes up "
                    + "dates" : "look at which of the two the App Store signed")
    }
}
