/// All event types, in the order of event-log.md, section 3.
///
/// ``Fact`` says what each type carries; ``schema`` lists its keys in canonical order.
public enum EventType: UInt8, CaseIterable, Hashable, Sendable {
    case logOpened, logNoted, logRecovered
    case appLaunched
    case catalogRequested, catalogListed, catalogInvalid
    case paymentRestricted, paymentAllowed, paymentRequested
    case queueObserved, queueUnobserved, queuePurchasing, queueDeferred, queueFailed
    case queuePurchased, queueRestored, queueFinished, queueRemoved
    case deliveryValidated, deliveryPersisted, deliveryDownload, deliveryInstalled
    case deliveryDelivered, deliveryWithdrawn, deliveryUnlocked, deliveryConsumed
    case receiptRefreshed, receiptListed, receiptValidated
    case restoreRequested, restoreSelected, restoreCompleted, restoreFailed
    case renewalStarted, renewalRenewed, renewalFailed, renewalGraceExpired, renewalExpired
    case renewalTurnedOff, renewalTurnedOn, renewalPlanChanged, renewalPriceIncreased
    case renewalExtended
    case cancellationRefunded, cancellationRevoked, cancellationReversed
    case cancellationRequested, cancellationDeclined
    case notificationReceived
    case contentPublished, contentOpened
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
