import PurchaseEvents
import PurchaseProjections

extension LogLines {
    /// Creates the lines of a log from its text.
    public init(text: String) { self.init(Array(text.utf8)) }

    /// The findings and rows of the log, as lines that a test can compare.
    ///
    /// First come the findings, each with its rule, level, line, account and key; then come the
    /// rows of every projection. Each finding and each row is one line of JSON.
    public func answers() throws -> [String] {
        let findings = try findings().map { finding in
            RowJSON.text(
                of: [
                    RowField("rule", .text(finding.rule)),
                    RowField("level", .text(finding.level.rawValue)),
                    RowField("line", .integer(Int64(finding.line))),
                    RowField("account", RowValue.text(finding.account)),
                    RowField("key", RowValue.text(finding.key)),
                ].compactMap { $0 })
        }
        let show = try show()
        let rows = ProjectionCatalogue.all.flatMap { projection in
            var lines = RowLines(heading: [("show", projection.name)])
            show.appendRows(of: projection, to: &lines)
            return lines.text.split(separator: "\n").map(String.init)
        }
        return findings + rows
    }
}
