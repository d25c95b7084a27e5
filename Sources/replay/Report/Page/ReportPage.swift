import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Writes a report as one HTML page that loads nothing and needs no script to be read.
struct ReportPage {
    let model: ReportModel
    /// The id of the picture that contains each line, by log and by line.
    let places: [Int: [Int: Int]]

    init(_ model: ReportModel) {
        self.model = model
        var places: [Int: [Int: Int]] = [:]
        for picture in model.pictures {
            for mark in picture.marks {
                places[picture.log, default: [:]][mark.number] = picture.id
            }
            // Prefer the picture of the finding's account for the finding's line.
            for finding in picture.findings
            where picture.marks.contains(where: { $0.number == finding.line }) {
                places[picture.log, default: [:]][finding.line] = picture.id
            }
        }
        self.places = places
    }

    func bytes() -> [UInt8] {
        var page = Markup()
        addHead(to: &page)
        addHeader(to: &page)
        page.add("<main id=\"main\">\n")
        addSummary(to: &page)
        addAffected(to: &page)
        addFindings(to: &page)
        addAccounts(to: &page)
        addRules(to: &page)
        addDiagnostics(to: &page)
        addLogs(to: &page)
        page.add("</main>\n<footer><p>Made by replay \(Tool.version).</p></footer>\n")
        addStates(to: &page)
        page.add("<script>")
        page.add(file: EmbeddedFiles.script)
        page.add("</script>\n</body>\n</html>\n")
        return page.bytes
    }

    private func addHead(to page: inout Markup) {
        let policy = PagePolicy.text(style: EmbeddedFiles.style, script: EmbeddedFiles.script)
        page.add(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(heading): purchase report</title>
            <style>
            """)
        page.add(file: EmbeddedFiles.style)
        page.add("</style>\n</head>\n<body>\n")
        page.add("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n")
        PictureSVG.addSymbols(to: &page)
    }

    private var heading: String {
        guard let name = model.logs.first?.name else { return "No log" }
        guard model.logs.count == 1 else { return model.logs.count.counted("log") }
        return name == "-" ? "standard input" : String(name.split(separator: "/").last ?? name[...])
    }

    private func addHeader(to page: inout Markup) {
        let worst =
            model.count(.error) > 0
            ? "error" : model.count(.warning) > 0 || !hasEvents ? "warning" : "well"
        page.add(
            """
            <header>
            <p class="eyebrow">Purchase report</p>
            <h1>\(heading)</h1>
            <p class="verdict \(worst)">\(verdict)</p>

            """)
        if !model.narrowed.isEmpty {
            page.add("<p class=\"narrowed\">Only \(model.narrowed.joined(separator: ", "))</p>\n")
        }
        page.add("<dl class=\"facts\">\n")
        let counts = model.logs.map(\.counts)
        fact("Lines", counts.reduce(0) { $0 + $1.lines }.grouped, in: &page)
        fact("Events", counts.reduce(0) { $0 + $1.events }.grouped, in: &page)
        fact("Accounts", model.logs.reduce(0) { $0 + $1.accounts }.grouped, in: &page)
        fact("Findings", model.findingCount.grouped, in: &page)
        if !model.stake.isEmpty { fact("Money at stake", model.stake.words, in: &page) }
        fact("Not understood", model.notUnderstood.grouped, in: &page)
        page.add("</dl>\n<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Summary</a>")
        if !model.findings.isEmpty { page.add("<li><a href=\"#findings\">Findings</a>") }
        page.add("<li><a href=\"#accounts\">Accounts</a><li><a href=\"#rules\">Rules</a>")
        if !model.diagnostics.isEmpty {
            page.add("<li><a href=\"#lines\">Lines not understood</a>")
        }
        page.add("<li><a href=\"#logs\">Logs</a></ul></nav>\n<div id=\"tools\"></div>\n</header>\n")
    }

    private func fact(_ name: String, _ value: String, in page: inout Markup) {
        page.add("<div><dt>\(name)</dt><dd>\(value)</dd></div>\n")
    }

    private var hasEvents: Bool { model.logs.contains { $0.counts.events > 0 } }

    private var verdict: String {
        guard hasEvents else { return "No event was read, so there is nothing to judge." }
        let broken = model.tallies.count { $0.outcome == .errors || $0.outcome == .warnings }
        let open = model.tallies.count { $0.verdict == .undetermined }
        let holds = model.tallies.count { $0.verdict == .holds || $0.outcome == .notes }
        let untested = model.tallies.count { $0.verdict == .vacuous }
        var text: String
        if broken > 0 {
            let levels = [(Level.error, "error"), (.warning, "warning")].compactMap { level, word in
                model.count(level) > 0 ? model.count(level).counted(word) : nil
            }
            text = "\(levels.joined(separator: " and ")) in \(broken.counted("rule"))."
        } else {
            text = "No rule is violated."
        }
        let unread = model.notUnderstood
        if unread > 0 {
            text += " \(unread.counted("line was", "lines were")) not understood, so more "
            text += "may be wrong."
        }
        text += " \(holds.counted("rule holds", "rules hold"))"
        if untested > 0 { text += ", \(untested.grouped) had nothing to test" }
        if open > 0 { text += ", \(open.grouped) can't be decided" }
        return text + "."
    }
}
