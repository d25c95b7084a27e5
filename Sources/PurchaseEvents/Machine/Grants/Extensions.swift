/// The extensions of a line that name no transaction, one each time at which one was stated.
///
/// Each lengthens the period that starts last by its own time, and which one that is may become
/// known later, so all of them are kept.
struct Extensions: Hashable, Sendable {
    /// In the order of their times.
    private var stated: [StatedValue<Timestamp>] = []

    /// Takes an extension that a statement says; of those of one time the latest version wins.
    mutating func say(_ end: Timestamp, _ version: StatementVersion) {
        var place = stated.endIndex
        while place > 0, let time = stated[place - 1].version?.time, time >= version.time {
            place -= 1
        }
        if place == stated.endIndex || stated[place].version?.time != version.time {
            stated.insert(StatedValue(), at: place)
        }
        stated[place].say(end, version)
    }

    /// When each was stated, and the end that it gives, in the order of their times.
    var inOrder: [(said: Timestamp, end: Timestamp)] {
        stated.compactMap { one in
            guard let said = one.version?.time, let end = one.value else { return nil }
            return (said, end)
        }
    }
}
