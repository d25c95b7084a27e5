/// All event types, in the order of event-log.md, section 3.
///
/// ``Fact`` holds the values of each type.
public enum EventType: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// The log begins here: always line 1.
    case logOpened
    /// A person's remark, which changes no state.
    case logNoted
    /// The bytes that a crash left after the last whole line were cut off and saved beside the log.
    case logRecovered
    /// The app was launched.
    case appLaunched
    /// The app asked for a product (G2.2).
    case catalogRequested
    /// A product is on sale (G2.2).
    case catalogListed
    /// A product identifier is invalid (G2.2).
    case catalogInvalid
    /// The user may not make payments (G2.3).
    case paymentRestricted
    /// The user may make payments (G2.3).
    case paymentAllowed
    /// A payment was added to the queue (G3.1).
    case paymentRequested
    /// The observer was registered (G4.1).
    case queueObserved
    /// The observer was removed.
    case queueUnobserved
    /// A payment is in progress (G4.2).
    case queuePurchasing
    /// A payment waits for someone else's approval (G4.2).
    case queueDeferred
    /// A payment failed (G4.2).
    case queueFailed
    /// A transaction was purchased, so the app owes the product (G4.2).
    case queuePurchased
    /// A transaction restores an earlier purchase (G8.3).
    case queueRestored
    /// The app finished an entry of the queue (G4.8).
    case queueFinished
    /// An entry left the queue (G4.5).
    case queueRemoved
    /// A server validated a transaction (G4.19).
    case deliveryValidated
    /// A purchase was persisted (G4.7).
    case deliveryPersisted
    /// A download changed or made progress (G4.16).
    case deliveryDownload
    /// Downloaded files were moved to their place (G4.18).
    case deliveryInstalled
    /// The user can now use the purchase (G4.7).
    case deliveryDelivered
    /// The user can no longer use the purchase (G6.9).
    case deliveryWithdrawn
    /// A launch unlocked a product from the persistent record (G4.14).
    case deliveryUnlocked
    /// The user consumed part of a consumable (G4.11).
    case deliveryConsumed
    /// A snapshot of the receipt begins (G8.2).
    case receiptRefreshed
    /// The App Store's statement about one transaction (G6.1).
    case receiptListed
    /// A receipt was validated (G9.1).
    case receiptValidated
    /// The user or the app started a restore (G8.1).
    case restoreRequested
    /// The user chose a product to download again (G8.4).
    case restoreSelected
    /// A restore succeeded (G4.6).
    case restoreCompleted
    /// A restore failed (G4.6).
    case restoreFailed
    /// A subscription started (G6.4).
    case renewalStarted
    /// A subscription was renewed (G6.8).
    case renewalRenewed
    /// A renewal failed (G6.6).
    case renewalFailed
    /// A grace period ended, and the store still retries the payment.
    case renewalGraceExpired
    /// A subscription ended (G6.6).
    case renewalExpired
    /// Auto-renewal was turned off (G6.9).
    case renewalTurnedOff
    /// Auto-renewal was turned on.
    case renewalTurnedOn
    /// The plan changes, now or at the next renewal (G6.5).
    case renewalPlanChanged
    /// The price was raised (G6.6).
    case renewalPriceIncreased
    /// The current period was extended.
    case renewalExtended
    /// A purchase was refunded, whole or in part (G6.9).
    case cancellationRefunded
    /// Family sharing of a purchase ended.
    case cancellationRevoked
    /// A refund was reversed.
    case cancellationReversed
    /// A refund was requested, which changes no state.
    case cancellationRequested
    /// A refund was declined, which changes no state.
    case cancellationDeclined
    /// A status update notification arrived (G7.1).
    case notificationReceived
    /// Content was published (G6.3).
    case contentPublished
    /// The user opened content (G6.3).
    case contentOpened
    /// A subscription now belongs to the event's account.
    case accountLinked

    /// The type's name in a log line, `family.word`.
    public var wireName: String { EventType.wireNames[Int(rawValue)] }

    /// The type with a name in a log line, or `nil` if no type has that name.
    public init?(wireName: String) {
        let bytes = Array(wireName.utf8)
        guard let type = bytes.withUnsafeBytes({ EventType.names.find($0) }) else { return nil }
        self = type
    }

    /// The names in a log line, in the order of the cases.
    private static let wireNames = """
        log.opened log.noted log.recovered app.launched catalog.requested catalog.listed \
        catalog.invalid payment.restricted payment.allowed payment.requested queue.observed \
        queue.unobserved queue.purchasing queue.deferred queue.failed queue.purchased \
        queue.restored queue.finished queue.removed delivery.validated delivery.persisted \
        delivery.download delivery.installed delivery.delivered delivery.withdrawn \
        delivery.unlocked delivery.consumed receipt.refreshed receipt.listed receipt.validated \
        restore.requested restore.selected restore.completed restore.failed renewal.started \
        renewal.renewed renewal.failed renewal.graceExpired renewal.expired renewal.turnedOff \
        renewal.turnedOn renewal.planChanged renewal.priceIncreased renewal.extended \
        cancellation.refunded cancellation.revoked cancellation.reversed cancellation.requested \
        cancellation.declined notification.received content.published content.opened \
        account.linked
        """.split(separator: " ").map(String.init)

    static let names = WordIndex<EventType>(pairs: allCases.map { ($0.wireName, $0) })
}

extension EventType {
    /// The types that the App Store attests; each statement has a version (event-log.md, 4).
    static let attested = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
        .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
        .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
        .cancellationRefunded, .cancellationRevoked, .cancellationReversed)
}

/// A set of event types in one 64-bit word.
public struct EventTypes: OptionSet, Hashable, Sendable {
    /// The set's bits, one for each type.
    public let rawValue: UInt64

    /// Creates a set from its bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates a set of types.
    public init(_ types: EventType...) {
        rawValue = types.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    }

    /// The set of all types.
    public static let all = EventTypes(
        rawValue: EventType.allCases.reduce(0) { $0 | 1 << UInt64($1.rawValue) })

    /// Whether the set contains a type.
    @inlinable
    public func contains(_ type: EventType) -> Bool { rawValue >> UInt64(type.rawValue) & 1 != 0 }

    /// The types of the set, in the order of ``EventType``.
    public var types: [EventType] {
        var (types, rest) = ([EventType](), rawValue)
        while let type = EventType(rawValue: UInt8(rest.trailingZeroBitCount)) {
            types.append(type)
            rest &= rest &- 1
        }
        return types
    }
}
