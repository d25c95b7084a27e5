/// The periods that may have failed to renew, searched for grace periods from the one stated last
/// to the one stated first; all searches cost about as much as sorting the periods.
package struct FailedPeriods {
    /// The ends in order, and the place of each period's end among them by start of the period.
    private let ends: [Timestamp]
    private var byStart: [(start: Timestamp, place: Int)]
    /// For each place, a place at or before it, plus one, whose period had started, or 0; each
    /// search shortens the ways that it takes.
    private var begun: [Int]

    package init(_ periods: [(start: Timestamp, end: Timestamp)]) {
        let byEnd = periods.sorted { $0.end < $1.end }
        ends = byEnd.map(\.end)
        byStart = byEnd.enumerated().map { ($0.element.start, $0.offset) }
            .sorted { $0.start < $1.start }
        begun = Array(0...byEnd.count)
    }

    /// The end of the period that failed to renew, from when its grace was stated and ends; `nil`
    /// if no period ends by then.
    ///
    /// The store tries to renew from a day before the end (G6.6). So a period that ends later
    /// follows the failure, even if it began where the failed period ended: before the statement.
    /// It counts only where no other period fits.
    ///
    /// - Precondition: The times of statement of successive calls don't increase.
    package mutating func end(beforeGraceTo end: Timestamp, statedAt: Timestamp) -> Timestamp? {
        let attempted = min(end, statedAt.advanced(byMilliseconds: Timestamp.day))
        return self.end(by: attempted, startedBy: statedAt)
            ?? self.end(by: end, startedBy: statedAt)
    }

    /// The last end by a given time among the periods that had started at an instant, or among all
    /// if none of them had; `nil` if no period ends by then.
    ///
    /// - Precondition: The instants of successive calls don't increase.
    private mutating func end(by limit: Timestamp, startedBy instant: Timestamp) -> Timestamp? {
        while let last = byStart.last, last.start > instant {
            begun[last.place + 1] = last.place
            byStart.removeLast()
        }
        let count = ends.lowerBound { $0 > limit }
        guard count > 0 else { return nil }
        var place = count
        while begun[place] != place {
            begun[place] = begun[begun[place]]
            place = begun[place]
        }
        return ends[(place == 0 ? count : place) - 1]
    }
}
