/// The result of verifying a log's chain.
public enum ChainVerdict: Hashable, Sendable {
    /// Every line continues the chain, and the log meets every expectation.
    case intact
    /// The log ends within this line; the lines before it are intact.
    case torn(line: Int)
    /// This is the first line that differs from what was written.
    case damaged(line: Int, ChainBreak)
    /// The lines form a chain, but not that of the log known before, or no longer.
    case rolledBack(Rollback)
    /// No line has a chain value, so nothing shows whether the log was changed.
    case unchained

    /// How a log differs from what was known about it.
    public enum Rollback: Hashable, Sendable {
        /// The log ends before the line of the checkpoint.
        case shorter
        /// The line of the checkpoint has another chain value: lines were rewritten.
        case otherHead
        /// The log was opened for another app or at another time.
        case otherOrigin
        /// No line has the expected chain value.
        case noSuchHead
        /// No line has a chain value, but the checkpoint's log was chained.
        case unchained
    }

    /// The verdict in one or two words.
    public var word: String {
        switch self {
        case .intact: "intact"
        case .torn: "torn"
        case .damaged: "damaged"
        case .rolledBack: "rolled back"
        case .unchained: "unchained"
        }
    }
}

/// What is known about a log from before.
public struct ChainExpectation: Hashable, Sendable {
    /// A checkpoint of the log.
    public var checkpoint: Checkpoint?
    /// The chain value of one of the log's lines.
    public var head: Digest?

    /// Creates an expectation; without arguments, nothing is expected.
    public init(checkpoint: Checkpoint? = nil, head: Digest? = nil) {
        self.checkpoint = checkpoint
        self.head = head
    }
}
