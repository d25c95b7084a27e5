/// What a log's chain comes to.
public enum ChainVerdict: Hashable, Sendable {
    /// Every line follows from the one before, and what was expected of the log holds.
    case intact
    /// The log ends within this line; the lines before it are intact.
    case torn(line: Int)
    /// This line is the first that isn't what was written there.
    case damaged(line: Int, ChainBreak)
    /// The lines are a chain, but not, or no longer, that of a log that was known before.
    case rolledBack(Rollback)
    /// No line carries a chain value, so nothing shows whether the log was changed.
    case unchained

    /// How the log differs from what was known of it.
    public enum Rollback: Hashable, Sendable {
        /// It ends before the line of the checkpoint.
        case shorter
        /// At the line of the checkpoint it has another chain value: its lines were written anew.
        case otherHead
        /// It was opened for another app or at another time.
        case otherOrigin
        /// No line of it has the chain value that was expected.
        case noSuchHead
        /// No line of it carries a chain value, which the lines of the checkpoint's log do.
        case unchained
    }

    /// The verdict in one word, or two.
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

/// What was known of a log before.
public struct ChainExpectation: Hashable, Sendable {
    /// A checkpoint of the log.
    public var checkpoint: Checkpoint?
    /// The chain value of one of its lines.
    public var head: Digest?

    /// What is known; nothing where both are left out.
    public init(checkpoint: Checkpoint? = nil, head: Digest? = nil) {
        self.checkpoint = checkpoint
        self.head = head
    }
}
