import PurchaseEvents
import PurchaseProjections

/// Folds of generated logs, for the properties.
enum Folding {
    /// The rows of all projections as text, by projection.
    static func rows(_ show: Show) -> [[String]] {
        ProjectionCatalogue.all.map { projection in
            show.rows(of: projection).map { RowJSON.text(of: $0.fields) }
        }
    }

    /// The difference between the reports of rules and the expected ones, or `nil`.
    static func difference(
        _ reports: [(rule: RuleInfo, report: Report)],
        _ expected: [(rule: RuleInfo, report: Report)]
    ) -> String? {
        for (seen, expected) in zip(reports, expected) {
            let (report, other) = (seen.report, expected.report)
            if report.findings != other.findings || report.because != other.because
                || report.tested != other.tested
            {
                return "\(seen.rule.id): \(report), expected \(other)"
            }
        }
        return reports.count == expected.count ? nil : "\(reports.count) reports"
    }

    /// The fold of a log up to a line.
    static func show(
        _ bytes: [UInt8], upTo last: Int = .max, asOf instant: Timestamp? = nil
    ) throws -> Show {
        let reader = LogReader()
        var show = Show(ProjectionCatalogue.all, names: reader.decoder.names, asOf: instant)
        try reader.read(MemorySource(bytes)) { line in
            guard line.number <= last else { return false }
            show.observe(line)
            return true
        }
        return show
    }

    /// The first lines of a log.
    static func prefix(_ bytes: [UInt8], _ lines: Int) -> [UInt8] {
        var left = lines
        let end = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "\n") { left -= 1 }
            return left == 0
        }
        return lines == 0 ? [] : Array(bytes[...(end ?? bytes.count - 1)])
    }
}
