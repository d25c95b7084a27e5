import PurchaseEvents

/// A place where a rule does not hold, with the proof: let (the notes), then, but (the message).
public struct Finding: Hashable, Sendable {
    /// The rule's id.
    public var rule: String
    /// How grave it is.
    public var level: Level
    /// The line of the event that should not have been.
    public var line: LineNumber
    /// The position that the log gives that event, where it is known.
    public var seq: Int64?
    /// Who lost or gained by it, where an account is named.
    public var account: String?
    /// The transaction, payment, original or id at fault.
    public var key: String?
    /// What was seen and what was expected; lower case, no full stop.
    public var message: String
    /// Every other line of the proof, in the order in which it reads.
    public var notes: [Note]
    /// What to look at next.
    public var hint: String?

    /// A line of a proof.
    public struct Note: Hashable, Sendable {
        /// The line that the note is about.
        public var line: LineNumber
        /// What that line says.
        public var message: String

        /// A note on a line.
        public init(line: LineNumber, message: String) {
            self.line = line
            self.message = message
        }
    }
}
