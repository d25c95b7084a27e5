/// The log's answer to one draft.
public struct Appended: Hashable, Sendable {
    /// Whether the draft made a new line.
    public enum Outcome: Hashable, Sendable {
        /// It is a new line of the log.
        case appended
        /// The log had its `id` with the same content; nothing was added.
        case alreadyThere
    }

    /// Whether the draft made a new line.
    public let outcome: Outcome
    /// The position of the event in the log.
    public let seq: Int64
    /// The bytes of its line as the log holds them, without the end of line.
    public let line: [UInt8]
}

/// What an acknowledgement promises.
public enum Durability: Hashable, Sendable {
    /// The event survives the death of the process, not the loss of power.
    case process
    /// The event survives the loss of power: the file is synced before each acknowledgement.
    case disk
}
