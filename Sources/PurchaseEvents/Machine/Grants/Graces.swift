/// The grace periods that were stated of a line, and the later words that ended one before its
/// date (G6.6).
struct Graces: Hashable, Sendable {
    /// A grace period, of which several statements may name the end.
    struct Stated: Hashable, Sendable {
        /// When it ends by its date.
        var end: Timestamp
        /// When it was first stated, and when last.
        var said: Timestamp, saidLast: Timestamp
    }

    /// The App Store's word that grace is over, or that the line has expired.
    private struct Word: Hashable, Sendable {
        var said: Timestamp
        /// Whether it says that the line has expired.
        var isExpiry: Bool
        /// When the line expired by it, where it says.
        var expiresAt: Timestamp?

        /// Whether it wins over a failure of a version: of those of one time by its bytes, which
        /// are greater where it says `renewal.graceExpired`, and less for `renewal.expired`.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? said > failure : said >= failure
        }
    }

    /// By their ends.
    private var stated: [Timestamp: Stated] = [:]
    private var words: Set<Word> = []

    /// Notes a grace period, and when it was stated.
    mutating func say(end: Timestamp, said: Timestamp) {
        var grace = stated[end] ?? Stated(end: end, said: said, saidLast: said)
        grace.said = min(grace.said, said)
        grace.saidLast = max(grace.saidLast, said)
        stated[end] = grace
    }

    /// Notes the word that grace is over.
    mutating func sayOver(said: Timestamp) {
        words.insert(Word(said: said, isExpiry: false, expiresAt: nil))
    }

    /// Notes the word that the line has expired, which ends what grace there is.
    mutating func sayExpired(said: Timestamp, expiresAt: Timestamp?) {
        words.insert(Word(said: said, isExpiry: true, expiresAt: expiresAt))
    }

    /// In the order in which they count: of several that go on from one period the last does.
    func inOrder() -> [Stated] {
        stated.values.sorted { ($0.said, $0.end) < ($1.said, $1.end) }
    }

    /// Until when a grace period lasts that goes on from the end of a period: to its date, or to
    /// an earlier end that was stated after it.
    ///
    /// A line that expired within it ended then, and else when its expiry was stated: the end of
    /// the period that failed, which such a statement mostly names, is none of its grace.
    func end(of grace: Stated, from failed: Timestamp) -> Timestamp {
        var end = grace.end
        for word in words where word.wins(over: grace.saidLast) && word.said >= failed {
            let expiresAt = word.expiresAt.flatMap { $0 > failed ? $0 : nil }
            end = min(end, expiresAt ?? word.said)
        }
        return end
    }
}
