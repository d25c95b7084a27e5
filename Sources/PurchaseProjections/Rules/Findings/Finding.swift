import PurchaseEvents

/// A violation of a rule, with its proof: let (the notes), then, but (the message).
public struct Finding: Hashable, Sendable {
    /// The rule's id.
    public var rule: String
    /// The severity.
    public var level: Level
    /// The line of the offending event.
    public var line: LineNumber
    /// The `seq` of that event, if known.
    public var seq: Int64?
    /// The account that lost or gained, if named.
    public var account: String?
    /// The transaction, payment, original or id at fault.
    public var key: String?
    /// What was seen and what was expected; lower case, no full stop.
    public var message: String
    /// The other lines of the proof, in reading order.
    public var notes: [Note]
    /// What to look at next.
    public var hint: String?

    /// One line of a proof.
    public struct Note: Hashable, Sendable {
        /// The line that the note is about.
        public var line: LineNumber
        /// What that line states.
        public var message: String

        /// Creates a note on a line.
        public init(line: LineNumber, message: String) {
            self.line = line
            self.message = message
        }
    }
}
