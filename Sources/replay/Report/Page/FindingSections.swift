import PurchaseEvents
import PurchaseProjections

/// The sections of the rules with findings, each finding with its proof.
extension ReportPage {
    func addFindings(to page: inout Markup) {
        guard !model.findings.isEmpty else { return }
        beginSection("findings", "Findings", in: &page)
        let (shown, count) = (model.findings.count, model.findingCount)
        if shown < count {
            page.add("<p>The first \(shown.grouped) of \(count.grouped) by line.</p>\n")
        }
        let byRule = Dictionary(grouping: model.findings, by: \.remark.code)
        for row in model.summary { addRule(row, byRule[row.rule.id] ?? [], to: &page) }
        page.add("</section>\n")
    }

    private func addRule(_ row: SummaryRow, _ findings: [ReportFinding], to page: inout Markup) {
        let (rule, level) = (row.rule, row.row.level)
        page.add(
            """
            <details open class="rule" id="r-\(rule.id)"><summary><h3>\(word(level)) \(rule.id)\
            </h3> <span class="count">\(row.findings.counted("finding"))</span></summary>
            <p class="statement">\(rule.statement)</p>

            """)
        if !rule.evidence.isEmpty {
            let evidence = rule.evidence.joined(separator: ", ")
            page.add("<p class=\"evidence\">Evidence: \(evidence)</p>\n")
        }
        for finding in findings { addFinding(finding, of: level, to: &page) }
        page.add("</details>\n")
    }

    private func addFinding(_ finding: ReportFinding, of gravest: Level, to page: inout Markup) {
        let (remark, level) = (finding.remark, finding.remark.level)
        page.add("<article class=\"finding \(level.rawValue)\" id=\"f\(finding.id)\">\n")
        page.add("<h4>\(line(finding.line, of: finding.log)) \(remark.message)</h4>\n")
        if !remark.notes.isEmpty {
            page.add("<ol class=\"proof\">\n")
            for (note, number) in zip(remark.notes, finding.noteLines) {
                page.add("<li>\(line(number, of: finding.log)) \(note.message)\n")
            }
            page.add("</ol>\n")
        }
        if let hint = remark.hint { page.add("<p class=\"hint\">\(hint)</p>\n") }
        page.add("<p class=\"where\">")
        if level != gravest { page.add("\(level.rawValue) · ") }
        page.add("\(remark.path):\(remark.line)")
        if let account = remark.account { page.add(" · account \(account)") }
        page.add("</p>\n</article>\n")
    }
}
