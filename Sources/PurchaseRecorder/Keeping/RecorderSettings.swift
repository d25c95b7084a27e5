import PurchaseEvents

/// The settings of a recorder: facts about the app, a clock, and a source of keys.
public struct RecorderSettings: Sendable {
    /// The installation; `nil` if the log belongs to a single device.
    public var device: DeviceID<Written>?
    /// The environment of the purchases; `nil` means the log's.
    public var environment: Environment?
    /// The kinds of the app's products; StoreKit 1 states only those of subscriptions (G1.1).
    public var kinds: [String: ProductKind]
    /// Returns the current time.
    public var now: @Sendable () -> Timestamp
    /// Returns an identifier that was never used before, such as a UUID, as the key of a payment.
    public var newKey: @Sendable () -> String

    /// Creates settings.
    public init(
        device: DeviceID<Written>? = nil, environment: Environment? = nil,
        kinds: [String: ProductKind] = [:], now: @escaping @Sendable () -> Timestamp,
        newKey: @escaping @Sendable () -> String
    ) {
        (self.device, self.environment, self.kinds) = (device, environment, kinds)
        (self.now, self.newKey) = (now, newKey)
    }

    /// A fact that happens now in the session of an account.
    func draft(_ fact: Fact<Written>, account: String? = nil) -> Draft {
        Draft(
            at: now(), account: account.map { AccountID($0) }, device: device,
            environment: environment, fact)
    }

    func session(_ account: String?) -> Session {
        Session(account: account.map { AccountID($0) }, device: device, environment: environment)
    }
}
