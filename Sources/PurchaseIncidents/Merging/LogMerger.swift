import PurchaseEvents

/// Merges logs into one, sorted by `at` and then by the order of the logs.
///
/// The lines of each log keep their order. If any log begins with a `log.opened`, the merged log
/// begins with one; it has no other. The merged log is renumbered and unchained. An event is
/// dropped if an earlier one has the same `id` and content; an event with a used `id` but different
/// content stays. A line that isn't an event stays behind the line before it. Memory: at least 32
/// bytes for each `id`, and a block of each log.
public struct LogMerger {
    private let logs: [LogParts]

    /// The contents of a merged log, and what was dropped.
    public struct Summary: Sendable {
        /// The numbers of events, of lines that weren't understood, and of blank lines in the
        /// merged log.
        public var events = 0, notUnderstood = 0, blank = 0
        /// The number of events dropped because an earlier equal event has the same `id`.
        public var repeated = 0
        /// The number of events whose `id` an earlier event has with different content.
        public var conflicting = 0
        /// The first ten conflicting events.
        public var conflicts: [Conflict] = []
        /// For each log, whether it was chained; the merged log isn't.
        public var wereChained: [Bool]
        /// For each log, whether it has lines and all of them are blank.
        public var wereBlank: [Bool]
        /// For each log, the environment that was added to lines without one, if any.
        public var namedEnvironments: [Environment?]
        /// The values of `log.opened` that the merged log lacks, because the logs disagree about
        /// them.
        public var leftOut: [LeftOut] = []
    }

    /// An event whose `id` an earlier event has with different content.
    public struct Conflict: Hashable, Sendable {
        /// The index of the log, the line in that log, and the `id`.
        public let log: Int, line: Int, id: String
    }

    /// A value of a `log.opened` that the merged log lacks.
    public struct LeftOut: Hashable, Sendable {
        /// The index of the log, the key and the value.
        public let log: Int, key: String, value: String
    }

    /// Creates a merger of logs in the given order.
    public init(_ logs: [LogParts]) { self.logs = logs }

    /// Passes the merged log to `write`, several lines at a time.
    @discardableResult
    public func merge(_ write: ([UInt8]) throws -> Void) throws -> Summary {
        var run = try MergeRun(logs)
        while try run.step() {
            if run.output.isFull { try write(run.output.taken()) }
        }
        try write(run.output.taken())
        return run.summary
    }

    /// Returns the bytes of the merged log.
    public func merged() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try merge { bytes += $0 }
        return bytes
    }
}
