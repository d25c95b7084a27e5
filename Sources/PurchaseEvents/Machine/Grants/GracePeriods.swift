/// The grace periods of a subscription, and the later statements that end one before its date
/// (G6.6).
struct GracePeriods: Hashable, Sendable, Snapshotted {
    /// A grace period; several statements may name the same end.
    struct Stated: Hashable, Sendable {
        /// The end that the statements name.
        var end: Timestamp
        /// The times of the first and the last statement.
        var statedAt: Timestamp, lastStatedAt: Timestamp
    }

    /// A statement that grace is over or that the subscription has expired.
    private struct Ending: Hashable, Sendable {
        var statedAt: Timestamp
        /// Whether the statement says that the subscription has expired.
        var isExpiry: Bool
        /// The time of the expiry, if stated.
        var expiresAt: Timestamp?

        /// Whether this statement wins over a failure stated at a given time.
        ///
        /// At equal times the greater bytes win: `renewal.graceExpired` sorts after
        /// `renewal.failed`, `renewal.expired` before.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? statedAt > failure : statedAt >= failure
        }
    }

    /// The grace periods, by end.
    private var stated: [Timestamp: Stated] = [:]
    private var endings: Set<Ending> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&stated)
        visitor.visit(&endings)
    }

    /// Records a grace period and the time of its statement.
    mutating func record(end: Timestamp, statedAt: Timestamp) {
        var grace = stated[end] ?? Stated(end: end, statedAt: statedAt, lastStatedAt: statedAt)
        grace.statedAt = min(grace.statedAt, statedAt)
        grace.lastStatedAt = max(grace.lastStatedAt, statedAt)
        stated[end] = grace
    }

    /// Records a statement that grace is over.
    mutating func recordGraceExpired(statedAt: Timestamp) {
        endings.insert(Ending(statedAt: statedAt, isExpiry: false, expiresAt: nil))
    }

    /// Records a statement that the subscription has expired, which ends any grace period.
    mutating func recordExpiry(statedAt: Timestamp, expiresAt: Timestamp?) {
        endings.insert(Ending(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt))
    }

    /// The grace periods in order of precedence: of several after one period, the last counts.
    func inOrder() -> [Stated] {
        stated.values.sorted { ($0.statedAt, $0.end) < ($1.statedAt, $1.end) }
    }

    /// The end of a grace period that follows a failed period: its date, or an earlier end stated
    /// later.
    ///
    /// If a later statement gives an expiry date after the failed period, grace ends at that date;
    /// otherwise grace ends when the statement was made.
    func end(of grace: Stated, from failed: Timestamp) -> Timestamp {
        var end = grace.end
        for ending in endings
        where ending.wins(over: grace.lastStatedAt) && ending.statedAt >= failed {
            let expiresAt = ending.expiresAt.flatMap { $0 > failed ? $0 : nil }
            end = min(end, expiresAt ?? ending.statedAt)
        }
        return end
    }
}
