import PurchaseEvents

/// Replaces the names in a log with pseudonyms, so that the log can be shared (incident.md).
///
/// Names of products, groups and content stay, unless ``Redaction/replacesProducts`` is set. The
/// redacted log has the same findings, verdicts and rows, apart from the names, removed texts, and
/// the order of names: where two statements have one version, their bytes and so their names decide
/// which counts, and the other may count in the redacted log. Keyed digests replace free text and
/// unknown keys, so that events that differ in them still differ. Line numbers stay the same: a
/// line that isn't understood may hold names anywhere, so a line without content replaces it. Only
/// a chained log loses its blank lines.
public struct Redactor {
    private let redaction: Redaction
    private let threads: Int
    private let workers: [LineRedactor]
    private var chain = Chain()
    /// The number of lines that were too long for a chain value.
    private var tooLong = 0

    /// The counts so far.
    public var summary: RedactionSummary {
        var summary = RedactionSummary()
        for worker in workers { summary.add(worker.summary) }
        summary.events -= tooLong
        summary.notUnderstood += tooLong
        return summary
    }

    private static let portion = 1 << 20

    /// Creates a redactor.
    ///
    /// - Parameters:
    ///   - redaction: What to redact, and how.
    ///   - threads: The number of threads to use; the result does not depend on it.
    public init(_ redaction: Redaction, threads: Int = 1) {
        self.redaction = redaction
        self.threads = max(1, threads)
        workers = (0..<self.threads).map { _ in LineRedactor(redaction) }
    }

    /// Redacts the lines of a source and passes their bytes to `write`, piece by piece.
    ///
    /// Throws whatever reading and `write` throw. Cost: one pass; memory for each name and one
    /// block.
    public mutating func redact(
        _ source: any ByteSource, _ write: ([UInt8]) throws -> Void
    ) throws {
        var bytes: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            let more = try source.bytes(atMost: Redactor.portion)
            bytes += more
            isAtEnd = more.isEmpty
            let end = isAtEnd ? bytes.count : bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            guard end > 0 else { continue }
            try write(redact(Array(bytes[..<end])))
            bytes.removeFirst(end)
        }
    }

    /// Redacts a log in memory.
    public mutating func redact(_ log: [UInt8]) -> [UInt8] {
        let shares = shares(of: log)
        let workers = workers
        let redacted = concurrentMap(shares.count, threads: threads) { index in
            Redactor.redact(log, shares[index], by: workers[index])
        }
        let output = Array(redacted.joined())
        return redaction.isChained ? chained(output) : output
    }

    /// Splits lines into as many parts as there are threads, each ending with a whole line.
    private func shares(of log: [UInt8]) -> [Range<Int>] {
        var shares: [Range<Int>] = []
        var start = 0
        while start < log.count {
            let isLast = shares.count == threads - 1
            let middle = isLast ? log.count : min(log.count, start + log.count / threads + 1)
            let end = log[middle...].firstIndex(of: 0x0A).map { $0 + 1 } ?? log.count
            shares.append(start..<end)
            start = end
        }
        return shares
    }

    private static func redact(
        _ log: [UInt8], _ share: Range<Int>, by worker: LineRedactor
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(share.count)
        log.withUnsafeBytes { bytes in
            var start = share.lowerBound
            while start < share.upperBound {
                let end = bytes[start..<share.upperBound].firstIndex(of: 0x0A) ?? share.upperBound
                worker.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &output)
                start = end + 1
            }
        }
        return output
    }

    /// Adds chain values to lines and removes blank ones, which a chained log can't have.
    private mutating func chained(_ lines: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for bytes in lines.split(separator: 0x0A) {
            var line = Array(bytes)
            do throws(WritingProblem) {
                try chain.seal(&line)
            } catch {
                // The line is too long for a chain value.
                line = LineRedactor.placeholder
                tooLong += 1
                try? chain.seal(&line)
            }
            output += line
            output.append(0x0A)
        }
        return output
    }
}
