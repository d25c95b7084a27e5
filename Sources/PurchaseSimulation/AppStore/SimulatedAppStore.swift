import PurchaseEvents

/// An App Store that plays a generated history to a server: notifications as Apple would sign and
/// deliver them, and the pages that its API would answer.
///
/// Equal choices give equal bytes, signatures too. The keys come from the seed and keep no secret:
/// a server under test must trust ``root`` in place of Apple's root certificate, and no other
/// server may. Memory holds the history.
public final class SimulatedAppStore: IteratorProtocol {
    /// The history as a perfect app and server record it.
    public let log: [Event<Written>]
    /// The greatest time of recording, or of a purchase that a slow clock recorded before it was
    /// made; also when the pages are signed.
    public let end: Timestamp
    /// The root certificate of the authority that signs, as PEM.
    public let root: String
    let history: StoreHistory
    /// The customers, and the place of each one by original transaction.
    let customers: [StoreCustomer]
    private let customerPlaces: [String: Int]
    let notifications: [StoreNotification]
    let attempts: [[StoreAttempt]]
    let arrivals: [StoreArrival]
    let sign: StoreSigner
    private var place = 0

    /// Creates a store from choices: those of the history first, then those of the deliveries.
    ///
    /// - Parameters:
    ///   - options: The options of the history, without faults; the salt is also the seed of the
    ///     keys.
    ///   - choices: Where the random choices come from.
    ///   - deliveries: How the notifications arrive.
    ///   - hasSamples: Whether notifications that no history reaches arrive too, with invented
    ///     values: one of each kind.
    public init(
        _ options: SimulationOptions = SimulatedAppStore.small, choices: any ChoiceSource,
        deliveries: StoreDeliveries = .retried, hasSamples: Bool = false
    ) {
        var options = options
        (options.faults, options.isToldToServers) = ([], true)
        let simulation = Simulation(options, choices: choices)
        var timeline = StoreTimeline()
        var log: [Event<Written>] = []
        while let event = simulation.next() {
            timeline.observe(event)
            log.append(event)
        }
        for redemption in simulation.redemptions { timeline.observe(redemption) }
        self.log = log
        history = StoreHistory(timeline, salt: options.salt)
        customers = history.customers
        var places: [String: Int] = [:]
        for (place, customer) in customers.enumerated() {
            for id in customer.transactions {
                if let original = history.transactions[id]?.original { places[original] = place }
            }
        }
        customerPlaces = places
        end = timeline.end
        var notifications = history.notifications
        if hasSamples {
            notifications += StoreSamples.notifications(signedAt: end, salt: options.salt)
        }
        let attempts = notifications.map { deliveries.attempts(of: $0, choices) }
        (self.notifications, self.attempts) = (notifications, attempts)
        arrivals = deliveries.arrivals(attempts, end: end, choices)
        let authority = SigningAuthority(seed: options.salt, at: options.start)
        root = authority.rootPEM
        sign = { authority.signed($0) }
    }

    /// A history of today's store with 200 events, in which everything that can happen happens
    /// soon, for properties.
    public static var small: SimulationOptions {
        var options = SimulationOptions(events: 200, accounts: 3, days: 365)
        (options.mix, options.store) = (.adverse, .today)
        return options
    }

    /// The number of days from the start for which the authority's certificates are valid.
    package static let longestDays = 40 * 365

    /// The number of bodies that arrive.
    public var count: Int { arrivals.count }
    /// The number of notifications, each of which may arrive several times.
    public var notificationCount: Int { notifications.count }

    /// The next body that arrives, or `nil` after the last one.
    public func next() -> StoreDelivery? {
        guard place < arrivals.count else { return nil }
        place += 1
        return delivery(place - 1)
    }

    /// What arrives at a place in the order of arrival, from 0.
    ///
    /// - Parameter isSigned: Whether to sign the body; otherwise it is empty.
    package func delivery(_ place: Int, isSigned: Bool = true) -> StoreDelivery {
        let arrival = arrivals[place], notification = notifications[arrival.notification]
        let customer = notification.original.flatMap { customerPlaces[$0] }
        return StoreDelivery(
            arrival, notification, customer: customer.map { customers[$0].original },
            body: isSigned ? notification.body(sign) : "")
    }
}

/// A body that arrives at a server's webhook.
public struct StoreDelivery: Hashable, Sendable {
    /// The body of the request: an object with `signedPayload`.
    public let body: String
    /// When the body arrives.
    public let arrivesAt: Timestamp
    /// The number of the attempt to deliver the notification, from 1.
    public let attempt: Int64
    /// The UUID of the notification, which every attempt repeats.
    public let notification: String
    /// The type and the subtype.
    public let type: String, subtype: String?
    /// The original transaction that the notification is about, and its account; `nil` if the
    /// notification names none.
    public let original: String?, account: String?
    /// The first original transaction of the customer, which names the customer's pages.
    public let customer: String?
    /// Whether the notification is a sample with invented values.
    public let isSample: Bool
    /// What the notification states, in the words of a log; each event is recorded on arrival.
    public let statements: [Event<Written>]

    init(
        _ arrival: StoreArrival, _ notification: StoreNotification, customer: String?, body: String
    ) {
        self.body = body
        arrivesAt = arrival.at
        attempt = Int64(arrival.attempt)
        self.notification = notification.uuid
        (type, subtype) = (notification.type, notification.subtype)
        (original, account) = (notification.original, notification.account)
        self.customer = customer
        isSample = notification.isSample
        statements = notification.statements(recordedAt: arrival.at)
    }
}

extension StoreNotification {
    fileprivate func statements(recordedAt instant: Timestamp) -> [Event<Written>] {
        facts.enumerated().map { index, fact in
            Event(
                seq: Int64(index + 1), at: instant, account: account.map { AccountID($0) },
                environment: environment, signedAt: signedAt, fact)
        }
    }
}

extension SimulatedAppStore {
    /// The first line of a log of statements.
    package var opening: Event<Written> {
        Event(seq: 1, at: log.first?.at ?? end, .logOpened(.init(schema: 1, app: StoreApp.bundle)))
    }

    /// What all notifications state, as a log by the times of their signatures.
    package var statements: [Event<Written>] {
        var events = [opening]
        for notification in notifications {
            for event in notification.statements(recordedAt: notification.signedAt) {
                events.append(event)
                events[events.count - 1].seq = Int64(events.count)
            }
        }
        return events
    }
}
