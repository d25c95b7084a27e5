import PurchaseEvents

/// The gaps in a log: events before its first line, and lines that were not understood.
extension Facts {
    /// Why the log may be incomplete up to here; `nil` if it shows everything.
    ///
    /// A rule whose finding would rest on an absent event reports this reason instead (rules.md).
    public var incompleteReason: String? {
        if startsInTheMiddle {
            return "the log starts in the middle, and what came before its first line is unknown"
        }
        guard let line = notUnderstoodLines.first else { return nil }
        if notUnderstoodCount == 1 {
            return "line \(line) was not understood, and what it said is unknown"
        }
        return "\(notUnderstoodCount) lines were not understood, line \(line) first, "
            + "and what they said is unknown"
    }

    /// Why the log may be incomplete before a line; `nil` if it shows everything.
    func incompleteReason(before line: LineNumber) -> String? {
        let isUnread = notUnderstoodLines.first.map { $0 < line } ?? false
        return startsInTheMiddle || isUnread ? incompleteReason : nil
    }

    /// Why the log may be incomplete after a line; `nil` if every later line was understood.
    public func incompleteReason(after line: LineNumber) -> String? {
        guard latestNotUnderstoodLine > line else { return nil }
        return "line \(latestNotUnderstoodLine) was not understood, and what it said is unknown"
    }

    /// The `seq` of an event's line; `nil` before the first event.
    public func seq(of line: LineNumber) -> Int64? { record.pointee.positions.seq(of: line) }

    /// The identifier of a transaction as text.
    public func text(_ transaction: TransactionHandle) -> String { names.text(of: transaction) }
}
