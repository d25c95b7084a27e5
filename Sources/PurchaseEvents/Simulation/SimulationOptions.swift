/// What a simulation is to be like.
public struct SimulationOptions: Hashable, Sendable {
    /// How often the unusual happens.
    public enum Mix: Hashable, Sendable {
        /// As in an ordinary app: mostly purchases and renewals that go well.
        case ordinary
        /// As in a test: whatever may happen happens soon.
        case adverse
    }

    /// How many events the log has.
    public var events: Int
    /// How many accounts there are at most.
    public var accounts: Int
    /// How many days the log is to cover, roughly.
    public var days: Int
    /// When the log begins; by default 2026-01-01.
    public var start = Timestamp(milliseconds: 1_767_225_600_000)
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
}
