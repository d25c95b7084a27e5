import PurchaseEvents

/// The grace periods stated for a line, and the statements that ended them early (G6.6). Kept in an
/// order that does not depend on arrival.
struct Graces: Sendable {
    /// A grace period; several statements may give the same end.
    struct Stated: Sendable {
        /// The stated end of the grace period.
        var end: Timestamp
        /// When the grace period was first and last stated.
        var said: Timestamp, saidLast: Timestamp
    }

    /// A statement that grace is over or that the line has expired.
    private struct Word: Sendable {
        var said: Timestamp
        /// Whether the statement says that the line has expired.
        var isExpiry: Bool
        /// The stated expiry date, if any.
        var expiresAt: Timestamp?
        /// The first line of the log with this statement.
        var line: LineNumber

        func isBefore(_ other: Word) -> Bool {
            guard said == other.said else { return said < other.said }
            guard isExpiry == other.isExpiry else { return isExpiry }
            return (expiresAt ?? .earliest) < (other.expiresAt ?? .earliest)
        }

        /// Whether this statement wins over a failure made at the given time. At equal times
        /// canonical bytes decide: `renewal.graceExpired` sorts after `renewal.failed`,
        /// `renewal.expired` before it.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? said > failure : said >= failure
        }
    }

    /// By end.
    private(set) var stated: [Stated] = []
    /// By statement time.
    private var words: [Word] = []

    /// Whether no grace period was stated.
    var isEmpty: Bool { stated.isEmpty }

    /// Records a grace period and when it was stated.
    mutating func say(end: Timestamp, said: Timestamp) {
        let place = stated.lowerBound { $0.end >= end }
        guard place < stated.count, stated[place].end == end else {
            return stated.insert(Stated(end: end, said: said, saidLast: said), at: place)
        }
        stated[place].said = min(stated[place].said, said)
        stated[place].saidLast = max(stated[place].saidLast, said)
    }

    /// Records a statement that grace is over.
    mutating func sayOver(said: Timestamp, _ line: LineNumber) {
        say(Word(said: said, isExpiry: false, expiresAt: nil, line: line))
    }

    /// Records a statement that the line has expired, which also ends any grace period.
    mutating func sayExpired(said: Timestamp, expiresAt: Timestamp?, _ line: LineNumber) {
        say(Word(said: said, isExpiry: true, expiresAt: expiresAt, line: line))
    }

    private mutating func say(_ word: Word) {
        let place = words.lowerBound { !$0.isBefore(word) }
        guard place < words.count, !word.isBefore(words[place]) else {
            return words.insert(word, at: place)
        }
        words[place].line = min(words[place].line, word.line)
    }

    /// The grace periods in order of precedence: of several after one period, the last wins.
    func inOrder() -> [Stated] { stated.sorted { ($0.said, $0.end) < ($1.said, $1.end) } }

    /// The end of a grace period that follows a failed period: its stated date, or an earlier end
    /// stated later and known by a line of the log.
    ///
    /// An expiry date within the grace period ends it. Otherwise the grace period ends when the
    /// expiry was stated: such statements usually name the end of the failed period, which lies
    /// before the grace period.
    func end(of grace: Stated, from failed: Timestamp, knownBy line: LineNumber) -> Timestamp {
        let later = words.lowerBound { $0.wins(over: grace.saidLast) }
        var end = grace.end
        for word in words[later...] where word.line <= line && word.said >= failed {
            let expiresAt = word.expiresAt.flatMap { $0 > failed ? $0 : nil }
            end = min(end, expiresAt ?? word.said)
        }
        return end
    }
}
