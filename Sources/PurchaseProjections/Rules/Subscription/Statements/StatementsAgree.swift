import PurchaseEvents

/// Two statements about one transaction agree on its purchase date, its end and its kind (G7.2,
/// I9).
///
/// Dates may differ by 5 seconds, because a receipt rounds to seconds. An end moves only by an
/// extension to it, a cancellation or an upgrade; a statement may still name an earlier end than
/// the extension. One that moves later by at most 90 days is a note, because the log may not have
/// heard of an extension, and so is everything in sandbox and xcode.
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
        /// The ends that the later one and the other state, if they disagree on it.
        var end = Timestamp.earliest, otherEnd = Timestamp.earliest
        var level = Level.note

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&transaction).visit(&line).visit(&other).visit(&seen).visit(&before)
            visitor.visit(&isEnd).visit(&end).visit(&otherEnd).visit(&level)
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
    /// The extensions of each transaction, and by original those that name no transaction.
    private var extensions: [TransactionHandle: [Extension]] = [:]
    private var extensionsOfLines: [TransactionHandle: [Extension]] = [:]

    private struct Extension {
        var end: Timestamp
        /// The line of the log, as long as `end`, so that a snapshot holds no bytes between.
        var line: Int
    }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&pairs).visit(&counting).visit(&extensions).visit(&extensionsOfLines)
    }

    /// The longest time for which an extension that the log didn't hear of may move an end.
    private static let longestExtension = 90 * Timestamp.day

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .renewalExtended, case .renewalExtended(let payload) = event.fact {
            let extended = Extension(end: payload.expiresAt, line: Int(line.number))
            if let transaction = payload.transaction {
                extensions[transaction, default: []].append(extended)
            } else {
                extensionsOfLines[payload.original, default: []].append(extended)
            }
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
        var pair = Pair(
            transaction: transaction, line: isLater ? line : known, other: isLater ? known : line)
        func add(_ said: String, _ before: String, isNote: Bool) {
            pair.seen = isLater ? said : before
            pair.before = isLater ? before : said
            pair.level = isTest || isNote ? .note : .warning
            let place = Place(transaction: transaction, isEnd: pair.isEnd)
            if pairs[place].map({ $0.level == .note && pair.level != .note }) ?? true {
                pairs[place] = pair
            }
        }
        let (before, said) = (disagreement.before, disagreement.said)
        if let old = before.purchasedAt, let date = said.purchasedAt {
            add("was bought at \(date.text)", "at \(old.text)", isNote: false)
        } else if let old = before.kind, let kind = said.kind {
            add("is of kind \(kind.rawValue)", "of kind \(old.rawValue)", isNote: false)
        }
        guard !said.isEnded, let old = before.expiresAt, let end = said.expiresAt else { return }
        pair.isEnd = true
        (pair.end, pair.otherEnd) = isLater ? (end, old) : (old, end)
        let moved = pair.otherEnd.distance(to: pair.end)
        add(
            "ends at \(end.text)", "at \(old.text)",
            isNote: moved > 0 && moved <= StatementsAgree.longestExtension)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for key in extensions.keys { extensions[key]?.sort { $0.end < $1.end } }
        for key in extensionsOfLines.keys { extensionsOfLines[key]?.sort { $0.end < $1.end } }
        let pairs = pairs.values.sorted {
            ($0.line, $0.isEnd ? 1 : 0) < ($1.line, $1.isEnd ? 1 : 0)
        }
        for var pair in pairs {
            let transaction = pair.transaction
            if pair.isEnd {
                let other = extended(transaction, to: pair.otherEnd, facts)
                guard !facts[transaction].isUpgraded, !facts[transaction].wasRefunded,
                    extended(transaction, to: pair.end, facts) == nil,
                    other == nil || pair.end > pair.otherEnd
                else { continue }
                if let other { pair.other = LineNumber(other.line) }
                if let reason = facts.incompleteReason {
                    report.cannotTell("that a period was extended may be missing: \(reason)")
                    continue
                }
            }
            find(pair, facts, &report)
        }
    }

    /// The extension of a transaction to an end, give or take the rounding of a receipt; `nil` if
    /// there is none.
    private func extended(
        _ transaction: TransactionHandle, to end: Timestamp, _ facts: Facts
    ) -> Extension? {
        let earliest = end.advanced(byMilliseconds: -Disagreement.tolerance)
        for known in [extensions[transaction], extensionsOfLines[facts.original(of: transaction)]] {
            guard let known else { continue }
            let place = known.lowerBound { $0.end >= earliest }
            if place < known.count, end.distance(to: known[place].end) <= Disagreement.tolerance {
                return known[place]
            }
        }
        return nil
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
