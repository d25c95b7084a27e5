import PurchaseEvents

/// The arguments that commands over logs parse alike; each command lists the options that it takes.
struct LogArguments: Sendable {
    var paths: [String] = []
    var format = OutputFormat.text
    var account: String?
    /// The instant at which rows are true; `nil` means the latest time of recording.
    var instant: Timestamp?
    var stop = ReadingStop.never
    /// The number of threads to use; `nil` means the number of cores.
    var threads: Int?
}

extension LogArguments {
    /// Reads the arguments after `count` other operands.
    init(_ given: ParsedArguments, skipping count: Int = 0) throws(UsageError) {
        self.init(
            format: given.format, account: given.value(.accountOfRows),
            instant: try given.time(.asOf), stop: try given.stop(),
            threads: try given.number(.threads, in: 1...256))
        paths = try given.logs(skipping: count)
    }
}
