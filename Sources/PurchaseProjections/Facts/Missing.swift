import PurchaseEvents

/// What a log can't tell: what came before it, and what a line that was not understood said.
extension Facts {
    /// Why something that the log doesn't show may have happened all the same; `nil` where the
    /// log shows everything up to here.
    ///
    /// A rule whose finding would rest on something missing says this instead (rules.md).
    public var mayHaveMissed: String? {
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

    /// Why something that the log doesn't show may have happened after a line of it; `nil` where
    /// every line since was understood.
    public func mayHaveMissed(after line: LineNumber) -> String? {
        guard latestNotUnderstoodLine > line else { return nil }
        return "line \(latestNotUnderstoodLine) was not understood, and what it said is unknown"
    }

    /// The `seq` of a line that is an event, and was read.
    public func seq(of line: LineNumber) -> Int64? { record.pointee.positions.seq(of: line) }

    /// The text of a transaction.
    public func text(_ transaction: TransactionID<Interned>) -> String {
        names.text(of: transaction)
    }
}
