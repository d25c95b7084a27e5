import PurchaseEvents
import PurchaseIncidents

/// The section of the accounts with findings: who lost what, and what to do.
extension ReportPage {
    /// The maximum number of accounts in the table; the others are counted.
    static let affectedRows = 50

    func addAffected(to page: inout Markup) {
        guard !model.affected.isEmpty else { return }
        beginSection("affected", "Who is affected", in: &page)
        let columns = [
            "Level", "Account", "Findings", "Who loses money", "Money at stake",
            "What to look at first",
        ]
        beginTable("Accounts with findings", columns, in: &page)
        let pictures = Dictionary(
            model.pictures.filter { !$0.findings.isEmpty }.map { ($0.account?.exact, $0.id) },
            uniquingKeysWith: { first, _ in first })
        for row in model.affected.prefix(ReportPage.affectedRows) {
            let name: Markup = "\(row.account ?? "no known account")"
            let link: Markup? = pictures[row.account?.exact].map {
                "<a href=\"#a\($0)\">\(name)</a>"
            }
            add(row.level, to: &page)
            add("Account", link ?? name, to: &page)
            add("Findings", row.findings, to: &page)
            add("Who loses money", "\(row.loser)", to: &page)
            add(row.stake, to: &page)
            add("What to look at first", "\(row.hint ?? "")", to: &page)
            page.add("\n")
        }
        endTable(in: &page)
        let rest = model.affected.count - ReportPage.affectedRows
        if rest > 0 {
            let words = rest.counted("more account has", "more accounts have")
            page.add("<p class=\"left-out\">\(words) findings.</p>\n")
        }
        page.add("</section>\n")
    }
}
