import PurchaseEvents

/// What the app had granted at a line of the log, for rules that answer at its end.
///
/// The facts know the first and the latest delivery and the latest withdrawal of a transaction;
/// this knows all of them, and who was given what no fact says whose it is. Costs memory for what
/// was withdrawn, and for what is nobody's.
struct Grants: Sendable {
    /// From the line of a withdrawal to that of the next delivery; 0 where there is none yet.
    private struct Gap: Sendable {
        var start: LineNumber
        var end: LineNumber = 0
    }

    /// By transaction, in the order of the log.
    private var gaps: [TransactionID<Interned>: [Gap]] = [:]
    private var recipients = Holdings()

    /// Takes in a delivery or a withdrawal.
    mutating func observe(_ event: Event<Interned>, on line: LineNumber, _ facts: Facts) {
        guard let transaction = event.transaction else { return }
        if event.type == .deliveryWithdrawn {
            if let gap = gaps[transaction]?.last, gap.end == 0 { return }
            gaps[transaction, default: []].append(Gap(start: line))
        } else if event.type == .deliveryDelivered {
            if facts[transaction].withdrawnLine != 0 { end(transaction, line) }
            guard let account = event.account,
                facts[transaction].firstDeliveredLine == line,
                facts.kind(of: transaction) != .consumable,
                facts.owner(of: transaction) == nil
            else { return }
            recipients.add(UInt32(transaction.index), under: Holdings.key(account), once: false)
        }
    }

    /// Ends the gap that the latest withdrawal began.
    private mutating func end(_ transaction: TransactionID<Interned>, _ line: LineNumber) {
        guard var all = gaps[transaction], let gap = all.last, gap.end == 0 else { return }
        all[all.count - 1].end = line
        gaps[transaction] = all
    }

    /// The delivery by which a transaction was granted at a line; `nil` where it wasn't then.
    func delivery(
        of transaction: TransactionID<Interned>, at line: LineNumber, _ facts: Facts
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

    /// What an account was given of which no fact says whose it is, the latest first.
    func given(
        to account: AccountID<Interned>, _ facts: Facts
    ) -> [TransactionID<Interned>] {
        recipients.values(under: Holdings.key(account)).compactMap {
            let transaction = TransactionID<Interned>(index: Int($0))
            return facts.owner(of: transaction) == nil ? transaction : nil
        }
    }
}
