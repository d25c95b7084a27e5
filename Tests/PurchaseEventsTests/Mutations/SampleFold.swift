import PurchaseEvents
import PurchaseProjections

/// Folds the mutants of one sample with all rules and projections.
///
/// All mutants share the name table and the fold of the lines before the mutation: folds are
/// values, so the fold before each line of the sample is kept and continued.
final class SampleFold {
    /// The findings, by the rule's index in the catalogue.
    struct Counts {
        var grave: [Int]
        var notes: [Int]
        /// The errors and warnings.
        var findings: [Finding]
        var isMisunderstood: Bool
        fileprivate var show: Show
    }

    private let log: [MutableRow]
    private let decoder: LineDecoder
    /// The folds before each line of the sample, and after the last.
    private var checks: [Check]
    private var shows: [Show]
    /// The sample's rows in all projections, and their instant.
    private var shown: [[RowField]] = []
    private var asOf = Timestamp.earliest

    init(_ log: [MutableRow]) throws {
        self.log = log
        let names = NameTable()
        decoder = LineDecoder(names: names)
        checks = [Check(names: names)]
        shows = [Show(names: names)]
        for index in log.indices {
            var (check, show) = (checks[index], shows[index])
            _ = try read(log[index...index]) { line in
                check.observe(line)
                show.observe(line)
            }
            checks.append(check)
            shows.append(show)
        }
        asOf = shows[log.count].asOf
        shown = rows(of: shows[log.count])
    }

    /// The findings in a mutant, and its projections.
    func counts(of mutant: [MutableRow]) throws -> Counts {
        let shared = zip(log, mutant).prefix { $0 == $1 }.count
        let rest = mutant[shared...]
        var (check, show) = (checks[shared], shows[shared])
        let understood = try read(rest) { line in
            check.observe(line)
            show.observe(line)
        }
        let reports = check.finish().map(\.report)
        return Counts(
            grave: reports.map { $0.counts[.error, default: 0] + $0.counts[.warning, default: 0] },
            notes: reports.map { $0.counts[.note, default: 0] },
            findings: reports.flatMap(\.findings).filter { $0.level != .note },
            isMisunderstood: understood != rest.count, show: show)
    }

    /// Whether every projection shows the same rows for a mutant as for the sample.
    func isIdle(_ counts: Counts) -> Bool { rows(of: counts.show) == shown }

    private func rows(of show: Show) -> [[RowField]] {
        ProjectionCatalogue.all.flatMap { show.rows(of: $0, asOf: asOf).map(\.fields) }
    }

    /// Reads rows of a log; returns how many were understood.
    ///
    /// Blank lines stand for the rows before them, so that each has its line number.
    private func read(
        _ rows: ArraySlice<MutableRow>, _ visit: (ReadLine) -> Void
    ) throws -> Int {
        var bytes = [UInt8](repeating: 0x0A, count: rows.startIndex)
        for index in rows.indices { bytes += rows[index].line(index + 1) }
        let reader = LogReader(decoder: decoder)
        try reader.read(MemorySource(bytes)) { line in
            visit(line)
            return true
        }
        return reader.counts.events
    }
}
