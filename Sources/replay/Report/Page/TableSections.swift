import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// The tables of the summary, the rules and the logs, and the list of lines not understood.
extension ReportPage {
    /// Opens a table that scrolls on a narrow page and that the script can sort.
    func beginTable(_ name: StaticString, in page: inout Markup) {
        page.add(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"", .markup(name),
            "\"><table class=\"sorts\"><thead><tr>")
    }

    func endTable(in page: inout Markup) { page.add("</tbody></table></div>\n") }

    func addSummary(to page: inout Markup) {
        page.add("<section id=\"summary\" aria-labelledby=\"summary-h\">\n")
        page.add("<h2 id=\"summary-h\">Summary</h2>\n")
        guard !model.summary.isEmpty else {
            return page.add("<p class=\"none\">No rule has a finding.</p>\n</section>\n")
        }
        beginTable("Summary by rule", in: &page)
        page.add(
            "<th scope=\"col\">Level<th scope=\"col\">Rule<th scope=\"col\" class=\"n\">Findings",
            "<th scope=\"col\" class=\"n\">Accounts<th scope=\"col\" class=\"n\">Transactions",
            "<th scope=\"col\" class=\"n\">Money at stake<th scope=\"col\">First line",
            "<th scope=\"col\">Recorded</tr></thead><tbody>\n")
        for row in model.summary { add(row, to: &page) }
        endTable(in: &page)
        page.add("</section>\n")
    }

    private func add(_ row: SummaryRow, to page: inout Markup) {
        add(row.row.level, to: &page)
        page.add(
            "<td data-l=\"Rule\"><a href=\"#r-", .text(row.rule.id), "\">", .text(row.rule.id),
            "</a>")
        add(row.findings, "Findings", to: &page)
        add(row.row.accounts, "Accounts", to: &page)
        add(row.row.transactions, "Transactions", to: &page)
        add(row.row.stake, to: &page)
        if let first = row.first {
            page.add("<td data-l=\"First line\" data-k=\"", .number(first.line), "\">")
            addLine(first.line, of: first.log, to: &page)
            if model.logs.count > 1 { page.add(" of ", .text(model.logs[first.log].name)) }
        } else {
            page.add("<td>")
        }
        addTime(row.row.at, "Recorded", to: &page)
        page.add("\n")
    }

    /// Begins a row with the cell of its level, which the script sorts by severity.
    func add(_ level: Level, to page: inout Markup) {
        page.add("<tr><td data-l=\"Level\" data-k=\"", .number(level.rank), "\">")
        addLevel(level, to: &page)
    }

    /// Adds a cell with a number, which the script sorts by; `name` is the name of the column.
    func add(_ number: Int, _ name: StaticString, to page: inout Markup) {
        page.add(
            "<td class=\"n\" data-l=\"", .markup(name), "\" data-k=\"", .number(number), "\">",
            .text(number.grouped))
    }

    /// Adds a cell with money; the script sorts by the sum over all currencies.
    func add(_ stake: Stake, to page: inout Markup) {
        page.add(
            "<td class=\"n\" data-l=\"Money at stake\" data-k=\"", .number(stake.sortKey), "\">",
            .text(stake.isEmpty ? "none known" : stake.words))
    }

    private func addTime(_ time: Timestamp?, _ name: StaticString, to page: inout Markup) {
        page.add(
            "<td data-l=\"", .markup(name), "\">", .text(time.map { TextFormat.second($0) } ?? ""))
    }

    /// Adds a level as a word with its colour.
    func addLevel(_ level: Level, to page: inout Markup) {
        let word = Markup.Piece.text(level.rawValue)
        page.add("<span class=\"level ", word, "\">", word, "</span>")
    }

    /// Adds the number of a log's line, as a link to the line's mark if the line is drawn.
    func addLine(_ line: Int, of log: Int, to page: inout Markup) {
        if let picture = places[log]?[line] {
            page.add(
                "<a class=\"line\" href=\"#m", .number(picture), "-", .number(line), "\">line ",
                .number(line), "</a>")
        } else {
            page.add("<span class=\"line\">line ", .number(line), "</span>")
        }
    }

    func addRules(to page: inout Markup) {
        page.add("<section id=\"rules\" aria-labelledby=\"rules-h\">\n")
        page.add("<h2 id=\"rules-h\">Rules</h2>\n<details><summary>")
        page.add(.text(model.tallies.count.counted("rule")), " and their verdicts</summary>\n")
        beginTable("Verdicts by rule", in: &page)
        page.add(
            "<th scope=\"col\">Rule<th scope=\"col\">Verdict<th scope=\"col\" class=\"n\">Tested",
            "<th scope=\"col\" class=\"n\">Findings<th scope=\"col\">What must hold",
            "</tr></thead><tbody>\n")
        for tally in model.tallies {
            let isNoted = tally.outcome == .notes
            page.add("<tr><td data-l=\"Rule\">", .text(tally.rule.id), "<td data-l=\"Verdict\">")
            page.add(.text(isNoted ? "noted" : tally.verdict.rawValue))
            add(tally.tested, "Tested", to: &page)
            add(tally.findings, "Findings", to: &page)
            page.add("<td data-l=\"What must hold\">", .text(tally.rule.statement))
            if tally.verdict == .undetermined {
                for reason in tally.because {
                    page.add("<br><span class=\"because\">because ", .text(reason), "</span>")
                }
            }
            page.add("\n")
        }
        endTable(in: &page)
        page.add("</details>\n</section>\n")
    }

    func addLogs(to page: inout Markup) {
        page.add("<section id=\"logs\" aria-labelledby=\"logs-h\">\n<h2 id=\"logs-h\">Logs</h2>\n")
        beginTable("Logs", in: &page)
        page.add(
            "<th scope=\"col\">Log<th scope=\"col\" class=\"n\">Lines",
            "<th scope=\"col\" class=\"n\">Events<th scope=\"col\" class=\"n\">Not understood",
            "<th scope=\"col\" class=\"n\">Blank<th scope=\"col\" class=\"n\">Accounts",
            "<th scope=\"col\">From<th scope=\"col\">Until</tr></thead><tbody>\n")
        for log in model.logs {
            page.add("<tr><td data-l=\"Log\">", .text(log.name))
            add(log.counts.lines, "Lines", to: &page)
            add(log.counts.events, "Events", to: &page)
            add(log.counts.notUnderstood, "Not understood", to: &page)
            add(log.counts.blank, "Blank", to: &page)
            add(log.accounts, "Accounts", to: &page)
            addTime(log.from, "From", to: &page)
            addTime(log.until, "Until", to: &page)
            page.add("\n")
        }
        endTable(in: &page)
        page.add("</section>\n")
    }

    func addDiagnostics(to page: inout Markup) {
        guard !model.diagnostics.isEmpty else { return }
        let count = model.logs.reduce(0) { $0 + $1.counts.notUnderstood }
        page.add("<section id=\"lines\" aria-labelledby=\"lines-h\">\n")
        page.add("<h2 id=\"lines-h\">Lines not understood</h2>\n")
        if model.diagnostics.count < count {
            page.add(
                "<p>The first ", .text(model.diagnostics.count.grouped), " of ",
                .text(count.grouped), ".</p>\n")
        }
        page.add("<ul class=\"diagnostics\">\n")
        for remark in model.diagnostics {
            page.add("<li><span class=\"line\">", .text("\(remark.path):\(remark.line)"))
            page.add("</span> ", .text("[\(remark.code)] \(remark.message)"), "</li>\n")
        }
        page.add("</ul>\n</section>\n")
    }
}
