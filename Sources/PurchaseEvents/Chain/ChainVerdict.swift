/// The result of verifying a log's chain.
public enum ChainVerdict: Hashable, Sendable {
    /// Every line continues the chain, and the log meets every expectation.
    case intact
    /// The log ends within this line; the lines before it are intact.
    case torn(line: Int)
    /// The first line that doesn't continue the chain.
    case damaged(line: Int, ChainBreak)
    /// The log isn't the one known before, or its lines were removed or rewritten since.
    case rolledBack(Rollback)
    /// No line has a chain value, so nothing shows whether the log was changed.
    case unchained

    /// A difference between a log and the facts known about it.
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

/// The facts already known about a log, which the log must match.
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
