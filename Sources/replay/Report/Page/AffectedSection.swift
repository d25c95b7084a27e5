import PurchaseEvents
import PurchaseIncidents

/// The section of the accounts with findings: who lost what, and what to do.
extension ReportPage {
    /// The maximum number of accounts in the table; the others are counted.
    static let affectedRows = 50

    func addAffected(to page: inout Markup) {
        guard !model.affected.isEmpty else { return }
        page.add("<section id=\"affected\" aria-labelledby=\"affected-h\">\n")
        page.add("<h2 id=\"affected-h\">Who is affected</h2>\n")
        beginTable("Accounts with findings", in: &page)
        page.add(
            "<th scope=\"col\">Level<th scope=\"col\">Account",
            "<th scope=\"col\" class=\"n\">Findings",
            "<th scope=\"col\">Who loses money<th scope=\"col\" class=\"n\">Money at stake",
            "<th scope=\"col\">What to look at first</tr></thead><tbody>\n")
        let pictures = Dictionary(
            model.pictures.filter { !$0.findings.isEmpty }.map { ($0.account?.exact, $0.id) },
            uniquingKeysWith: { first, _ in first })
        for row in model.affected.prefix(ReportPage.affectedRows) {
            add(row, picture: pictures[row.account?.exact], to: &page)
        }
        endTable(in: &page)
        let rest = model.affected.count - ReportPage.affectedRows
        if rest > 0 {
            page.add(
                "<p class=\"left-out\">",
                .text(rest.counted("more account has", "more accounts have")), " findings.</p>\n")
        }
        page.add("</section>\n")
    }

    private func add(_ row: AffectedAccount, picture: Int?, to page: inout Markup) {
        add(row.level, to: &page)
        page.add("<td data-l=\"Account\">")
        let name = row.account ?? "no known account"
        if let picture {
            page.add("<a href=\"#a", .number(picture), "\">", .text(name), "</a>")
        } else {
            page.add(.text(name))
        }
        add(row.findings, "Findings", to: &page)
        page.add("<td data-l=\"Who loses money\">", .text(row.loser))
        add(row.stake, to: &page)
        page.add("<td data-l=\"What to look at first\">", .text(row.hint ?? ""), "\n")
    }
}
