/// The existing lines of a log and the lines that any writer appends later.
///
/// When a follower has read all lines, it sleeps for an interval of its clock and looks again. The
/// sequence ends only when its task is cancelled or an ``EventLogError`` is thrown. It returns
/// whole lines only, so an append in progress is never mistaken for damage.
public struct LogFollower<Time: Clock>: AsyncSequence, Sendable where Time.Duration == Duration {
    /// A line of the log.
    public typealias Element = LogEntry
    /// The error that ends the sequence.
    public typealias Failure = EventLogError

    private let path: String
    private let start: LogPosition
    private let interval: Duration
    private let clock: Time
    private let operations: any FileOperations

    /// Follows a log from a position, and looks for new lines once per interval.
    public init(
        at path: String, from position: LogPosition = .start, every interval: Duration, clock: Time
    ) {
        self.init(
            at: path, from: position, every: interval, clock: clock, operations: SystemFiles())
    }

    init(
        at path: String, from position: LogPosition, every interval: Duration, clock: Time,
        operations: any FileOperations
    ) {
        self.path = path
        self.start = position
        self.interval = interval
        self.clock = clock
        self.operations = operations
    }

    /// Starts following; the log is opened when the first line is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(follower: self) }

    /// Iterates over the lines of a followed log.
    public struct Iterator: AsyncIteratorProtocol {
        /// A line of the log.
        public typealias Element = LogEntry
        /// The error that ends the iteration.
        public typealias Failure = EventLogError

        fileprivate let follower: LogFollower
        private var reader: EventReader?

        fileprivate init(follower: LogFollower) { self.follower = follower }

        /// Waits for the next line; returns `nil` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(EventLogError) -> LogEntry? {
            let reader = if let reader { reader } else { try follower.open() }
            self.reader = reader
            while !Task.isCancelled {
                if let entry = try reader.next() { return entry }
                do {
                    try await follower.clock.sleep(for: follower.interval)
                } catch {
                    // A clock throws only when its task is cancelled.
                    return nil
                }
            }
            return nil
        }
    }

    private func open() throws(EventLogError) -> EventReader {
        try EventReader(at: path, from: start, operations: operations)
    }
}
