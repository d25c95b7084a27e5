/// All event types, in the order of event-log.md, section 3.
///
/// ``Fact`` says what each type carries.
public enum EventType: UInt8, CaseIterable, Hashable, Sendable {
    /// The log begins here: always line 1.
    case logOpened
    /// A person's remark; it changes nothing.
    case logNoted
    /// What a crash left behind the last whole line was cut off, and is kept beside the log.
    case logRecovered
    /// The app was launched.
    case appLaunched
    /// The app asked for a product (G2.2).
    case catalogRequested
    /// A product is on sale (G2.2).
    case catalogListed
    /// A product identifier is invalid (G2.2).
    case catalogInvalid
    /// The user may not pay (G2.3).
    case paymentRestricted
    /// The user may pay (G2.3).
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
    /// A transaction is purchased, and the product is owed (G4.2).
    case queuePurchased
    /// A transaction restores what was bought before (G8.3).
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
    /// Downloaded files were put in their place (G4.18).
    case deliveryInstalled
    /// The user can now use what was bought (G4.7).
    case deliveryDelivered
    /// The user can no longer use it (G6.9).
    case deliveryWithdrawn
    /// A product was found unlocked from the persistent record at a launch (G4.14).
    case deliveryUnlocked
    /// Something of a consumable was used up (G4.11).
    case deliveryConsumed
    /// A snapshot of the receipt begins (G8.2).
    case receiptRefreshed
    /// The App Store's statement of one transaction (G6.1).
    case receiptListed
    /// A receipt was validated (G9.1).
    case receiptValidated
    /// Restoring was asked for (G8.1).
    case restoreRequested
    /// The user chose a product to download again (G8.4).
    case restoreSelected
    /// A restore ended well (G4.6).
    case restoreCompleted
    /// A restore ended with an error (G4.6).
    case restoreFailed
    /// A subscription started (G6.4).
    case renewalStarted
    /// A subscription was renewed (G6.8).
    case renewalRenewed
    /// A renewal failed (G6.6).
    case renewalFailed
    /// A grace period ended; the store still tries.
    case renewalGraceExpired
    /// A subscription ended (G6.6).
    case renewalExpired
    /// Auto-renewal was turned off (G6.9).
    case renewalTurnedOff
    /// Auto-renewal was turned on.
    case renewalTurnedOn
    /// The plan changes (G6.5).
    case renewalPlanChanged
    /// The price was raised (G6.6).
    case renewalPriceIncreased
    /// The current period was made longer.
    case renewalExtended
    /// A purchase was refunded, whole or in part (G6.9).
    case cancellationRefunded
    /// Family sharing of a purchase ended.
    case cancellationRevoked
    /// A refund was taken back.
    case cancellationReversed
    /// A refund was asked for; it changes nothing.
    case cancellationRequested
    /// A refund was declined; it changes nothing.
    case cancellationDeclined
    /// A status update notification arrived (G7.1).
    case notificationReceived
    /// Content appeared (G6.3).
    case contentPublished
    /// The user opened content (G6.3).
    case contentOpened
    /// A subscription line now belongs to the account of the event.
    case accountLinked

    /// The type's name in a log line, `family.word`: the case's name split at its first capital.
    public var wireName: String { EventType.wireNames[Int(rawValue)] }

    /// The type with a name in a log line, or `nil` if no type has that name.
    public init?(wireName: String) {
        let bytes = Array(wireName.utf8)
        guard let type = bytes.withUnsafeBytes({ EventType.names.find($0) }) else { return nil }
        self = type
    }

    private static let wireNames: [String] = allCases.map { type in
        let word = String(describing: type)
        guard let capital = word.firstIndex(where: \.isUppercase) else { return word }
        let rest = word[word.index(after: capital)...]
        return "\(word[..<capital]).\(word[capital].lowercased())\(rest)"
    }

    /// The types indexed by their wire names.
    static let names = WordIndex<EventType>(pairs: allCases.map { ($0.wireName, $0) })
}

extension EventType {
    /// The types that the App Store attests; each such statement has a version (event-log.md, 4).
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
    public func contains(_ type: EventType) -> Bool {
        rawValue >> UInt64(type.rawValue) & 1 != 0
    }

    /// The types of the set, in the order of ``EventType``.
    public var types: [EventType] { EventType.allCases.filter(contains) }
}
