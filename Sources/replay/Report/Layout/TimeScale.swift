import PurchaseEvents

/// Maps instants to horizontal positions.
///
/// Each line of the log gets its own column, so that marks never overlap. The gap between two
/// instants grows with the logarithm of the time between them, so that a year fits beside a second.
/// Bars begin and end between the columns.
struct TimeScale {
    private(set) var columns: [Int] = []
    /// The position of the right edge.
    private(set) var width = 0
    /// The instants with fixed positions, sorted by time, and their first positions.
    private var instants: [Timestamp] = []
    private var places: [Int] = []

    /// The distance of the first and the last column from the edges.
    static let margin = 20
    /// The minimum distance between two columns if there are many.
    static let step = 24

    /// Places columns, whose instants are in order, and the bounds of bars, in any order; `dayStep`
    /// is the minimum distance between the first columns of two days.
    init(columns instantsOfColumns: [Timestamp], bounds: [Timestamp], dayStep: Int = 0) {
        let step = TimeScale.step(for: instantsOfColumns.count)
        let bounds = Set(bounds).sorted()
        var next = 0
        var place = TimeScale.margin
        var day: (text: Substring, place: Int)?
        var last: (at: Timestamp, place: Int)?
        func reach(_ instant: Timestamp, least: Int) {
            if let last { place = last.place + max(least, TimeScale.gap(last.at, instant)) }
            if instants.last != instant {
                instants.append(instant)
                places.append(place)
            }
            last = (instant, place)
        }
        for instant in instantsOfColumns {
            while next < bounds.count, bounds[next] < instant {
                reach(bounds[next], least: TimeScale.boundStep)
                next += 1
            }
            // A bound may be close to the column before it, but two columns may not be.
            var least = columns.last.map { $0 + step - place } ?? 0
            let text = instant.text.prefix(10)
            // Each day's date has room above its first column.
            if let day, day.text != text { least = max(least, day.place + dayStep - place) }
            reach(instant, least: max(least, TimeScale.boundStep))
            columns.append(place)
            if day?.text != text { day = (text, place) }
            if next < bounds.count, bounds[next] == instant { next += 1 }
        }
        while next < bounds.count {
            reach(bounds[next], least: TimeScale.boundStep)
            next += 1
        }
        width = place + TimeScale.margin
    }

    /// The minimum distance between a bar's bound and the position before it.
    static let boundStep = 8

    private static func step(for count: Int) -> Int { min(34, max(step, 640 / max(1, count))) }

    /// The width of the gap between two instants: 0 below two minutes, then logarithmic.
    static func gap(_ earlier: Timestamp, _ later: Timestamp) -> Int {
        let minutes = max(0, earlier.distance(to: later)) / Timestamp.minute
        guard minutes > 0 else { return 0 }
        let octave = Int64(Int64.bitWidth - 1 - minutes.leadingZeroBitCount)
        let base = Int64(1) << octave
        // Linear within an octave, so that the width never jumps.
        return Int(octave) * widthPerDoubling
            + Int((minutes - base) * Int64(widthPerDoubling) / base)
    }

    private static let widthPerDoubling = 6

    /// The position of an instant: that of the first column at the instant, else interpolated
    /// between its neighbours.
    func place(of instant: Timestamp) -> Int {
        guard let first = instants.first, let last = instants.last, first < instant else {
            return places.first ?? TimeScale.margin
        }
        guard instant < last else { return places.last ?? TimeScale.margin }
        let high = instants.lowerBound { $0 > instant }
        let low = high - 1
        let whole = instants[low].distance(to: instants[high])
        let part = instants[low].distance(to: instant)
        guard whole > 0 else { return places[low] }
        let share = Double(part) / Double(whole)
        return places[low] + Int(share * Double(places[high] - places[low]))
    }
}
