import PurchaseEvents
import PurchaseProjections
import Testing

@testable import PurchaseImport

/// The results of `replay check` and `replay show` for an imported log.
enum Checking {
    /// The errors that rules find, and the reasons why rules can't tell; empty if the status of
    /// `check` would be 0.
    static func problems(in log: [UInt8]) throws -> [String] {
        let reader = LogReader()
        var check = Check(RuleCatalogue.all, names: reader.decoder.names)
        var problems: [String] = []
        try reader.read(MemorySource(log)) { line in
            if line.event == nil { problems.append("line \(line.number) is not understood") }
            check.observe(line)
            return true
        }
        for (rule, report) in check.finish() {
            problems += report.findings.filter { $0.level == .error }
                .map { "\(rule.id): \($0.message)" }
            problems += report.because.map { "\(rule.id): \($0)" }
        }
        return problems
    }

    /// The rows of all projections, one text each.
    static func rows(of log: [UInt8], asOf instant: Timestamp? = nil) throws -> [[String]] {
        let show = try show(log, asOf: instant)
        return ProjectionCatalogue.all.map { projection in rows(show, projection) }
    }

    /// The rows of one projection, one text each.
    static func rows(_ show: Show, _ projection: any Projection.Type) -> [String] {
        var lines = RowLines()
        show.appendRows(of: projection, to: &lines)
        return lines.text.split(separator: "\n").map { String($0) }
    }

    /// The fold of a log.
    static func show(_ log: [UInt8], asOf instant: Timestamp? = nil) throws -> Show {
        let reader = LogReader()
        var show = Show(ProjectionCatalogue.all, names: reader.decoder.names, asOf: instant)
        try reader.read(MemorySource(log)) { line in
            show.observe(line)
            return true
        }
        return show
    }
}
