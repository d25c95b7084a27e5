/// The extensions of a line that name no transaction, one for each time of a statement.
///
/// Each extension applies to the latest period that had started when the extension was stated.
/// Later statements can add another period, so all extensions are kept.
struct Extensions: Hashable, Sendable {
    /// The extensions, sorted by time.
    private var stated: [StatedValue<Timestamp>] = []

    /// Records an extension; of several with the same time, the latest version wins.
    mutating func record(_ end: Timestamp, _ version: StatementVersion) {
        var place = stated.endIndex
        while place > 0, let time = stated[place - 1].version?.time, time >= version.time {
            place -= 1
        }
        if place == stated.endIndex || stated[place].version?.time != version.time {
            stated.insert(StatedValue(), at: place)
        }
        stated[place].set(end, version)
    }

    /// The time of each statement and the end that it sets, sorted by time.
    var inOrder: [(statedAt: Timestamp, end: Timestamp)] {
        stated.compactMap { one in
            guard let statedAt = one.version?.time, let end = one.value else { return nil }
            return (statedAt, end)
        }
    }
}
