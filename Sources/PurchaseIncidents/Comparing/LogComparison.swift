import PurchaseEvents
import PurchaseProjections

/// Compares the meaning of two logs: rows of projections, findings of rules, and then lines.
///
/// Rows are matched by the identifying keys of their projection, findings by rule, level, account
/// and key, and lines by their content without `seq`, `at` and `chain`; repeated findings and lines
/// count. Each log is read twice, and a third time if it has lines that the other log lacks.
/// Memory: the facts of both logs, the rows of one projection, and 24 bytes a line.
public struct LogComparison {
    private let before: Folded
    private let after: Folded
    /// The instant at which rows are compared: the given one, otherwise the greatest `at` of both
    /// logs.
    public let instant: Timestamp

    private struct Folded {
        let log: LogParts
        let show: Show
        let findings: [Finding]
        let counts: LineCounts

        init(_ log: LogParts, asOf instant: Timestamp?, threads: Int) throws {
            self.log = log
            let decoder = LineDecoder()
            var show = Show(names: decoder.names, asOf: instant)
            var check = Check(names: decoder.names)
            counts = try log.read(decoder, threads: threads) { lines in
                show.observe(lines)
                check.observe(lines)
            }
            findings = check.finish(threads: threads).flatMap { $0.report.findings }
            self.show = show
        }
    }

    /// Reads two logs.
    ///
    /// - Parameters:
    ///   - before: The first log.
    ///   - after: The second log.
    ///   - instant: The instant at which rows are compared; `nil` means the greatest `at` of both
    ///     logs.
    ///   - threads: The number of threads to use; the result does not depend on it.
    public init(
        _ before: LogParts, _ after: LogParts, asOf instant: Timestamp? = nil, threads: Int = 1
    ) throws {
        self.before = try Folded(before, asOf: instant, threads: threads)
        self.after = try Folded(after, asOf: instant, threads: threads)
        self.instant = max(self.before.show.asOf, self.after.show.asOf)
    }

    /// The line counts of the first and of the second log, by kind.
    public var counts: (before: LineCounts, after: LineCounts) { (before.counts, after.counts) }

    /// Calls `visit` with each difference: rows by projection, then findings, then the lines of the
    /// first log, then the lines of the second log.
    public func differences(_ visit: (LogDifference) throws -> Void) throws {
        for projection in ProjectionCatalogue.all {
            try rowDifferences(of: projection) { try visit(.row($0)) }
        }
        for (finding, presence) in findingDifferences { try visit(.finding(finding, presence)) }
        let lines = try LineComparison(before.log, after.log)
        try LogComparison.lines(lines.before, of: before.log) {
            try visit(.line($0, $1, .vanishes))
        }
        try LogComparison.lines(lines.after, of: after.log) { try visit(.line($0, $1, .appears)) }
    }

    /// All differences.
    public func differences() throws -> [LogDifference] {
        var all: [LogDifference] = []
        try differences { all.append($0) }
        return all
    }

    private func rowDifferences(
        of projection: any Projection.Type, _ visit: (RowDifference) throws -> Void
    ) rethrows {
        var left = RowLines()
        var right = RowLines()
        before.show.appendRows(of: projection, asOf: instant, to: &left)
        after.show.appendRows(of: projection, asOf: instant, to: &right)
        var comparison = RowComparison(
            projection, UnsafeRawBufferPointer(left.written), UnsafeRawBufferPointer(right.written))
        try comparison.differences(visit)
    }

    /// The values by which findings are matched.
    private struct FindingKey: Hashable {
        let name: FindingName, level: Level

        init(_ finding: Finding) { (name, level) = (FindingName(finding), finding.level) }
    }

    private var findingDifferences: [(Finding, LogDifference.Presence)] {
        func surplus(_ findings: [Finding], over others: [Finding]) -> [Finding] {
            var left: [FindingKey: Int] = [:]
            for other in others { left[FindingKey(other), default: 0] += 1 }
            return findings.filter { finding in
                let key = FindingKey(finding)
                guard let count = left[key], count > 0 else { return true }
                left[key] = count - 1
                return false
            }
        }
        return surplus(before.findings, over: after.findings).map { ($0, .vanishes) }
            + surplus(after.findings, over: before.findings).map { ($0, .appears) }
    }

    private static func lines(
        _ numbers: [Int], of log: LogParts, _ visit: (Int, [UInt8]) throws -> Void
    ) throws {
        var rest = numbers[...]
        let lines = RawLines(log)
        while let next = rest.first, let line = try lines.next() {
            guard lines.count == next else { continue }
            rest.removeFirst()
            try visit(next, Array(line))
        }
    }
}
