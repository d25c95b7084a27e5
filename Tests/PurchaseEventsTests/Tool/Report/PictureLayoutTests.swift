import PurchaseEvents
import Testing
import TestSupport

@testable import PurchaseProjections
@testable import replay

struct PictureLayoutTests {
    // MARK: Time

    @Test func `columns keep their distance, and time never runs backwards`() {
        let seed: UInt64 = 241
        var dice = Dice(seed: seed)
        for _ in 0..<Effort.of(whole: 2_000, part: 200) {
            let columns = instants(&dice, dice.below(40) + 1).sorted()
            let scale = TimeScale(columns: columns, bounds: instants(&dice, dice.below(12)))
            #expect(scale.columns.count == columns.count)
            for (left, right) in zip(scale.columns, scale.columns.dropFirst()) {
                #expect(right - left >= TimeScale.step, "seed \(seed)")
            }
            #expect((scale.columns.last ?? 0) + TimeScale.margin <= scale.width)
            let places = instants(&dice, 20).sorted().map(scale.place)
            #expect(places == places.sorted(), "seed \(seed)")
            #expect(places.allSatisfy { (0...scale.width).contains($0) })
            for (column, instant) in zip(scale.columns, columns) {
                #expect(scale.place(of: instant) <= column)
            }
        }
    }

    @Test func `a longer time takes a wider gap, and a year still fits`() {
        let start = time(0)
        let gaps = [0, 1, 2, 3, 60, 1_440, 43_200, 525_600].map {
            TimeScale.gap(start, time($0))
        }
        #expect(gaps == gaps.sorted())
        #expect(gaps[0] == 0)
        #expect(TimeScale.gap(start, time(525_600)) < 130)
        #expect(TimeScale.gap(.earliest, .latest) < 300)
        #expect(TimeScale.gap(.latest, .earliest) == 0)
    }

    @Test func `an empty scale has a width`() {
        #expect(TimeScale(columns: [], bounds: []).width > 0)
        #expect(TimeScale(columns: [], bounds: []).place(of: .latest) > 0)
    }

    // MARK: No overlaps

    @Test func `nothing overlaps in a picture of random lines`() {
        let seed: UInt64 = 242
        var dice = Dice(seed: seed)
        for _ in 0..<Effort.of(whole: 1_000, part: 100) {
            let picture = picture(&dice)
            let layout = PictureLayout(picture)
            #expect(layout.marks.count == picture.marks.count, "seed \(seed)")
            expectApart(layout.marks.map { box($0.x, $0.y, 14, 14) }, "marks, seed \(seed)")
            expectApart(layout.findings.map { box($0.x, $0.y, 24, 24) }, "findings, seed \(seed)")
            expectApart(
                layout.bars.map {
                    Box(
                        left: $0.x, top: $0.y, right: $0.x + $0.width - 1,
                        bottom: $0.y + PictureLayout.barHeight)
                }, "bars, seed \(seed)")
            expectApart(layout.labels.map(Box.init), "labels, seed \(seed)")
            for box in layout.labels.map(Box.init) + layout.marks.map({ box($0.x, $0.y, 14, 14) }) {
                #expect(box.left >= 0 && box.right <= layout.width, "seed \(seed): \(box)")
                #expect(box.top >= 0 && box.bottom <= layout.height, "seed \(seed): \(box)")
            }
            expectLanes(of: layout, "seed \(seed)")
            let days = Set(picture.marks.map { $0.at.text.prefix(10) })
            let dates = layout.labels.filter { $0.y == 14 }.map(\.text)
            #expect(dates == days.sorted().map(String.init), "seed \(seed): each day has its date")
            #expect(layout.days.count == days.count, "seed \(seed)")
        }
    }

    /// Expects lanes one below the other, without an empty one.
    private func expectLanes(of layout: PictureLayout, _ comment: Comment) {
        var bottom = PictureLayout.axisHeight
        for lane in layout.lanes {
            #expect(lane.top == bottom, comment)
            bottom += lane.height
            let inside = lane.top..<bottom
            let things = layout.marks.map(\.y) + layout.findings.map(\.y) + layout.bars.map(\.y)
            #expect(things.contains { inside.contains($0) }, comment)
        }
        #expect(bottom <= layout.height, comment)
    }

    @Test func `a finding stands above its line and leads down to it`() throws {
        var dice = Dice(seed: 1)
        var picture = picture(&dice, lines: 6)
        picture.findings = [finding(1, line: picture.marks[3].number)]
        let layout = PictureLayout(picture)
        let mark = try #require(layout.findings.first)
        let event = try #require(layout.marks.first { $0.index == 3 })
        #expect(mark.x == event.x)
        #expect(mark.foot == event.y)
        #expect(mark.y < event.y)
    }

    @Test func `many findings on a line share a mark that says how many`() {
        var dice = Dice(seed: 1)
        var picture = picture(&dice, lines: 2)
        picture.findings = (1...40).map { finding($0, line: picture.marks[0].number) }
        let marks = PictureLayout(picture).findings
        #expect(marks.count == PictureLayout.findingsPerLine)
        #expect(marks.reduce(0) { $0 + $1.count } == 40)
    }

    @Test func `each type of event has a lane and a shape`() {
        for type in EventType.allCases {
            let mark = EventMark(
                number: 1, seq: 1, at: time(0), type: type, words: "", subscription: nil)
            #expect(LaneKind.fixed.contains(LaneKind(of: mark)))
        }
        #expect(Set(EventType.allCases.map { MarkShape(of: $0) }) == Set(MarkShape.allCases))
    }

    @Test func `a long name keeps its end`() {
        #expect(TextWidth.shortened("com.example.reader", to: 62) == "…reader")
        #expect(TextWidth.shortened("com.example.reader.monthly", to: 104) == "…monthly")
        #expect(TextWidth.shortened("com.example.monthly", to: 66) == "…monthly")
        #expect(TextWidth.shortened("monthly", to: 40) == "…thly")
        #expect(TextWidth.shortened("reader", to: 70) == "reader")
        #expect(TextWidth.shortened("月額プラン", to: 60) == "…プラン")
        #expect(TextWidth.shortened("月額プラン", to: 3) == "…")
        #expect(TextWidth.of("iii") < TextWidth.of("WWW"))
    }

    // MARK: Making pictures

    private func time(_ minutes: Int) -> Timestamp {
        Timestamp(milliseconds: 1_771_578_000_000 + Int64(minutes) * Timestamp.minute)
    }

    private func instants(_ dice: inout Dice, _ count: Int) -> [Timestamp] {
        let spread = dice.pick([1, 100, 100_000, 4_000_000])
        return (0..<count).map { _ in time(dice.below(spread)) }
    }

    private func picture(_ dice: inout Dice, lines: Int? = nil) -> AccountPicture {
        let times = instants(&dice, lines ?? dice.below(60) + 1)
        var picture = AccountPicture(log: 0, account: "a", end: times.max() ?? time(0))
        let count = dice.below(3)
        for index in 0..<count {
            let bounds = instants(&dice, 2 * (dice.below(5) + 1)).sorted()
            picture.subscriptions.append(
                DrawnSubscription(
                    original: "o\(index)", product: "com.example.monthly",
                    spans: stride(from: 0, to: bounds.count, by: 2).map {
                        DrawnSpan(
                            kind: dice.pick([.period(ended: nil), .grace, .lapse]),
                            from: bounds[$0], until: bounds[$0 + 1],
                            product: dice.pick(["m", "com.example.monthly"]))
                    }))
        }
        for (index, at) in times.enumerated() {
            picture.marks.append(
                EventMark(
                    number: index * 3 + 1, seq: Int64(index), at: at,
                    type: dice.pick(EventType.allCases), words: "w",
                    subscription: count > 0 ? dice.below(count) : nil))
        }
        for id in 0..<dice.below(8) {
            picture.findings.append(finding(id, line: dice.pick(picture.marks).number))
        }
        return picture
    }

    private func finding(_ id: Int, line: Int) -> ReportFinding {
        let found = Finding(
            rule: "r", level: .error, line: LineNumber(line), seq: nil, account: "a", key: nil,
            message: "m", notes: [], hint: nil)
        return ReportFinding(
            id: id, log: 0, line: line, noteLines: [], account: "a",
            remark: Remark(found, LinePlaces()))
    }

    // MARK: Boxes

    private struct Box {
        var left: Int, top: Int, right: Int, bottom: Int

        init(left: Int, top: Int, right: Int, bottom: Int) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }

        init(_ label: PictureLayout.Label) {
            let width = TextWidth.of(label.text)
            left = label.isSpan ? label.x - width / 2 : label.x
            (right, top, bottom) = (left + width, label.y - 10, label.y + 3)
        }

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Box {
        Box(left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2)
    }

    private func expectApart(_ boxes: [Box], _ comment: Comment) {
        let sorted = boxes.sorted { $0.left < $1.left }
        for (index, box) in sorted.enumerated() {
            for other in sorted[(index + 1)...] {
                guard other.left < box.right else { break }
                #expect(!box.overlaps(other), comment)
            }
        }
    }
}
