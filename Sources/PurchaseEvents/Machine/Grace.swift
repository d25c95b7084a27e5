/// A grace period of a failed renewal, as it was stated (G6.6).
package struct Grace: Hashable, Sendable {
    /// When it ends.
    package var end: Timestamp
    /// When it was stated.
    package var said: Timestamp

    package init(end: Timestamp, said: Timestamp) {
        self.end = end
        self.said = said
    }
}

extension [Grace] {
    /// Notes a grace period; of statements that name one end, when the earliest was made.
    package mutating func say(_ grace: Grace) {
        guard let index = firstIndex(where: { $0.end == grace.end }) else {
            append(grace)
            return
        }
        self[index].said = Swift.min(self[index].said, grace.said)
    }

    /// In the order in which they count: of several that go on from one period the last does.
    package func inOrder() -> [Grace] { sorted { ($0.said, $0.end) < ($1.said, $1.end) } }
}
