/// The extensions of a subscription that name no transaction, one for each time of a statement.
///
/// Each extension applies to the latest period that had started when the extension was stated.
/// Later statements can add another period, so all extensions are kept.
struct StatedExtensions: Hashable, Sendable, Snapshotted {
    /// The end that the statements of each time set.
    private var stated: [Timestamp: StatedValue<Timestamp>] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&stated) }

    /// Records an extension; of several with the same time, the latest version wins.
    mutating func record(_ end: Timestamp, _ version: StatementVersion) {
        stated[version.time, default: StatedValue()].set(end, version)
    }

    /// The time of each statement and the end that it sets, sorted by time.
    var inOrder: [(statedAt: Timestamp, end: Timestamp)] {
        stated.compactMap { time, one in one.value.map { (time, $0) } }.sorted { $0.0 < $1.0 }
    }
}
