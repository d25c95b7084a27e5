import PurchaseEvents

/// The extensions of a subscription that name no transaction, at most one for each statement
/// time.
///
/// Each extension lengthens the period that starts last before its time. Later statements may add
/// such a period, so all extensions are kept.
struct RenewalExtensions: Sendable, Snapshotted {
    private(set) var byTime: [Timestamp: Register<Timestamp>] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&byTime) }

    var isEmpty: Bool { byTime.isEmpty }
    var count: Int { byTime.count }

    /// The times of the statements, in order, and the ends that they state.
    var inOrder: [(statedAt: Timestamp, end: Timestamp)] {
        byTime.compactMap { time, end in end.value.map { (time, $0) } }.sorted { $0.0 < $1.0 }
    }

    /// Records an extension; of several stated at the same time, the greatest version wins.
    mutating func assign(_ end: Timestamp, _ statement: VersionID, _ versions: inout Versions) {
        byTime[versions.time(of: statement), default: Register()].assign(end, statement, &versions)
    }
}
