/// The extensions that name no transaction, one for each time of a statement: later statements can
/// add another period, so all are kept.
struct StatedExtensions: Hashable, Sendable, Snapshotted {
    private var stated: [Timestamp: StatedValue<Timestamp>] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&stated) }

    /// Records an extension; of several with the same time, the latest version wins.
    mutating func record(_ end: Timestamp, _ version: StatementVersion) {
        stated[version.time, default: StatedValue()].set(end, version)
    }

    var inOrder: [(statedAt: Timestamp, end: Timestamp)] {
        stated.compactMap { time, one in one.value.map { (time, $0) } }.sorted { $0.0 < $1.0 }
    }
}
