import PurchaseEvents
import PurchaseProjections

/// The sections of the rules with findings, each finding with its proof.
extension ReportPage {
    func addFindings(to page: inout Markup) {
        guard !model.findings.isEmpty else { return }
        page.add("<section id=\"findings\" aria-labelledby=\"findings-h\">\n")
        page.add("<h2 id=\"findings-h\">Findings</h2>\n")
        if model.findings.count < model.findingCount {
            page.add(
                "<p>The first ", .text(model.findings.count.grouped), " of ",
                .text(model.findingCount.grouped), " by line.</p>\n")
        }
        let byRule = Dictionary(grouping: model.findings, by: \.remark.code)
        for row in model.summary { addRule(row, byRule[row.rule.id] ?? [], to: &page) }
        page.add("</section>\n")
    }

    private func addRule(_ row: SummaryRow, _ findings: [ReportFinding], to page: inout Markup) {
        let id = row.rule.id
        page.add("<details open class=\"rule\" id=\"r-", .text(id), "\"><summary><h3>")
        addLevel(row.row.level, to: &page)
        page.add(
            " ", .text(id), "</h3> <span class=\"count\">",
            .text(row.findings.counted("finding")), "</span></summary>\n")
        page.add("<p class=\"statement\">", .text(row.rule.statement), "</p>\n")
        if !row.rule.evidence.isEmpty {
            page.add(
                "<p class=\"evidence\">Evidence: ",
                .text(row.rule.evidence.joined(separator: ", ")), "</p>\n")
        }
        for finding in findings { addFinding(finding, of: row.row.level, to: &page) }
        page.add("</details>\n")
    }

    private func addFinding(_ finding: ReportFinding, of gravest: Level, to page: inout Markup) {
        let remark = finding.remark
        page.add(
            "<article class=\"finding ", .text(remark.level.rawValue), "\" id=\"f",
            .number(finding.id), "\">\n<h4>")
        addLine(finding.line, of: finding.log, to: &page)
        page.add(" ", .text(remark.message), "</h4>\n")
        if !remark.notes.isEmpty {
            page.add("<ol class=\"proof\">\n")
            for (note, line) in zip(remark.notes, finding.noteLines) {
                page.add("<li>")
                addLine(line, of: finding.log, to: &page)
                page.add(" ", .text(note.message), "\n")
            }
            page.add("</ol>\n")
        }
        if let hint = remark.hint { page.add("<p class=\"hint\">", .text(hint), "</p>\n") }
        page.add("<p class=\"where\">")
        if remark.level != gravest { page.add(.text(remark.level.rawValue), " · ") }
        page.add(.text("\(remark.path):\(remark.line)"))
        if let account = remark.account { page.add(" · account ", .text(account)) }
        page.add("</p>\n</article>\n")
    }
}
