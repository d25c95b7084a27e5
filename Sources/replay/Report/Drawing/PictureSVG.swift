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
        let (id, label, height) = (picture.id, PictureSVG.labelWidth, layout.height)
        let width = layout.width + label
        page.add(
            """
            <div class="picture" tabindex="0" role="region" aria-labelledby="a\(id)">\
            <svg class="pin" aria-hidden="true" width="\(label)" height="\(height)">\
            <use href="#n\(id)"/></svg><svg role="group" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)"><title>\(title)</title>
            """)
        drawNames(in: &page)
        page.add("<g transform=\"translate(\(label))\">")
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
        page.add(
            """
            <g id="n\(picture.id)" class="names"><rect class="ground" \
            width="\(PictureSVG.labelWidth)" height="\(layout.height)"/>
            """)
        for lane in layout.lanes {
            let (middle, title) = (lane.top + lane.height / 2, lane.kind.title)
            guard case .subscription(let index) = lane.kind else {
                page.add("<text x=\"0\" y=\"\(middle + 4)\">\(title)</text>")
                continue
            }
            let subscription = picture.subscriptions[index]
            let name = subscription.product ?? subscription.original
            let shown = TextWidth.shortened(name, to: PictureSVG.labelWidth - 8)
            page.add(
                """
                <text x="0" y="\(middle - 4)">\(title)\
                <title>subscription \(subscription.original): \(name)</title></text>\
                <text class="small" x="0" y="\(middle + 12)">\(shown)<title>\(name)</title></text>
                """)
        }
        page.add("</g>")
    }

    /// Draws the lanes, the days, the end of the log and the labels of the time axis.
    private func drawGround(in page: inout Markup) {
        let (top, bottom) = (PictureLayout.axisHeight, layout.height)
        for (index, lane) in layout.lanes.enumerated() {
            page.add(
                """
                <rect class="lane\(index % 2 == 0 ? "" : " odd")" y="\(lane.top)" \
                width="\(layout.width)" height="\(lane.height)"/>
                """)
        }
        page.add("<path class=\"day\" d=\"")
        for x in layout.days { page.add("M\(x - 10) \(top)V\(bottom)") }
        let end = layout.end + PictureLayout.endDistance
        page.add(
            """
            "/><path class="end" d="M\(end) \(top)V\(bottom)">\
            <title>end of the log: \(EventWords.time(picture.end))</title></path>
            """)
        for label in layout.labels {
            let (kind, x, y) = (label.isSpan ? "span" : "tick", label.x, label.y)
            page.add("<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(label.text)</text>")
        }
    }

    private func drawBars(in page: inout Markup) {
        for bar in layout.bars {
            let span = picture.subscriptions[bar.subscription].spans[bar.span]
            page.add(
                """
                <g class="bar \(PictureSVG.kind(span))"><title>\(span.words)</title>\
                <rect x="\(bar.x)" y="\(bar.y)" width="\(max(1, bar.width - 1))" \
                height="\(PictureLayout.barHeight)" rx="3"/>
                """)
            if let label = bar.label {
                let middle = bar.x + bar.width / 2
                page.add("<text x=\"\(middle)\" y=\"\(bar.y + 13)\">\(label)</text>")
            }
            page.add("</g>")
        }
    }

    private static func kind(_ span: DrawnSpan) -> String {
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
                """
                <g id="m\(picture.id)-\(line.number)"><title>line \(line.number): \(line.words)\
                </title><use href="#\(mark.shape.rawValue)" x="\(mark.x)" y="\(mark.y)"/></g>
                """)
        }
    }

    private func drawFindings(in page: inout Markup) {
        for mark in layout.findings {
            let finding = picture.findings[mark.index]
            if let foot = mark.foot {
                page.add("<path class=\"stem\" d=\"M\(mark.x) \(mark.y + 8)V\(foot - 9)\"/>")
            }
            let (level, rule) = (finding.remark.level.rawValue, finding.remark.code)
            page.add(
                """
                <a class="mark" href="#f\(finding.id)"><title>line \(finding.line): \
                \(level) of \(rule)</title><use href="#finding" x="\(mark.x)" y="\(mark.y)"/>
                """)
            if mark.count > 1 {
                let (x, y) = (mark.x + 9, mark.y + 4)
                page.add("<text class=\"more\" x=\"\(x)\" y=\"\(y)\">+\(mark.count - 1)</text>")
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
