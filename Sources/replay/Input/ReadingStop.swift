import PurchaseEvents

/// The place to stop reading a log, to show what was known at that point.
enum ReadingStop: Hashable, Sendable {
    case never
    /// After the first event with this `seq`, or before the first event with a greater one.
    case seq(Int64)
    /// Before the first event recorded after this time.
    case time(Timestamp)

    /// The index of the first line not to read, which may be the end index; `nil` if reading
    /// continues after these lines.
    func end(of lines: ReadLines) -> Int? {
        for index in lines.indices {
            guard let event = lines[index].event else { continue }
            switch self {
            case .never: return nil
            case .seq(let seq):
                if event.seq == seq { return index + 1 }
                if event.seq > seq { return index }
            case .time(let time):
                if event.at > time { return index }
            }
        }
        return nil
    }
}
