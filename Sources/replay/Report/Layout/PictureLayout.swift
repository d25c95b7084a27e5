import PurchaseEvents

/// The positions in an account's picture, in pixels from the top left corner, computed without any
/// markup.
struct PictureLayout {
    struct Lane: Hashable {
        var kind: LaneKind
        var top: Int
        var height: Int
    }

    struct Mark: Hashable {
        /// The index in the picture's marks.
        var index: Int
        var shape: MarkShape
        var x: Int, y: Int
    }

    /// The mark of a finding, or of several findings without room for one mark each.
    struct FindingMark: Hashable {
        var index: Int
        var count: Int
        var x: Int, y: Int
        /// The y of the event's mark, where the stem ends; `nil` if the event isn't drawn.
        var foot: Int?
    }

    struct Bar: Hashable {
        var subscription: Int
        /// The index in the subscription's spans.
        var span: Int
        var x: Int, y: Int, width: Int
        var label: String?
    }

    struct Label: Hashable {
        var text: String
        var x: Int, y: Int
        /// Whether the text is a duration, centred in its gap.
        var isSpan: Bool
    }

    private(set) var lanes: [Lane] = []
    private(set) var marks: [Mark] = []
    private(set) var findings: [FindingMark] = []
    private(set) var bars: [Bar] = []
    private(set) var labels: [Label] = []
    private(set) var days: [Int] = []
    private(set) var end = 0
    private(set) var width = 0
    private(set) var height = 0

    static let axisHeight = 40
    /// The room that a date takes with the gap after it.
    static let dayStep = TextWidth.of("0000-00-00") + 10
    static let laneHeight = 34
    static let findingHeight = 24
    static let barHeight = 18
    /// The distance between the last mark and the line at the end of the log.
    static let endDistance = 13
    /// The maximum number of findings on one line with a mark each.
    static let findingsPerLine = 6

    private let picture: AccountPicture
    private let scale: TimeScale
    /// The columns of the marks, by index of the mark.
    private var columns: [Int] = []
    private let indices: [Int: Int]

    init(_ picture: AccountPicture) {
        self.picture = picture
        // The log's clock may go backwards, but time in the picture runs from left to right.
        let order = picture.marks.indices.sorted {
            let (left, right) = (picture.marks[$0], picture.marks[$1])
            return (left.at, left.number) < (right.at, right.number)
        }
        let spans = picture.subscriptions.flatMap(\.spans)
        scale = TimeScale(
            columns: order.map { picture.marks[$0].at },
            bounds: spans.flatMap { [$0.from, $0.until] } + [picture.end],
            dayStep: PictureLayout.dayStep)
        indices = Dictionary(
            picture.marks.enumerated().map { ($1.number, $0) },
            uniquingKeysWith: { first, _ in first })
        columns = [Int](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { columns[index] = scale.columns[place] }
        end = scale.place(of: picture.end)
        width = max(scale.width, PictureLayout.leastWidth)
        placeAxis(order)
        placeLanes()
    }

    /// The minimum width, with room for a label at the end.
    static let leastWidth = 180

    // MARK: Lanes

    private mutating func placeLanes() {
        let kinds = picture.marks.map { LaneKind(of: $0) }
        let present = Set(kinds)
        var top = PictureLayout.axisHeight
        if !picture.findings.isEmpty {
            let height = placeFindings(from: top) * PictureLayout.findingHeight + 8
            lanes.append(Lane(kind: .findings, top: top, height: height))
            top += height
        }
        for kind in LaneKind.fixed where present.contains(kind) {
            lanes.append(Lane(kind: kind, top: top, height: PictureLayout.laneHeight))
            place(kind, kinds, y: top + PictureLayout.laneHeight / 2)
            top += PictureLayout.laneHeight
        }
        for index in picture.subscriptions.indices {
            let kind = LaneKind.subscription(index)
            let marksHeight = present.contains(kind) ? PictureLayout.laneHeight - 6 : 8
            if present.contains(kind) { place(kind, kinds, y: top + marksHeight / 2 + 2) }
            let rows = placeBars(of: index, from: top + marksHeight)
            let height = max(
                PictureLayout.laneHeight + 8,
                marksHeight + rows * (PictureLayout.barHeight + 4) + 6)
            lanes.append(Lane(kind: kind, top: top, height: height))
            top += height
        }
        height = top + 4
        let feet = Dictionary(marks.map { ($0.index, $0.y) }, uniquingKeysWith: min)
        for index in findings.indices {
            let line = picture.findings[findings[index].index].line
            findings[index].foot = indices[line].flatMap { feet[$0] }
        }
    }

    private mutating func place(_ kind: LaneKind, _ kinds: [LaneKind], y: Int) {
        for index in picture.marks.indices where kinds[index] == kind {
            marks.append(
                Mark(
                    index: index, shape: MarkShape(of: picture.marks[index].type),
                    x: columns[index], y: y))
        }
    }

    /// Places the marks of findings above the columns of their lines; returns the number of marks
    /// in the tallest stack.
    private mutating func placeFindings(from top: Int) -> Int {
        var stacks: [Int: [Int]] = [:]
        for (index, finding) in picture.findings.enumerated() {
            // A finding whose line isn't drawn goes to the end of the log.
            stacks[indices[finding.line].map { columns[$0] } ?? end, default: []].append(index)
        }
        for (x, stack) in stacks.sorted(by: { $0.key < $1.key }) {
            let room = PictureLayout.findingsPerLine
            let shown = stack.count > room ? room - 1 : stack.count
            for (row, index) in stack.prefix(shown).enumerated() {
                findings.append(FindingMark(index: index, count: 1, x: x, y: y(row, top)))
            }
            guard shown < stack.count else { continue }
            findings.append(
                FindingMark(
                    index: stack[shown], count: stack.count - shown, x: x, y: y(shown, top)))
        }
        return min(PictureLayout.findingsPerLine, stacks.values.map(\.count).max() ?? 1)
    }

    private func y(_ row: Int, _ top: Int) -> Int {
        top + 4 + row * PictureLayout.findingHeight + PictureLayout.findingHeight / 2
    }

    /// Places the bars of a subscription in rows without overlap, each in the first row with room;
    /// returns the number of rows.
    private mutating func placeBars(of subscription: Int, from top: Int) -> Int {
        var ends: [Int] = []
        let spans = picture.subscriptions[subscription].spans
        for (index, span) in spans.enumerated() {
            let x = scale.place(of: span.from)
            let width = max(2, scale.place(of: span.until) - x)
            let row = ends.firstIndex { $0 <= x } ?? ends.count
            if row == ends.count { ends.append(0) }
            ends[row] = x + width
            bars.append(
                Bar(
                    subscription: subscription, span: index, x: x,
                    y: top + row * (PictureLayout.barHeight + 4), width: width,
                    label: PictureLayout.label(of: span, width: width)))
        }
        return ends.count
    }

    /// The text inside a bar; `nil` if there is no room.
    private static func label(of span: DrawnSpan, width: Int) -> String? {
        let word: String
        switch span.kind {
        case .period(let ended): word = ended ?? span.product ?? ""
        case .grace: word = "grace"
        case .lapse: word = "no access"
        }
        if TextWidth.of(word) + 8 <= width { return word.isEmpty ? nil : word }
        // A shortened product is better than none, but a few characters say nothing.
        guard case .period(nil) = span.kind, width >= 64 else { return nil }
        return TextWidth.shortened(word, to: width - 8)
    }

    // MARK: The axis

    /// Writes the date where a new day begins, the time of day if there is room, and the duration
    /// of a wide gap.
    private mutating func placeAxis(_ order: [Int]) {
        var (dayEnd, timeEnd) = (0, 0)
        var last: (day: Substring, minute: Substring, at: Timestamp, x: Int)?
        for index in order {
            let (at, x) = (picture.marks[index].at, columns[index])
            let text = at.text
            let (day, minute) = (text.prefix(10), text.dropFirst(11).prefix(5))
            if day != last?.day {
                days.append(x)
                if x - 8 >= dayEnd {
                    add(String(day), at: x - 8, y: 14)
                    dayEnd = x - 8 + PictureLayout.dayStep
                }
            }
            if let last {
                let words = PictureLayout.duration(last.at.distance(to: at))
                let room = x - last.x - 2 * TimeScale.boundStep
                let span = TextWidth.of(words)
                let middle = (last.x + x) / 2
                if at > last.at, span <= room, middle - span / 2 >= timeEnd, room > 44 {
                    labels.append(Label(text: words, x: middle, y: 30, isSpan: true))
                    timeEnd = middle + span / 2 + 6
                }
            }
            if day != last?.day || minute != last?.minute, x - 8 >= timeEnd {
                add(String(minute), at: x - 8, y: 30)
                timeEnd = x - 8 + TextWidth.of(String(minute)) + 8
            }
            last = (day, minute, at, x)
        }
    }

    private mutating func add(_ text: String, at x: Int, y: Int) {
        labels.append(Label(text: text, x: x, y: y, isSpan: false))
        width = max(width, x + TextWidth.of(text) + 4)
    }

    static func duration(_ milliseconds: Int64) -> String {
        let units = [
            (Timestamp.day, "day"), (Timestamp.hour, "hour"), (Timestamp.minute, "minute"),
        ]
        for (unit, name) in units where milliseconds >= unit {
            return Int(milliseconds / unit).counted(name)
        }
        return "seconds"
    }
}
