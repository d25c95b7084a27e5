import PurchaseEvents

/// The options of a simulation.
public struct SimulationOptions: Hashable, Sendable {
    /// How often unusual things happen.
    public enum Mix: Hashable, Sendable {
        /// As in an ordinary app: mostly purchases and renewals that succeed.
        case ordinary
        /// As in a test: everything that can happen happens soon.
        case adverse
    }

    /// What the simulated App Store does.
    public enum Store: String, CaseIterable, Hashable, Sendable {
        /// What the In-App Purchase guide describes.
        case guide
        /// What today's App Store does too: purchases that all devices of a customer hear,
        /// commitments, seats, further offers, and changes that only a new transaction states.
        case today
    }

    /// The number of events in the log, at least 1.
    public var events: Int { didSet { events = max(1, events) } }
    /// The maximum number of accounts, at least 1.
    public var accounts: Int { didSet { accounts = max(1, accounts) } }
    /// The approximate number of days that the log covers, at least 1.
    public var days: Int { didSet { days = max(1, days) } }
    /// The start of the log, by default 2026-01-01; limited to times that a log can hold.
    public var start = Timestamp(milliseconds: 1_767_225_600_000) {
        didSet { start = min(max(start, .earliest), .latest) }
    }
    /// A number that distinguishes the identifiers of one log from those of other logs.
    public var salt: UInt64 = 0
    /// How often unusual things happen.
    public var mix = Mix.ordinary
    /// What the simulated App Store does.
    public var store = Store.guide
    /// The faults to plant.
    public var faults: Set<Fault> = []

    /// Whether the App Store's own documents can tell a server the whole history: no purchase is
    /// invalid, no statement is lost, and every grace period leaves what later documents still
    /// show.
    package var isToldToServers = false

    /// Creates options for a log of a number of events.
    public init(events: Int, accounts: Int, days: Int) {
        self.events = max(1, events)
        self.accounts = max(1, accounts)
        self.days = max(1, days)
    }

    /// The approximate number of sessions of an account, at about twenty events a session.
    private var sessions: Int64 { max(1, Int64(clamping: events) / Int64(clamping: accounts) / 20) }

    /// The length of the log in milliseconds.
    var length: Int64 { min(Int64(clamping: days), 100_000) * Timestamp.day }

    /// The mean time between two sessions of an account, in milliseconds.
    var pause: Int64 { max(Timestamp.hour, length / sessions) }

    /// A time by which the log has surely ended: one and a half times its length after the start,
    /// and two more years.
    ///
    /// The two years leave time for the renewals of the last subscriptions.
    package var latestEnd: Timestamp {
        let (paused, isTooLong) = pause.multipliedReportingOverflow(by: sessions)
        let whole = isTooLong ? .max : max(length, paused)
        return start.advanced(byMilliseconds: whole).advanced(byMilliseconds: whole / 2)
            .advanced(byMilliseconds: 730 * Timestamp.day)
    }
}
