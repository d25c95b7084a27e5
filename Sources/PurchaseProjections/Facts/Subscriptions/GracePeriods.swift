import PurchaseEvents

/// The grace periods stated for a line, and the statements that ended them early (G6.6).
///
/// The order of storage does not depend on the order of arrival.
struct GracePeriods: Sendable {
    /// A grace period; several statements may give the same end.
    struct Stated: Sendable {
        /// The stated end of the grace period.
        var end: Timestamp
        /// When the grace period was first and last stated.
        var statedAt: Timestamp, lastStatedAt: Timestamp
    }

    /// A statement that grace is over or that the line has expired.
    private struct EndStatement: Sendable {
        var statedAt: Timestamp
        /// Whether the statement says that the line has expired.
        var isExpiry: Bool
        /// The stated expiry date, if any.
        var expiresAt: Timestamp?
        /// The first line of the log with this statement.
        var line: LineNumber

        func isBefore(_ other: EndStatement) -> Bool {
            guard statedAt == other.statedAt else { return statedAt < other.statedAt }
            guard isExpiry == other.isExpiry else { return isExpiry }
            return (expiresAt ?? .earliest) < (other.expiresAt ?? .earliest)
        }

        /// Whether this statement wins over a failure made at the given time.
        ///
        /// At equal times, canonical bytes decide: `renewal.graceExpired` sorts after
        /// `renewal.failed`, `renewal.expired` before it.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? statedAt > failure : statedAt >= failure
        }
    }

    /// In order of end.
    private(set) var stated: [Stated] = []
    /// In order of statement time.
    private var ends: [EndStatement] = []

    /// Whether no grace period was stated.
    var isEmpty: Bool { stated.isEmpty }

    /// Records a grace period and when it was stated.
    mutating func add(end: Timestamp, statedAt: Timestamp) {
        let place = stated.lowerBound { $0.end >= end }
        guard place < stated.count, stated[place].end == end else {
            return stated.insert(
                Stated(end: end, statedAt: statedAt, lastStatedAt: statedAt), at: place)
        }
        stated[place].statedAt = min(stated[place].statedAt, statedAt)
        stated[place].lastStatedAt = max(stated[place].lastStatedAt, statedAt)
    }

    /// Records a statement that grace is over.
    mutating func addEnd(statedAt: Timestamp, _ line: LineNumber) {
        add(EndStatement(statedAt: statedAt, isExpiry: false, expiresAt: nil, line: line))
    }

    /// Records a statement that the line has expired, which also ends any grace period.
    mutating func addExpiry(statedAt: Timestamp, expiresAt: Timestamp?, _ line: LineNumber) {
        add(EndStatement(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt, line: line))
    }

    private mutating func add(_ statement: EndStatement) {
        let place = ends.lowerBound { !$0.isBefore(statement) }
        guard place < ends.count, !statement.isBefore(ends[place]) else {
            return ends.insert(statement, at: place)
        }
        ends[place].line = min(ends[place].line, statement.line)
    }

    /// The grace periods in order of precedence: of several after one period, the last wins.
    func inOrder() -> [Stated] { stated.sorted { ($0.statedAt, $0.end) < ($1.statedAt, $1.end) } }

    /// The end of a grace period that follows a failed period: its stated date, or an earlier end
    /// stated later and known by a line of the log.
    ///
    /// An expiry date within the grace period ends it. Otherwise the grace period ends when the
    /// expiry was stated: such statements usually name the end of the failed period, which is
    /// before the grace period.
    func end(of grace: Stated, from failed: Timestamp, knownBy line: LineNumber) -> Timestamp {
        let later = ends.lowerBound { $0.wins(over: grace.lastStatedAt) }
        var end = grace.end
        for statement in ends[later...] where statement.line <= line && statement.statedAt >= failed
        {
            let expiresAt = statement.expiresAt.flatMap { $0 > failed ? $0 : nil }
            end = min(end, expiresAt ?? statement.statedAt)
        }
        return end
    }
}
