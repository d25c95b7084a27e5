/// The grace periods of a line, and the later statements that end one before its date (G6.6).
struct Graces: Hashable, Sendable {
    /// A grace period; several statements may name the same end.
    struct Stated: Hashable, Sendable {
        /// The end that the statements name.
        var end: Timestamp
        /// The times of the first and the last statement.
        var said: Timestamp, saidLast: Timestamp
    }

    /// A statement that grace is over or that the line has expired.
    private struct Word: Hashable, Sendable {
        var said: Timestamp
        /// Whether the statement says that the line has expired.
        var isExpiry: Bool
        /// The time of the expiry, if stated.
        var expiresAt: Timestamp?

        /// Whether this statement wins over a failure stated at a given time. At equal times the
        /// greater bytes win: `renewal.graceExpired` sorts after `renewal.failed`,
        /// `renewal.expired` before.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? said > failure : said >= failure
        }
    }

    /// The grace periods, by end.
    private var stated: [Timestamp: Stated] = [:]
    private var words: Set<Word> = []

    /// Records a grace period and the time of its statement.
    mutating func say(end: Timestamp, said: Timestamp) {
        var grace = stated[end] ?? Stated(end: end, said: said, saidLast: said)
        grace.said = min(grace.said, said)
        grace.saidLast = max(grace.saidLast, said)
        stated[end] = grace
    }

    /// Records a statement that grace is over.
    mutating func sayOver(said: Timestamp) {
        words.insert(Word(said: said, isExpiry: false, expiresAt: nil))
    }

    /// Records a statement that the line has expired, which ends any grace period.
    mutating func sayExpired(said: Timestamp, expiresAt: Timestamp?) {
        words.insert(Word(said: said, isExpiry: true, expiresAt: expiresAt))
    }

    /// The grace periods in order of precedence: of several after one period, the last counts.
    func inOrder() -> [Stated] {
        stated.values.sorted { ($0.said, $0.end) < ($1.said, $1.end) }
    }

    /// The end of a grace period that follows a failed period: its date, or an earlier end stated
    /// later.
    ///
    /// If the line expired during the grace period, grace ended at that time; otherwise it ended
    /// when the expiry was stated. An expiry date at or before the end of the failed period is no
    /// end of grace.
    func end(of grace: Stated, from failed: Timestamp) -> Timestamp {
        var end = grace.end
        for word in words where word.wins(over: grace.saidLast) && word.said >= failed {
            let expiresAt = word.expiresAt.flatMap { $0 > failed ? $0 : nil }
            end = min(end, expiresAt ?? word.said)
        }
        return end
    }
}
