/// The result of appending one draft.
public struct Appended: Hashable, Sendable {
    /// Whether appending added a line.
    public enum Outcome: Hashable, Sendable {
        /// The log gained a new line.
        case appended
        /// The log already had this `id` with the same content, so nothing was added.
        case alreadyThere
    }

    /// Whether appending added a line.
    public let outcome: Outcome
    /// The event's `seq`, its position in the log.
    public let seq: Int64
    /// The event's line as stored in the log, without its newline.
    public let line: [UInt8]
}

/// The guarantee that an append gives when it returns.
public enum Durability: Hashable, Sendable {
    /// The event survives a crash of the process, but not a power loss.
    case process
    /// The event survives a power loss: the file is synced before each append returns.
    case disk
}
