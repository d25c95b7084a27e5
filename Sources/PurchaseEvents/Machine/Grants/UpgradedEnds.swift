/// Where the upgraded rows of a subscription end: each where the first other row begins that ends,
/// whatever ends it, after the upgraded one starts (event-log.md, 4).
///
/// All searches together cost as much as reading the rows once.
package struct UpgradedEnds {
    private let starts: [Timestamp]
    private var ends: [Timestamp]
    private var next = 0

    /// Takes the rows that aren't upgraded, by start, with their own ends or refunds; the next row
    /// ends one earlier.
    package init(others: [(start: Timestamp, end: Timestamp)]) {
        starts = others.map(\.start)
        ends = others.map(\.end)
        var later = Timestamp.latest
        for index in others.indices.dropLast().reversed() {
            if starts[index] < starts[index + 1] { later = starts[index + 1] }
            ends[index] = min(ends[index], later)
        }
    }

    /// The end of the upgraded row with a start, which is the start where the other row began
    /// earlier; `nil` if there is no such row.
    ///
    /// - Precondition: The starts of successive calls don't decrease.
    package mutating func end(from start: Timestamp) -> Timestamp? {
        while next < starts.count, ends[next] <= start { next += 1 }
        return next < starts.count ? max(start, starts[next]) : nil
    }
}
