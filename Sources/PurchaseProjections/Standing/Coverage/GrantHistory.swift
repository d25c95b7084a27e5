import PurchaseEvents

/// The app's grants at each line of the log, for rules that judge at the end of the log.
///
/// Facts keep only the first and latest delivery and the latest withdrawal; this history keeps all
/// withdrawal gaps, the ends that the app set, and the recipients of transactions without a known
/// owner. Memory is proportional to these.
struct GrantHistory: Sendable, Snapshotted {
    /// The time from a withdrawal to the next delivery, as lines; the end is 0 while it is open.
    private struct Gap: Sendable {
        var start: LineNumber
        var end: LineNumber = 0
    }

    /// Gaps by transaction, in log order.
    private var gaps: [TransactionHandle: [Gap]] = [:]
    private var recipients = IndexLists()
    /// The ends that the app set for a non-renewing subscription, by transaction, in log order.
    private var ends: [TransactionHandle: [(line: LineNumber, until: Timestamp)]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&gaps).visit(&recipients).visit(&ends)
    }

    mutating func observe(_ event: LogEvent, on line: LineNumber, _ facts: Facts) {
        guard let transaction = event.transaction else { return }
        if event.type == .deliveryWithdrawn {
            if let gap = gaps[transaction]?.last, gap.end == 0 { return }
            gaps[transaction, default: []].append(Gap(start: line))
        } else if event.type == .deliveryDelivered {
            if facts[transaction].withdrawnLine != 0 { end(transaction, line) }
            if case .deliveryDelivered(let payload) = event.fact, let until = payload.until {
                ends[transaction, default: []].append((line, until))
            }
            guard let account = event.account,
                facts[transaction].firstDeliveredLine == line,
                facts.kind(of: transaction) != .consumable,
                facts.owner(of: transaction) == nil
            else { return }
            recipients.add(UInt32(transaction.index), under: IndexLists.key(account))
        }
    }

    /// Closes the latest gap.
    private mutating func end(_ transaction: TransactionHandle, _ line: LineNumber) {
        guard let last = gaps[transaction]?.indices.last, gaps[transaction]?[last].end == 0
        else { return }
        gaps[transaction]?[last].end = line
    }

    /// The delivery in force at a line; `nil` if the transaction was not granted then.
    func delivery(
        of transaction: TransactionHandle, at line: LineNumber, _ facts: Facts
    ) -> LineNumber? {
        let first = facts[transaction].firstDeliveredLine
        guard first != 0, first < line else { return nil }
        guard facts[transaction].withdrawnLine != 0, let gaps = gaps[transaction] else {
            return first
        }
        let later = gaps.lowerBound { $0.start > line }
        guard later > 0 else { return first }
        let gap = gaps[later - 1]
        return gap.end == 0 || gap.end > line ? nil : gap.end
    }

    /// The ranges of lines within which a transaction was granted, in order.
    func standing(of transaction: TransactionHandle, _ facts: Facts) -> [Range<LineNumber>] {
        let first = facts[transaction].firstDeliveredLine
        guard first != 0 else { return [] }
        var ranges: [Range<LineNumber>] = []
        var from = first + 1
        for gap in gaps[transaction] ?? [] {
            if from < gap.start { ranges.append(from..<gap.start) }
            guard gap.end != 0 else { return ranges }
            from = gap.end + 1
        }
        return ranges + [from..<LineNumber.max]
    }

    /// The ranges of lines within which a non-renewing subscription was granted until an end that
    /// the app had set, and that end; in order.
    func knownEnds(
        of transaction: TransactionHandle, _ facts: Facts
    ) -> [(lines: Range<LineNumber>, until: Timestamp)] {
        guard let ends = ends[transaction], facts.kind(of: transaction) == .nonRenewing
        else { return [] }
        var known: [(lines: Range<LineNumber>, until: Timestamp)] = []
        let gaps = gaps[transaction] ?? []
        // The lines at which the end or the grant changed. A delivery counts for the lines after.
        let changes =
            ends.map { $0.line + 1 } + gaps.map(\.start)
            + gaps.map { $0.end }.filter { $0 != 0 }.map { $0 + 1 }
        let lines = Set(changes).sorted()
        var end = 0
        for (place, line) in lines.enumerated() {
            while end + 1 < ends.count, ends[end + 1].line < line { end += 1 }
            guard ends[end].line < line, delivery(of: transaction, at: line, facts) != nil
            else { continue }
            let next = place + 1 < lines.count ? lines[place + 1] : LineNumber.max
            known.append((line..<next, ends[end].until))
        }
        return known
    }

    /// The transactions without a known owner that were given to an account, latest first.
    func given(to account: AccountHandle, _ facts: Facts) -> [TransactionHandle] {
        recipients.values(under: IndexLists.key(account)).compactMap {
            let transaction = TransactionHandle(index: Int($0))
            return facts.owner(of: transaction) == nil ? transaction : nil
        }
    }
}
