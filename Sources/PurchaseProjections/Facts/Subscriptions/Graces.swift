import PurchaseEvents

/// The grace periods of a line that were ever stated, and the later words that ended one before
/// its date (G6.6). Both in an order that is not that of their arrival.
struct Graces: Sendable {
    /// A grace period, of which several statements may name the end.
    struct Stated: Sendable {
        /// When it ends by its date.
        var end: Timestamp
        /// When it was first stated, and when last.
        var said: Timestamp, saidLast: Timestamp
    }

    /// The App Store's word that grace is over, or that the line has expired.
    private struct Word: Sendable {
        var said: Timestamp
        /// Whether it says that the line has expired.
        var isExpiry: Bool
        /// When the line expired by it, where it says.
        var expiresAt: Timestamp?
        /// The line of the log that says it first.
        var line: LineNumber

        func isBefore(_ other: Word) -> Bool {
            guard said == other.said else { return said < other.said }
            guard isExpiry == other.isExpiry else { return isExpiry }
            return (expiresAt ?? .earliest) < (other.expiresAt ?? .earliest)
        }

        /// Whether it wins over a failure of a version: of those of one time by its bytes, which
        /// are greater where it says `renewal.graceExpired`, and less for `renewal.expired`.
        func wins(over failure: Timestamp) -> Bool {
            isExpiry ? said > failure : said >= failure
        }
    }

    /// By their ends.
    private(set) var stated: [Stated] = []
    /// By when they were said.
    private var words: [Word] = []

    /// Whether none was stated.
    var isEmpty: Bool { stated.isEmpty }

    /// Notes a grace period, and when it was stated.
    mutating func say(end: Timestamp, said: Timestamp) {
        let place = stated.lowerBound { $0.end >= end }
        guard place < stated.count, stated[place].end == end else {
            return stated.insert(Stated(end: end, said: said, saidLast: said), at: place)
        }
        stated[place].said = min(stated[place].said, said)
        stated[place].saidLast = max(stated[place].saidLast, said)
    }

    /// Notes the word that grace is over.
    mutating func sayOver(said: Timestamp, _ line: LineNumber) {
        say(Word(said: said, isExpiry: false, expiresAt: nil, line: line))
    }

    /// Notes the word that the line has expired, which ends what grace there is.
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

    /// In the order in which they count: of several that go on from one period the last does.
    func inOrder() -> [Stated] { stated.sorted { ($0.said, $0.end) < ($1.said, $1.end) } }

    /// Until when a grace period lasts that goes on from the end of a period: to its date, or to
    /// an earlier end that was stated after it, by a line of the log.
    ///
    /// A line that expired within it ended then, and else when its expiry was stated: the end of
    /// the period that failed, which such a statement mostly names, is none of its grace.
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
