/// An early end of a grace period, and the first line at which the log knew of it.
package struct EarlyEnd: Sendable {
    package var end: Timestamp
    package var line: UInt32

    package init(end: Timestamp, line: UInt32) {
        self.end = end
        self.line = line
    }
}

/// Finds the statements that ended a grace period early.
///
/// Created once for a subscription; each search is logarithmic and looks at no more than
/// ``most`` statements in each of two orders. What it doesn't look at ends no grace period, so an
/// account with thousands of such statements may keep a grace period that was over.
package struct EarlyEnds {
    private static let most = 32
    private typealias StatedEnd = (statement: GracePeriods.EndStatement, line: UInt32)
    /// All statements by statement time, and those with an expiry date by that date.
    private let byTime: [StatedEnd], byExpiry: [StatedEnd]

    package init(_ gracePeriods: GracePeriods) {
        let all = gracePeriods.endLines.map { (statement: $0.key, line: $0.value) }
        byTime = all.sorted { ($0.statement.statedAt, $0.line) < ($1.statement.statedAt, $1.line) }
        byExpiry = all.filter { $0.statement.expiresAt != nil }.sorted {
            ($0.statement.expiresAt ?? .earliest, $0.line)
                < ($1.statement.expiresAt ?? .earliest, $1.line)
        }
    }

    /// The ends of a grace period that follows a failed period, before a limit, earliest first.
    ///
    /// An expiry date within the grace period ends it. Otherwise the grace period ends when the
    /// expiry was stated: such statements usually name the end of the failed period, which is
    /// before the grace period.
    package func ends(
        of grace: GracePeriods.Stated, from failed: Timestamp, before limit: Timestamp
    ) -> [EarlyEnd] {
        let since = max(failed, grace.lastStatedAt)
        var ends: [EarlyEnd] = []
        let start = byTime.lowerBound { $0.statement.statedAt >= since }
        for (statement, line) in byTime[start...].prefix(EarlyEnds.most) {
            guard statement.statedAt < limit else { break }
            if statement.expiresAt.map({ $0 <= failed }) ?? true,
                statement.wins(over: grace.lastStatedAt)
            {
                ends.append(EarlyEnd(end: statement.statedAt, line: line))
            }
        }
        let first = byExpiry.lowerBound { ($0.statement.expiresAt ?? .earliest) > failed }
        for (statement, line) in byExpiry[first...].prefix(EarlyEnds.most) {
            guard let expiresAt = statement.expiresAt, expiresAt < limit else { break }
            if statement.statedAt >= failed, statement.wins(over: grace.lastStatedAt) {
                ends.append(EarlyEnd(end: expiresAt, line: line))
            }
        }
        return ends.sorted { ($0.end, $0.line) < ($1.end, $1.line) }
    }
}
