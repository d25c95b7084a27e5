/// The grace periods stated for a subscription, and the statements that ended them early (G6.6).
///
/// Nothing depends on the order of arrival, except from which line on an early end is known.
package struct GracePeriods: Hashable, Sendable, Snapshotted {
    /// A grace period; several statements may give the same end.
    package struct Stated: Hashable, Sendable, BitwiseCopyable {
        package var end: Timestamp
        /// When the grace period was first and last stated.
        package var statedAt: Timestamp, lastStatedAt: Timestamp
    }

    package struct EndStatement: Hashable, Sendable, BitwiseCopyable {
        package var statedAt: Timestamp
        package var isExpiry: Bool
        package var expiresAt: Timestamp?

        /// Whether this statement wins over a failure. At equal times, canonical bytes decide:
        /// `renewal.graceExpired` sorts after `renewal.failed`, `renewal.expired` before it.
        package func wins(over failure: Timestamp) -> Bool {
            isExpiry ? statedAt > failure : statedAt >= failure
        }
    }

    package private(set) var stated: [Timestamp: Stated] = [:]
    /// The first line of the log with each statement; 0 where lines aren't counted.
    package private(set) var endLines: [EndStatement: UInt32] = [:]

    package init() {}

    package mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&stated).visit(&endLines)
    }

    package var isEmpty: Bool { stated.isEmpty }
    package var count: Int { stated.count + endLines.count }

    package mutating func add(end: Timestamp, statedAt: Timestamp) {
        let new = Stated(end: end, statedAt: statedAt, lastStatedAt: statedAt)
        let old = stated[end] ?? new
        stated[end] = Stated(
            end: end, statedAt: min(old.statedAt, statedAt),
            lastStatedAt: max(old.lastStatedAt, statedAt))
    }

    package mutating func addEnd(statedAt: Timestamp, _ line: UInt32 = 0) {
        add(EndStatement(statedAt: statedAt, isExpiry: false, expiresAt: nil), line)
    }

    package mutating func addExpiry(
        statedAt: Timestamp, expiresAt: Timestamp?, _ line: UInt32 = 0
    ) {
        add(EndStatement(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt), line)
    }

    /// The first line that states an expiry; 0 if none does.
    package func line(ofExpiryAt statedAt: Timestamp, _ expiresAt: Timestamp?) -> UInt32 {
        endLines[EndStatement(statedAt: statedAt, isExpiry: true, expiresAt: expiresAt)] ?? 0
    }

    private mutating func add(_ statement: EndStatement, _ line: UInt32) {
        endLines[statement] = min(endLines[statement] ?? line, line)
    }

    /// The grace periods in order of precedence: of several after one period, the last wins.
    package func inOrder() -> [Stated] {
        stated.values.sorted { ($0.statedAt, $0.end) < ($1.statedAt, $1.end) }
    }
}
