import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `check --summary`: prints one line for each rule with findings.
extension CheckRun {
    /// Prints the lines, the most severe first, and reports the money at stake over all rules.
    func writeSummary() throws {
        if command.input.format == .json {
            for row in summary.rows { try session.output.line(object(row).text) }
            return
        }
        let rows = summary.rows.map { row in
            let first = place(row)
            return [
                RowField("level", .text(row.level.rawValue)), RowField("rule", .text(row.rule)),
                RowField("findings", .integer(Int64(row.findings))),
                RowField("accounts", .integer(Int64(row.accounts))),
                RowField("transactions", .integer(Int64(row.transactions))),
                RowField("stake", .text(row.stake.isEmpty ? "-" : row.stake.words)),
                RowField("first", .text("\(first.path):\(first.line)")),
                RowField("at", RowValue.time(row.at)),
            ].compactMap { $0 }
        }
        guard !rows.isEmpty else { return }
        for line in TableText(session).lines(rows) { try session.output.line(line) }
        if !summary.stake.isEmpty {
            session.tell("money at stake, each transaction once: \(summary.stake.words)")
        }
    }

    private func place(_ row: FindingSummary.Row) -> (path: String, line: Int) {
        allPlaces[row.log].place(of: Int(row.firstLine))
    }

    private func object(_ row: FindingSummary.Row) -> JSONText {
        var object = JSONText()
        object.add("rule", row.rule)
        object.add("level", row.level.rawValue)
        object.add("findings", row.findings)
        object.add("accounts", row.accounts)
        object.add("transactions", row.transactions)
        if !row.stake.isEmpty { object.add("stake", raw: JSONText(row.stake).text) }
        let first = place(row)
        object.add("path", first.path)
        object.add("firstLine", first.line)
        object.add("at", row.at?.text)
        return object
    }
}
