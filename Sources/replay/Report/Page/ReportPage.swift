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
        page.add("</main>\n<footer><p>Made by replay ", .text(Tool.version), ".</p></footer>\n")
        addStates(to: &page)
        page.add("<script>")
        page.add(file: EmbeddedFiles.script)
        page.add("</script>\n</body>\n</html>\n")
        return page.bytes
    }

    private func addHead(to page: inout Markup) {
        page.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        let policy = PagePolicy.text(style: EmbeddedFiles.style, script: EmbeddedFiles.script)
        page.add("<meta http-equiv=\"Content-Security-Policy\" content=\"", .text(policy), "\">\n")
        page.add(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
            "<meta name=\"color-scheme\" content=\"light dark\">\n",
            "<meta name=\"referrer\" content=\"no-referrer\">\n")
        page.add("<title>", .text(heading), ": purchase report</title>\n<style>")
        page.add(file: EmbeddedFiles.style)
        page.add("</style>\n</head>\n<body>\n")
        page.add("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n")
        PictureSVG.addSymbols(to: &page)
    }

    /// The last part of a path.
    static func file(_ path: String) -> String {
        String(path.split(separator: "/").last ?? Substring(path))
    }

    /// A short description of the report's input.
    private var heading: String {
        guard let first = model.logs.first else { return "No log" }
        return model.logs.count == 1
            ? ReportPage.file(first.name == "-" ? "standard input" : first.name)
            : model.logs.count.counted("log")
    }

    private func addHeader(to page: inout Markup) {
        page.add("<header>\n<p class=\"eyebrow\">Purchase report</p>\n<h1>", .text(heading))
        page.add("</h1>\n")
        let worst: Markup.Piece =
            model.count(.error) > 0
            ? "error" : model.count(.warning) > 0 || !hasEvents ? "warning" : "well"
        page.add("<p class=\"verdict ", worst, "\">", .text(verdict), "</p>\n")
        if !model.narrowed.isEmpty {
            page.add(
                "<p class=\"narrowed\">Only ", .text(model.narrowed.joined(separator: ", ")),
                "</p>\n")
        }
        page.add("<dl class=\"facts\">\n")
        let counts = model.logs.map(\.counts)
        fact("Lines", counts.reduce(0) { $0 + $1.lines }, in: &page)
        fact("Events", counts.reduce(0) { $0 + $1.events }, in: &page)
        fact("Accounts", model.logs.reduce(0) { $0 + $1.accounts }, in: &page)
        fact("Findings", model.findingCount, in: &page)
        if !model.stake.isEmpty {
            page.add("<div><dt>Money at stake</dt><dd>", .text(model.stake.words), "</dd></div>\n")
        }
        fact("Not understood", counts.reduce(0) { $0 + $1.notUnderstood }, in: &page)
        page.add("</dl>\n<nav aria-label=\"Sections\"><ul>")
        page.add("<li><a href=\"#summary\">Summary</a>")
        if !model.findings.isEmpty { page.add("<li><a href=\"#findings\">Findings</a>") }
        page.add("<li><a href=\"#accounts\">Accounts</a><li><a href=\"#rules\">Rules</a>")
        if !model.diagnostics.isEmpty {
            page.add("<li><a href=\"#lines\">Lines not understood</a>")
        }
        page.add("<li><a href=\"#logs\">Logs</a></ul></nav>\n<div id=\"tools\"></div>\n</header>\n")
    }

    private func fact(_ name: StaticString, _ value: Int, in page: inout Markup) {
        page.add("<div><dt>", .markup(name), "</dt><dd>", .text(value.grouped))
        page.add("</dd></div>\n")
    }

    private var hasEvents: Bool { model.logs.contains { $0.counts.events > 0 } }

    /// The verdicts of all rules in a sentence.
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
        let unread = model.logs.reduce(0) { $0 + $1.counts.notUnderstood }
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
