/// The lines of a log, those that are there and those that are appended later, by whomever.
///
/// It never ends by itself: when it has read all, it sleeps by the clock that it was given and
/// looks again. It ends when its task is cancelled, or with an ``EventLogError``. A line is given
/// when it is whole, so half a line is never seen, and an end that is still growing never taken
/// for damage.
public struct LogFollower<Time: Clock>: AsyncSequence, Sendable where Time.Duration == Duration {
    /// A line.
    public typealias Element = LogEntry
    /// Why following ended.
    public typealias Failure = EventLogError

    private let path: String
    private let start: LogPosition
    private let interval: Duration
    private let clock: Time
    private let operations: any FileOperations

    /// Follows a log from a position, looking for more at each interval of the clock.
    public init(
        at path: String, from position: LogPosition = .start, every interval: Duration,
        clock: Time
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

    /// Begins to follow; the log is opened when the first line is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(follower: self) }

    /// One walk along the log.
    public struct Iterator: AsyncIteratorProtocol {
        /// A line.
        public typealias Element = LogEntry
        /// Why following ended.
        public typealias Failure = EventLogError

        fileprivate let follower: LogFollower
        private var reader: EventReader?

        fileprivate init(follower: LogFollower) { self.follower = follower }

        /// The next line, as soon as there is one; `nil` when the task is cancelled.
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
                    // A clock throws when its task is cancelled, and for no other reason.
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
