import PurchaseEvents

/// Where reading a log ends before its end, so that the answer is what the log knew then.
enum ReadingStop: Hashable, Sendable {
    /// At the end of the log.
    case never
    /// After the event of that `seq`.
    case seq(Int64)
    /// Before the first event recorded later.
    case time(Timestamp)

    /// Whether an event is the first that is not read any more.
    @inline(__always)
    func isPast(_ event: Event<Interned>) -> Bool {
        switch self {
        case .never: false
        case .seq(let seq): event.seq > seq
        case .time(let time): event.at > time
        }
    }
}
