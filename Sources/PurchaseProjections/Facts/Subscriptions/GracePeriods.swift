import PurchaseEvents

/// The grace periods stated for a subscription, and the statements that ended them early (G6.6).
///
/// Nothing depends on the order of arrival, except from which line on an early end is known.
struct GracePeriods: Sendable, Snapshotted {
    /// A grace period; several statements may give the same end.
    struct Stated: Sendable {
        /// The stated end of the grace period.
        var end: Timestamp
        /// When the grace period was first and last stated.
        var statedAt: Timestamp, lastStatedAt: Timestamp
    }

    /// A statement that grace is over or that the subscription has expired.
    struct EndStatement: Hashable, Sendable {
        var statedAt: Timestamp
        /// Whether the statement says that the subscription has expired.
        var isExpiry: Bool
        /// The stated expiry date, if any.
        var expiresAt: Timestamp?

        /// Whether this statement wins over a failure made at the given time.
        ///
        /// At equal times, canonical bytes decide: `renewal.graceExpired` sorts after
        /// `renewal.failed`, `renewal.expired` before it.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? statedAt > failure : statedAt >= failure
        }
    }

    /// By stated end.
    private var stated: [Timestamp: Stated] = [:]
    /// The first line of the log with each statement.
    private(set) var endLines: [EndStatement: LineNumber] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&stated)
        visitor.visit(&endLines)
    }

    /// Whether no grace period was stated.
    var isEmpty: Bool { stated.isEmpty }
    /// The number of grace periods and of statements that ended them.
    var count: Int { stated.count + endLines.count }

    /// Records a grace period and when it was stated.
    mutating func add(end: Timestamp, statedAt: Timestamp) {
        let new = Stated(end: end, statedAt: statedAt, lastStatedAt: statedAt)
        let old = stated[end] ?? new
        stated[end] = Stated(
            end: end, statedAt: min(old.statedAt, statedAt),
            lastStatedAt: max(old.lastStatedAt, statedAt))
    }

    /// Records a statement that grace is over.
    mutating func addEnd(statedAt: Timestamp, _ line: LineNumber) {
        add(EndStatement(statedAt: statedAt, isExpiry: false, expiresAt: nil), line)
    }

    /// Records a statement that the subscription has expired, which also ends any grace period.
    mutating func addExpiry(statedAt: Timestamp, expiresAt: Timestamp?, _ line: LineNumber) {
        add(EndStatement(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt), line)
    }

    /// The first line that states an expiry; 0 if none does.
    func line(ofExpiryAt statedAt: Timestamp, _ expiresAt: Timestamp?) -> LineNumber {
        endLines[EndStatement(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt)] ?? 0
    }

    private mutating func add(_ statement: EndStatement, _ line: LineNumber) {
        endLines[statement] = min(endLines[statement] ?? line, line)
    }

    /// The grace periods in order of precedence: of several after one period, the last wins.
    func inOrder() -> [Stated] {
        stated.values.sorted { ($0.statedAt, $0.end) < ($1.statedAt, $1.end) }
    }
}

/// An early end of a grace period, and the first line at which the log knew of it.
struct EarlyEnd: Sendable {
    var end: Timestamp
    var line: LineNumber
}

/// Finds the statements that ended a grace period early.
///
/// Created once for a subscription; each search is logarithmic and looks at no more than
/// ``most`` statements in each of two orders. What it doesn't look at ends no grace period, so an
/// account with thousands of such statements may keep a grace period that was over.
struct EarlyEnds {
    private static let most = 32
    private typealias Statement = (statement: GracePeriods.EndStatement, line: LineNumber)
    /// All statements by statement time, and those with an expiry date by that date.
    private let byTime: [Statement], byExpiry: [Statement]

    init(_ gracePeriods: GracePeriods) {
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
    func ends(
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
