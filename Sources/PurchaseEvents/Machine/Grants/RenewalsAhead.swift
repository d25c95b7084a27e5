/// Finds the renewals of a subscription that were stated ahead and never began, because another
/// plan began in between (event-log.md, 4).
///
/// The store renews up to a day ahead, takes such a renewal back when the user changes to another
/// plan at once, and does not always state the renewal again. All searches together cost as much
/// as reading the periods once.
package struct RenewalsAhead {
    private typealias Plan = (start: Timestamp, end: Timestamp, index: Int)

    /// The periods that began before the latest start, each ending before the one before it.
    private var earlier: [Plan] = []
    /// The periods of the latest start.
    private var latest: [Plan] = []

    package init() {}

    /// The index of a period that began after a renewal was stated, and before the renewal begins,
    /// and runs on when it begins; `nil` if there is none.
    ///
    /// - Precondition: The starts of successive calls, and of what is added, don't decrease.
    package mutating func whatTookBack(from start: Timestamp, statedAt: Timestamp) -> Int? {
        if let last = latest.last, last.start < start {
            for plan in latest { keep(plan) }
            latest = []
        }
        while let last = earlier.last, last.end <= start { earlier.removeLast() }
        return earlier.last.flatMap { statedAt < $0.start ? $0.index : nil }
    }

    /// Adds a period that wasn't taken back.
    package mutating func add(start: Timestamp, end: Timestamp, index: Int) {
        latest.append((start, end, index))
    }

    private mutating func keep(_ plan: Plan) {
        while let last = earlier.last, last.end <= plan.end { earlier.removeLast() }
        earlier.append(plan)
    }

    /// Whether one period began after another was stated ahead, and runs on when that begins.
    package static func tookBack(
        from start: Timestamp, statedAt: Timestamp, by other: (start: Timestamp, end: Timestamp)
    ) -> Bool { statedAt < other.start && other.start < start && start < other.end }
}
