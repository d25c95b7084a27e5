import PurchaseEvents

/// Merges logs into one: by `at`, then by the order given, each log's own order kept.
///
/// The merged log has one `log.opened` at its beginning, counts `seq` anew and is unchained. An
/// event whose `id` and content an earlier one has is left out; one whose `id` alone is taken
/// stays.
/// A line that isn't an event stays behind the line before it. Memory: 32 bytes and more an `id`,
/// and a block of each log.
public struct LogMerger {
    private let logs: [LogParts]

    /// What a merged log consists of, and what was left out of it.
    public struct Summary: Sendable {
        /// The numbers of events, of lines not understood and of blank lines in the merged log.
        public var events = 0, notUnderstood = 0, blank = 0
        /// The number of events left out because an equal one has the same `id`.
        public var repeated = 0
        /// The number of events whose `id` another one has that says something else.
        public var conflicting = 0
        /// The first ten of them.
        public var conflicts: [Conflict] = []
        /// For each log, whether it was chained, which the merged log isn't.
        public var wereChained: [Bool]
        /// For each log, the environment that lines without one now name, if any did.
        public var namedEnvironments: [Environment?]
        /// What logs are opened with and the merged log isn't, because they differ in it.
        public var leftOut: [LeftOut] = []
    }

    /// An event whose `id` another one has that says something else.
    public struct Conflict: Hashable, Sendable {
        /// The index of the log, the line in it, and the `id`.
        public let log: Int, line: Int, id: String
    }

    /// A value of a `log.opened` that the merged log doesn't have.
    public struct LeftOut: Hashable, Sendable {
        /// The index of the log, the key and the value.
        public let log: Int, key: String, value: String
    }

    /// Creates a merger of logs in this order.
    public init(_ logs: [LogParts]) { self.logs = logs }

    /// Passes the merged log to `write`, some lines at a time.
    @discardableResult
    public func merge(_ write: ([UInt8]) throws -> Void) throws -> Summary {
        var run = try MergeRun(logs)
        while try run.step() {
            if run.isFull { try write(run.taken()) }
        }
        try write(run.taken())
        return run.finished
    }

    /// The bytes of the merged log.
    public func merged() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try merge { bytes += $0 }
        return bytes
    }
}
