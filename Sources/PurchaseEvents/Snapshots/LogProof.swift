/// What tells the bytes of a log that were read from those of another: SHA-256 of the first 4 KiB
/// and of the last 64 KiB.
///
/// A chained line holds the chain's value, so the last bytes tell a chained log from any other.
package struct LogProof: Hashable, Sendable, Snapshotted {
    package private(set) var head = "", tail = ""

    private static let headLength = 4 << 10, tailLength = 64 << 10

    package init() {}

    package init<Problem: Error>(
        ofFirst count: Int, _ read: (Range<Int>) throws(Problem) -> [UInt8]
    ) throws(Problem) {
        head = SHA256.hash(try read(0..<min(count, LogProof.headLength))).hex
        tail = SHA256.hash(try read(max(0, count - LogProof.tailLength)..<count)).hex
    }

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&head).visit(&tail) }
}
