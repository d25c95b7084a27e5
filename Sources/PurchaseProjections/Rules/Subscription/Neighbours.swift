import PurchaseEvents

/// A period of a line and the one that starts next.
struct Neighbours {
    /// The one that starts first.
    var earlier: Period
    /// The one that starts next.
    var later: Period
}

extension Facts {
    /// The pairs of neighbouring periods of a line, by start.
    func neighbours(of line: LineFacts) -> [Neighbours] {
        // Most lines of a large log have one period.
        guard line.firstTransaction != line.lastTransaction else { return [] }
        let periods = periods(of: line)
        return zip(periods, periods.dropFirst()).map { Neighbours(earlier: $0, later: $1) }
    }

    /// Whether a period takes the place of its neighbour at once: by an upgrade (G6.5), or by a
    /// change that the App Store said acts now.
    func actsAtOnce(_ pair: Neighbours, _ line: LineFacts) -> Bool {
        if pair.earlier.ended == .upgraded { return true }
        guard let from = pair.earlier.product, let to = pair.later.product, from != to else {
            return false
        }
        if line.planChange == PlanChange(next: to, effect: .now) { return true }
        guard let level = self[from].level, let next = self[to].level else { return false }
        return next < level
    }

    /// The line at which the log showed both periods: that of the later statement.
    func line(of pair: Neighbours) -> LineNumber {
        max(attestedLine(of: pair.earlier.transaction), attestedLine(of: pair.later.transaction))
    }

    /// Notes on the periods of a pair, save the one that a finding is on the line of.
    func notes(on pair: Neighbours, besides line: LineNumber) -> [Finding.Note] {
        [attested(pair.earlier.transaction), attested(pair.later.transaction)]
            .filter { $0.line != line }
    }
}
