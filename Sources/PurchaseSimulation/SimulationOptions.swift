import PurchaseEvents

/// What a simulation is to be like.
public struct SimulationOptions: Hashable, Sendable {
    /// How often the unusual happens.
    public enum Mix: Hashable, Sendable {
        /// As in an ordinary app: mostly purchases and renewals that go well.
        case ordinary
        /// As in a test: whatever may happen happens soon.
        case adverse
    }

    /// How many events the log has, at least 1.
    public var events: Int { didSet { events = max(1, events) } }
    /// How many accounts there are at most, at least 1.
    public var accounts: Int { didSet { accounts = max(1, accounts) } }
    /// How many days the log is to cover, roughly; at least 1.
    public var days: Int { didSet { days = max(1, days) } }
    /// When the log begins, by default 2026-01-01; an instant that no log can hold becomes the
    /// nearest that one can.
    public var start = Timestamp(milliseconds: 1_767_225_600_000) {
        didSet { start = min(max(start, .earliest), .latest) }
    }
    /// What makes the identifiers of one log different from those of another.
    public var salt: UInt64 = 0
    /// How often the unusual happens.
    public var mix = Mix.ordinary
    /// What goes wrong.
    public var faults: Set<Fault> = []

    /// A log of that many events.
    public init(events: Int, accounts: Int, days: Int) {
        self.events = max(1, events)
        self.accounts = max(1, accounts)
        self.days = max(1, days)
    }

    /// How many sessions an account has, roughly: a session takes about twenty events.
    private var sessions: Int64 {
        max(1, Int64(clamping: events) / Int64(clamping: accounts) / 20)
    }

    /// The days that the log is to cover, in milliseconds.
    var length: Int64 { min(Int64(clamping: days), 100_000) * Timestamp.day }

    /// The mean time between two sessions of an account: the rest of the days.
    var pause: Int64 { max(Timestamp.hour, length / sessions) }

    /// An instant by which the log has ended, with time to spare: half as long again as it is to
    /// cover, and two years, for what was bought last is renewed then.
    package var latestEnd: Timestamp {
        let (paused, isTooLong) = pause.multipliedReportingOverflow(by: sessions)
        let whole = isTooLong ? .max : max(length, paused)
        return start.advanced(byMilliseconds: whole).advanced(byMilliseconds: whole / 2)
            .advanced(byMilliseconds: 730 * Timestamp.day)
    }
}
