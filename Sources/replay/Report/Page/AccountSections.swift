import PurchaseEvents

/// The sections of the accounts: for each a picture and a table, and the states of small logs.
extension ReportPage {
    func addAccounts(to page: inout Markup) {
        beginSection("accounts", "Accounts", in: &page)
        if !model.pictures.isEmpty { addLegend(to: &page) }
        for (index, log) in model.logs.enumerated() {
            let pictures = model.pictures.filter { $0.log == index }
            let history = model.histories.first { $0.log == index }
            guard !pictures.isEmpty || history != nil else { continue }
            page.add("<div class=\"log\" data-log=\"\(index)\">\n")
            if model.logs.count > 1 { page.add("<h3 class=\"path\">\(log.name)</h3>\n") }
            if let history { addState(history, to: &page) }
            for picture in pictures { addPicture(picture, to: &page) }
            page.add("</div>\n")
        }
        if model.undrawn > 0 {
            let words = model.undrawn.counted(
                "more account isn't drawn", "more accounts aren't drawn")
            page.add(
                """
                <p class="left-out">\(words): <code>--account=A</code> draws one, \
                <code>--accounts=N</code> the first N.</p>

                """)
        }
        page.add("</section>\n")
    }

    /// Explains the marks and bars that occur on the page.
    private func addLegend(to page: inout Markup) {
        page.add(
            """
            <p>Time runs from left to right, a column for each line; long gaps are drawn short.</p>
            <ul class="legend" aria-label="Marks">
            """)
        let shapes = Set(model.pictures.flatMap { $0.marks.map { MarkShape(of: $0.type) } })
        for shape in MarkShape.allCases where shapes.contains(shape) {
            page.add(
                """
                <li><svg width="18" height="18" aria-hidden="true">\
                <use href="#\(shape.rawValue)" x="9" y="9"/></svg> \(shape.words)
                """)
        }
        if model.pictures.contains(where: { !$0.findings.isEmpty }) {
            page.add(
                """
                <li><svg width="22" height="22" aria-hidden="true">\
                <use href="#finding" x="11" y="11"/></svg> finding (links to its proof)
                """)
        }
        let kinds = Set(model.pictures.flatMap(\.subscriptions).flatMap(\.spans).map(\.kind))
        let early = kinds.contains { $0 != .period(ended: nil) && $0 != .grace && $0 != .lapse }
        let bars = [
            (kinds.contains(.period(ended: nil)), "period", "period"),
            (early, "period ended", "period that ended early"),
            (kinds.contains(.grace), "grace", "grace period"),
            (kinds.contains(.lapse), "lapse", "no access"),
        ]
        for (occurs, kind, words) in bars where occurs {
            page.add(
                """
                <li><svg width="34" height="18" aria-hidden="true"><g class="bar \(kind)">\
                <rect x="1" y="2" width="32" height="14" rx="3"/></g></svg> \(words)
                """)
        }
        page.add("</ul>\n")
    }

    private func addPicture(_ picture: AccountPicture, to page: inout Markup) {
        let name: Markup =
            picture.account.map { "Account \($0)" } ?? "Lines without a known account"
        page.add("<article class=\"account\">\n<h4 id=\"a\(picture.id)\">\(name)</h4>\n")
        if !picture.findings.isEmpty {
            page.add("<p class=\"count\">\(picture.findings.count.counted("finding"))</p>\n")
        }
        PictureSVG(picture).draw(in: &page)
        addLeftOut(picture, to: &page)
        page.add(
            """
            <details><summary>\(picture.marks.count.counted("line")) as a table</summary>
            <div class="wide"><table><thead><tr><th scope="col" class="n">Line\
            <th scope="col">Recorded<th scope="col">What happened</tr></thead><tbody>

            """)
        for mark in picture.marks {
            page.add("<tr><td class=\"n\">\(mark.number)<td>\(TextFormat.second(mark.at))")
            page.add("<td>\(mark.words)\n")
        }
        page.add("</tbody></table></div>\n")
        addPeriods(picture, to: &page)
        page.add("</details>\n</article>\n")
    }

    private func addLeftOut(_ picture: AccountPicture, to page: inout Markup) {
        var parts: [String] = []
        if picture.leftOut > 0 {
            parts.append(
                picture.leftOut.counted("line") + " of this account farther from the findings")
        }
        if picture.subscriptionsLeftOut > 0 {
            parts.append(picture.subscriptionsLeftOut.counted("subscription"))
        }
        let spans = picture.subscriptions.reduce(0) { $0 + $1.leftOut }
        if spans > 0 { parts.append(spans.counted("earlier period")) }
        guard !parts.isEmpty else { return }
        page.add("<p class=\"left-out\">Left out: \(parts.joined(separator: ", ")).</p>\n")
    }

    private func addPeriods(_ picture: AccountPicture, to page: inout Markup) {
        for subscription in picture.subscriptions {
            page.add("<p>Subscription \(subscription.original):</p>\n<ul>\n")
            for span in subscription.spans { page.add("<li>\(span.words)\n") }
            page.add("</ul>\n")
        }
    }

    // MARK: States

    /// Adds the rows at the end of a log; the script can show the rows after any event.
    private func addState(_ history: StateHistory, to page: inout Markup) {
        page.add("<div class=\"state\">\n<div class=\"stepper\"></div>\n<div class=\"tables\">\n")
        for table in history.tables {
            page.add(
                """
                <div class="rows"><h4>\(table.title) <span class="moment">at the end of the log\
                </span></h4>
                <div class="wide"><table><thead><tr>
                """)
            let rows = table.current.map { table.rows[$0] }
            let shown = table.keys.indices.filter { key in rows.contains { !$0[key].isEmpty } }
            for key in shown { page.add("<th scope=\"col\">\(table.keys[key])") }
            page.add("</tr></thead><tbody>")
            for row in rows {
                page.add("<tr>")
                for key in shown {
                    let isTime = ["from", "until", "since"].contains(table.keys[key])
                    page.add(isTime ? "<td class=\"when\" data-l=\"" : "<td data-l=\"")
                    page.add("\(table.keys[key])\">\(row[key])")
                }
            }
            page.add("</tbody></table></div>")
            page.add(rows.isEmpty ? "<p class=\"none\">none</p></div>\n" : "</div>\n")
        }
        page.add("</div>\n</div>\n")
    }

    /// Adds the states after all events, for the script.
    func addStates(to page: inout Markup) {
        guard !model.histories.isEmpty else { return }
        page.add("<script type=\"application/json\" id=\"states\">[")
        page.add(json: model.histories.map(StatesJSON.text).joined(separator: ",\n"))
        page.add("]</script>\n")
    }
}

/// The states of a log as compact JSON: `steps` are `[line, seq, time, words]`, a splice is `[step,
/// start, removed, new rows…]`.
private enum StatesJSON {
    static func text(of history: StateHistory) -> String {
        var object = JSONText()
        object.add("log", history.log)
        object.add(
            "steps",
            list: history.steps.map { step in
                "[\(step.line),\(step.seq),\(JSONText.string(TextFormat.time(step.at))),"
                    + "\(string(step.words))]"
            })
        object.add("tables", list: history.tables.map(table))
        return object.text
    }

    /// A text for display: escaped first for the reader, then as JSON.
    private static func string(_ text: String) -> String { JSONText.string(text.escaped) }

    private static func table(_ table: StateTable) -> String {
        func list(_ texts: [String]) -> String { "[\(texts.joined(separator: ","))]" }
        let splices = table.splices.map { splice in
            ([splice.step, splice.start, splice.removed] + splice.inserted).map(String.init)
        }
        var object = JSONText()
        object.add("keys", raw: list(table.keys.map(string)))
        object.add("rows", raw: list(table.rows.map { list($0.map(string)) }))
        object.add("splices", raw: list(splices.map(list)))
        return object.text
    }
}
