import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// The tables of the summary, the rules and the logs, and the list of lines not understood.
extension ReportPage {
    func beginSection(_ id: String, _ title: String, in page: inout Markup) {
        page.add("<section id=\"\(id)\" aria-labelledby=\"\(id)-h\">\n")
        page.add("<h2 id=\"\(id)-h\">\(title)</h2>\n")
    }

    /// Opens a table that scrolls on a narrow page and that the script can sort.
    func beginTable(_ name: String, _ columns: [String], in page: inout Markup) {
        page.add(#"<div class="wide" tabindex="0" role="region" aria-label="\#(name)">"#)
        page.add(#"<table class="sorts"><thead><tr>"#)
        for column in columns {
            let kind: Markup = ReportPage.numbers.contains(column) ? #" class="n""# : ""
            page.add(#"<th scope="col"\#(kind)>\#(column)"#)
        }
        page.add("</tr></thead><tbody>\n")
    }

    /// The columns of numbers, in all tables.
    private static let numbers: Set = [
        "Lines", "Events", "Not understood", "Blank", "Findings", "Accounts", "Transactions",
        "Money at stake", "Tested",
    ]

    func endTable(in page: inout Markup) { page.add("</tbody></table></div>\n") }

    func addSummary(to page: inout Markup) {
        beginSection("summary", "Summary", in: &page)
        guard !model.summary.isEmpty else {
            return page.add("<p class=\"none\">No rule has a finding.</p>\n</section>\n")
        }
        let columns = [
            "Level", "Rule", "Findings", "Accounts", "Transactions", "Money at stake",
            "First line", "Recorded",
        ]
        beginTable("Summary by rule", columns, in: &page)
        for row in model.summary { add(row, to: &page) }
        endTable(in: &page)
        page.add("</section>\n")
    }

    private func add(_ row: SummaryRow, to page: inout Markup) {
        add(row.row.level, to: &page)
        add("Rule", "<a href=\"#r-\(row.rule.id)\">\(row.rule.id)</a>", to: &page)
        add("Findings", row.findings, to: &page)
        add("Accounts", row.row.accounts, to: &page)
        add("Transactions", row.row.transactions, to: &page)
        add(row.row.stake, to: &page)
        if let first = row.first {
            page.add(#"<td data-l="First line" data-k="\#(first.line)">"#)
            page.add(line(first.line, of: first.log))
            if model.logs.count > 1 { page.add(" of \(model.logs[first.log].name)") }
        } else {
            page.add("<td>")
        }
        add("Recorded", row.row.at, to: &page)
        page.add("\n")
    }

    /// Begins a row with the cell of its level, which the script sorts by severity.
    func add(_ level: Level, to page: inout Markup) {
        page.add(#"<tr><td data-l="Level" data-k="\#(level.rank)">\#(word(level))"#)
    }

    func add(_ column: String, _ content: Markup, to page: inout Markup) {
        page.add(#"<td data-l="\#(column)">\#(content)"#)
    }

    /// Adds a cell with a number, which the script sorts by.
    func add(_ column: String, _ number: Int, to page: inout Markup) {
        page.add(#"<td class="n" data-l="\#(column)" data-k="\#(number)">\#(number.grouped)"#)
    }

    /// Adds a cell with money; the script sorts by the sum over all currencies.
    func add(_ stake: Stake, to page: inout Markup) {
        page.add(#"<td class="n" data-l="Money at stake" data-k="\#(stake.sortKey)">"#)
        page.add("\(stake.isEmpty ? "none known" : stake.words)")
    }

    private func add(_ column: String, _ time: Timestamp?, to page: inout Markup) {
        add(column, "\(time.map { TextFormat.second($0) } ?? "")", to: &page)
    }

    func word(_ level: Level) -> Markup {
        #"<span class="level \#(level.rawValue)">\#(level.rawValue)</span>"#
    }

    /// The number of a log's line, as a link to the line's mark if the line is drawn.
    func line(_ line: Int, of log: Int) -> Markup {
        guard let picture = places[log]?[line] else {
            return #"<span class="line">line \#(line)</span>"#
        }
        return ##"<a class="line" href="#m\##(picture)-\##(line)">line \##(line)</a>"##
    }

    func addRules(to page: inout Markup) {
        beginSection("rules", "Rules", in: &page)
        page.add("<details><summary>\(model.tallies.count.counted("rule")) and their verdicts")
        page.add("</summary>\n")
        let columns = ["Rule", "Verdict", "Tested", "Findings", "What must hold"]
        beginTable("Verdicts by rule", columns, in: &page)
        for tally in model.tallies {
            let verdict = tally.outcome == .notes ? "noted" : tally.verdict.rawValue
            page.add("<tr>")
            add("Rule", "\(tally.rule.id)", to: &page)
            add("Verdict", "\(verdict)", to: &page)
            add("Tested", tally.tested, to: &page)
            add("Findings", tally.findings, to: &page)
            add("What must hold", "\(tally.rule.statement)", to: &page)
            if tally.verdict == .undetermined {
                for reason in tally.because {
                    page.add("<br><span class=\"because\">because \(reason)</span>")
                }
            }
            page.add("\n")
        }
        endTable(in: &page)
        page.add("</details>\n</section>\n")
    }

    func addLogs(to page: inout Markup) {
        beginSection("logs", "Logs", in: &page)
        let columns = [
            "Log", "Lines", "Events", "Not understood", "Blank", "Accounts", "From", "Until",
        ]
        beginTable("Logs", columns, in: &page)
        for log in model.logs {
            page.add("<tr>")
            add("Log", "\(log.name)", to: &page)
            add("Lines", log.counts.lines, to: &page)
            add("Events", log.counts.events, to: &page)
            add("Not understood", log.counts.notUnderstood, to: &page)
            add("Blank", log.counts.blank, to: &page)
            add("Accounts", log.accounts, to: &page)
            add("From", log.from, to: &page)
            add("Until", log.until, to: &page)
            page.add("\n")
        }
        endTable(in: &page)
        page.add("</section>\n")
    }

    func addDiagnostics(to page: inout Markup) {
        guard !model.diagnostics.isEmpty else { return }
        let (shown, count) = (model.diagnostics.count, model.notUnderstood)
        beginSection("lines", "Lines not understood", in: &page)
        if shown < count { page.add("<p>The first \(shown.grouped) of \(count.grouped).</p>\n") }
        page.add("<ul class=\"diagnostics\">\n")
        for remark in model.diagnostics {
            page.add("<li><span class=\"line\">\(remark.path):\(remark.line)</span> ")
            page.add("[\(remark.code)] \(remark.message)</li>\n")
        }
        page.add("</ul>\n</section>\n")
    }
}
