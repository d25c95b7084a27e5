import PurchaseEvents

/// Where reading a log ends before its end, so that the answer is what the log knew then.
enum ReadingStop: Hashable, Sendable {
    /// At the end of the log.
    case never
    /// Behind the first event of that `seq`, or before the first one of a greater.
    case seq(Int64)
    /// Before the first event recorded later.
    case time(Timestamp)

    /// The index of the first line that is not read any more, one more than the last where that is
    /// the one behind them; `nil` where reading goes on.
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
