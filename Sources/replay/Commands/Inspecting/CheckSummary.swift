import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `check --summary`: a line a rule.
extension CheckRun {
    /// Counts the findings of a log, and looks up when the first of each rule was recorded.
    mutating func summarize(
        _ findings: [Finding], _ number: Int, _ facts: Facts, _ pass: LogPass,
        _ places: LinePlaces
    ) throws {
        let sorted = findings.sorted { $0.line < $1.line }
        summary.add(sorted, log: number, facts)
        var wanted: [Int: [String]] = [:]
        for finding in sorted where firsts[finding.rule] == nil {
            let place = places.place(of: Int(finding.line))
            firsts[finding.rule] = (place.path, place.line, nil)
            wanted[Int(finding.line), default: []].append(finding.rule)
        }
        guard let last = wanted.keys.max() else { return }
        struct Done: Error {}
        do {
            _ = try pass.read(pass.reader()) { lines in
                for line in lines {
                    for rule in wanted[line.number] ?? [] { firsts[rule]?.at = line.event?.at }
                    if line.number >= last { throw Done() }
                }
            }
        } catch is Done {}
    }

    /// Prints a line for each rule with findings.
    func writeSummary() throws {
        if command.format == .json {
            for row in summary.rows { try session.output.line(object(row).text) }
            return
        }
        let rows = summary.rows.map { row in
            let first = firsts[row.rule]
            return [
                RowField("level", .text(row.level.rawValue)), RowField("rule", .text(row.rule)),
                RowField("findings", .integer(Int64(row.findings))),
                RowField("accounts", .integer(Int64(row.accounts))),
                RowField("transactions", .integer(Int64(row.transactions))),
                RowField("stake", .text(row.stake.isEmpty ? "-" : row.stake.words)),
                RowField("first", RowValue.text(first.map { "\($0.path):\($0.line)" })),
                RowField("at", RowValue.time(first?.at)),
            ].compactMap { $0 }
        }
        guard !rows.isEmpty else { return }
        for line in TableText(session).lines(rows) { try session.output.line(line) }
        if !summary.stake.isEmpty {
            session.tell(
                "money at stake, each transaction once: \(summary.stake.words)")
        }
    }

    private func object(_ row: FindingSummary.Row) -> JSONText {
        var object = JSONText()
        object.add("rule", row.rule)
        object.add("level", row.level.rawValue)
        object.add("findings", row.findings)
        object.add("accounts", row.accounts)
        object.add("transactions", row.transactions)
        var stake = JSONText()
        for (code, thousandths) in row.stake.byCode { stake.add(code, thousandths) }
        object.add("stake", raw: stake.text)
        if let first = firsts[row.rule] {
            object.add("path", first.path)
            object.add("firstLine", first.line)
            object.add("firstAt", first.at?.text)
        }
        return object
    }
}
