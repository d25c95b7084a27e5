import PurchaseEvents

/// Two adjacent periods of a line, by start.
struct Neighbours {
    /// The period that starts first.
    var earlier: Period
    /// The period that starts next.
    var later: Period
}

extension Facts {
    /// The pairs of adjacent periods of a line, by start; test and production periods form no pairs
    /// (G9.3).
    func neighbours(of line: LineFacts) -> [Neighbours] {
        // Most lines of a large log have one period.
        guard line.firstTransaction != line.lastTransaction else { return [] }
        // A period that ends before it starts is none.
        let periods = periods(of: line).filter { $0.start < $0.end }
        let tests = periods.filter { !isAttested($0.transaction, in: .production) }
        if tests.isEmpty || tests.count == periods.count { return Facts.pairs(periods) }
        return Facts.pairs(periods.filter { isAttested($0.transaction, in: .production) })
            + Facts.pairs(tests)
    }

    private static func pairs(_ periods: [Period]) -> [Neighbours] {
        zip(periods, periods.dropFirst()).map { Neighbours(earlier: $0, later: $1) }
    }

    /// Whether a period replaces the one before it immediately: by an upgrade (G6.5), or by a plan
    /// change stated to take effect now.
    func isImmediateChange(_ pair: Neighbours, _ line: LineFacts, _ changes: ImmediateChanges)
        -> Bool
    {
        if pair.earlier.ended == .upgraded { return true }
        guard let from = pair.earlier.product, let to = pair.later.product, from != to else {
            return false
        }
        if changes.contains(to, of: line) { return true }
        guard let level = self[from].level, let next = self[to].level else { return false }
        return next < level
    }

    /// Why the log may not show what ended the earlier of two periods; `nil` if it would.
    ///
    /// Any missing line may state an upgrade. A refund is stated after the purchase, so only a line
    /// that was not understood can hide it.
    func endMayBeMissing(_ pair: Neighbours) -> String? {
        if pair.earlier.product != pair.later.product, let reason = incompleteReason {
            return "that a plan was upgraded may be missing: \(reason)"
        }
        return incompleteReason(after: 0).map { "that a period was refunded may be missing: \($0)" }
    }

    /// The line at which the log showed both periods: that of the later statement.
    func line(of pair: Neighbours) -> LineNumber {
        max(attestedLine(of: pair.earlier.transaction), attestedLine(of: pair.later.transaction))
    }

    /// Notes on the periods of a pair, except one stated on the given line.
    func notes(on pair: Neighbours, besides line: LineNumber) -> [Finding.Note] {
        [attested(pair.earlier.transaction), attested(pair.later.transaction)]
            .filter { $0.line != line }
    }
}
