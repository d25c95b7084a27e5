import PurchaseEvents

/// Draws an account's picture as SVG in the page.
struct PictureSVG {
    private let picture: AccountPicture
    private let layout: PictureLayout

    init(_ picture: AccountPicture) {
        self.picture = picture
        layout = PictureLayout(picture)
    }

    /// The width of the column with the lane names, in pixels.
    static let labelWidth = 112

    /// Draws the picture; the lane names stay visible while the rest scrolls sideways.
    func draw(in page: inout Markup) {
        let width = layout.width + PictureSVG.labelWidth
        let id = picture.id
        page.add(
            "<div class=\"picture\" tabindex=\"0\" role=\"region\" aria-labelledby=\"a",
            .number(id), "\">")
        page.add(
            "<svg class=\"pin\" aria-hidden=\"true\" width=\"", .number(PictureSVG.labelWidth),
            "\" height=\"", .number(layout.height), "\"><use href=\"#n", .number(id), "\"/></svg>")
        page.add(
            "<svg role=\"group\" width=\"", .number(width), "\" height=\"",
            .number(layout.height), "\" viewBox=\"0 0 ", .number(width), " ",
            .number(layout.height), "\"><title>", .text(title), "</title>")
        drawNames(in: &page)
        page.add("<g transform=\"translate(", .number(PictureSVG.labelWidth), ")\">")
        drawGround(in: &page)
        drawBars(in: &page)
        drawMarks(in: &page)
        drawFindings(in: &page)
        page.add("</g></svg></div>\n")
    }

    private var title: String {
        let lines = picture.marks.count.counted("line")
        return "\(picture.account ?? "No account"): \(lines) from left to right in time, and "
            + picture.findings.count.counted("finding")
    }

    private func drawNames(in page: inout Markup) {
        page.add("<g id=\"n", .number(picture.id), "\" class=\"names\"><rect class=\"ground\" ")
        page.add(
            "width=\"", .number(PictureSVG.labelWidth), "\" height=\"", .number(layout.height),
            "\"/>")
        for lane in layout.lanes {
            guard case .subscription(let index) = lane.kind else {
                page.add(
                    "<text x=\"0\" y=\"", .number(lane.top + lane.height / 2 + 4), "\">",
                    .text(lane.kind.title), "</text>")
                continue
            }
            let subscription = picture.subscriptions[index]
            let name = subscription.product ?? subscription.original
            page.add(
                "<text x=\"0\" y=\"", .number(lane.top + lane.height / 2 - 4), "\">",
                .text(lane.kind.title), "<title>",
                .text("subscription \(subscription.original): \(name)"), "</title></text>")
            page.add(
                "<text class=\"small\" x=\"0\" y=\"", .number(lane.top + lane.height / 2 + 12),
                "\">", .text(TextWidth.shortened(name, to: PictureSVG.labelWidth - 8)), "<title>",
                .text(name), "</title></text>")
        }
        page.add("</g>")
    }

    /// Draws the lanes, the days, the end of the log and the labels of the time axis.
    private func drawGround(in page: inout Markup) {
        for (index, lane) in layout.lanes.enumerated() {
            page.add(
                "<rect class=\"lane", index % 2 == 0 ? "" : " odd", "\" y=\"", .number(lane.top),
                "\" width=\"", .number(layout.width), "\" height=\"", .number(lane.height), "\"/>")
        }
        page.add("<path class=\"day\" d=\"")
        for x in layout.days {
            page.add(
                "M", .number(x - 10), " ", .number(PictureLayout.axisHeight), "V",
                .number(layout.height))
        }
        page.add("\"/>")
        page.add(
            "<path class=\"end\" d=\"M", .number(layout.end + PictureLayout.endDistance), " ",
            .number(PictureLayout.axisHeight), "V", .number(layout.height), "\"><title>",
            .text("end of the log: \(EventWords.time(picture.end))"), "</title></path>")
        for label in layout.labels {
            page.add(
                "<text class=\"", label.isSpan ? "span" : "tick", "\" x=\"", .number(label.x),
                "\" y=\"", .number(label.y), "\">", .text(label.text), "</text>")
        }
    }

    private func drawBars(in page: inout Markup) {
        for bar in layout.bars {
            let span = picture.subscriptions[bar.subscription].spans[bar.span]
            page.add("<g class=\"bar ", PictureSVG.kind(span), "\"><title>", .text(span.words))
            page.add(
                "</title><rect x=\"", .number(bar.x), "\" y=\"", .number(bar.y), "\" width=\"",
                .number(max(1, bar.width - 1)), "\" height=\"",
                .number(PictureLayout.barHeight), "\" rx=\"3\"/>")
            if let label = bar.label {
                page.add(
                    "<text x=\"", .number(bar.x + bar.width / 2), "\" y=\"",
                    .number(bar.y + 13), "\">", .text(label), "</text>")
            }
            page.add("</g>")
        }
    }

    private static func kind(_ span: DrawnSpan) -> Markup.Piece {
        switch span.kind {
        case .period(nil): "period"
        case .period: "period ended"
        case .grace: "grace"
        case .lapse: "lapse"
        }
    }

    private func drawMarks(in page: inout Markup) {
        for mark in layout.marks.sorted(by: { $0.index < $1.index }) {
            let line = picture.marks[mark.index]
            page.add(
                "<g id=\"m", .number(picture.id), "-", .number(line.number), "\"><title>line ",
                .number(line.number), ": ", .text(line.words), "</title><use href=\"#",
                .text(mark.shape.rawValue), "\" x=\"", .number(mark.x), "\" y=\"",
                .number(mark.y), "\"/></g>")
        }
    }

    private func drawFindings(in page: inout Markup) {
        for mark in layout.findings {
            let finding = picture.findings[mark.index]
            if let foot = mark.foot {
                page.add(
                    "<path class=\"stem\" d=\"M", .number(mark.x), " ", .number(mark.y + 8), "V",
                    .number(foot - 9), "\"/>")
            }
            page.add("<a class=\"mark\" href=\"#f", .number(finding.id), "\"><title>")
            page.add(
                "line ", .number(finding.line), ": ",
                .text("\(finding.remark.level.rawValue) of \(finding.remark.code)"),
                "</title><use href=\"#finding\" x=\"", .number(mark.x), "\" y=\"",
                .number(mark.y), "\"/>")
            if mark.count > 1 {
                page.add(
                    "<text class=\"more\" x=\"", .number(mark.x + 9), "\" y=\"",
                    .number(mark.y + 4), "\">+", .number(mark.count - 1), "</text>")
            }
            page.add("</a>")
        }
    }

    /// Adds the symbols of the marks and the hatching, once for all pictures.
    static func addSymbols(to page: inout Markup) {
        page.add(
            """
            <svg class="symbols" width="0" height="0" aria-hidden="true"><defs>
            <g id="bought"><circle r="6.5"/></g>
            <g id="given"><rect x="-6" y="-6" width="12" height="12" rx="2"/></g>
            <g id="taken"><path d="M-7.5-6H7.5L0 7Z"/></g>
            <g id="failed"><path d="M-5-5 5 5M-5 5 5-5"/></g>
            <g id="asked"><circle r="5.5"/></g>
            <g id="done"><path d="M-6 0-2 5 6-5"/></g>
            <g id="other"><circle r="3.5"/></g>
            <g id="finding"><rect class="hit" x="-12" y="-12" width="24" height="24"/>\
            <path d="M0-9 9 0 0 9-9 0Z"/><path class="bang" d="M0-4.5V1M0 3.4V4.4"/></g>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect class="h0" width="6" height="6"/>\
            <rect class="h1" width="2.5" height="6"/></pattern>
            </defs></svg>

            """)
    }
}
