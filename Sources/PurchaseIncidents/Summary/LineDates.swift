import PurchaseEvents
import PurchaseProjections

/// The `at` of each line of a log; costs eight bytes a line.
public struct LineDates: Sendable {
    private var dates: [Int64] = []

    /// Creates an empty list of dates.
    public init() {}

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&dates) }

    /// Adds the next lines of the log.
    public mutating func observe(_ lines: ReadLines) {
        if let events = lines.allEvents {
            for index in events.indices { dates.append(events[index].at.milliseconds) }
            return
        }
        for line in lines { dates.append(line.eventPlace?.pointee.at.milliseconds ?? .min) }
    }

    /// The `at` of a line, counted from 1; `nil` if the line holds no event.
    public subscript(line: LineNumber) -> Timestamp? {
        let index = Int(line) - 1
        guard dates.indices.contains(index), dates[index] != .min else { return nil }
        return Timestamp(milliseconds: dates[index])
    }
}
