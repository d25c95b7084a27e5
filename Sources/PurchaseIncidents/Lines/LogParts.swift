import PurchaseEvents

/// The files of one log, in order; each reading opens them again.
public struct LogParts {
    /// A file of a log.
    public struct Part {
        let path: String
        let open: () throws -> any ByteSource

        /// Creates a file from its path, used in errors, and a function that opens it.
        public init(path: String, open: @escaping () throws -> any ByteSource) {
            (self.path, self.open) = (path, open)
        }
    }

    let parts: [Part]

    /// Creates a log from its files.
    public init(_ parts: [Part]) { self.parts = parts }

    /// Creates a log in memory.
    public init(_ bytes: [UInt8]) { parts = [Part(path: "-") { MemorySource(bytes) }] }

    /// Reads the log and passes its lines to `visit`, a block at a time; returns their counts.
    func read(
        _ decoder: LineDecoder, threads: Int = 1, _ visit: (ReadLines) throws -> Void
    ) throws -> LineCounts {
        let reader = LogReader(decoder: decoder, threads: threads)
        for part in parts {
            do {
                try reader.readLines(try part.open()) { lines in
                    try visit(lines)
                    return lines.count
                }
            } catch let problem as ReadProblem {
                throw PartProblem(path: part.path, problem: problem)
            }
        }
        return reader.counts
    }
}

/// The error for a file of a log that can't be read to its end.
public struct PartProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The error of the operating system.
    public let problem: ReadProblem

    /// The path and the system's message.
    public var description: String { "cannot read `\(path)`: \(problem)" }
}
