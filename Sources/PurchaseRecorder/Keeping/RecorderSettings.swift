import PurchaseEvents

/// What a recorder is told about the app and its surroundings.
public struct RecorderSettings: Sendable {
    /// The installation; `nil` for an app whose log is of one device.
    public var device: DeviceID<Written>?
    /// The environment of the purchases; `nil` for that of the log.
    public var environment: Environment?
    /// The kinds of the app's products: StoreKit 1 tells only those of subscriptions (G1.1).
    public var kinds: [String: ProductKind]
    /// The clock.
    public var now: @Sendable () -> Timestamp
    /// A new identifier that was never given before, such as a UUID: the key of a payment.
    public var newKey: @Sendable () -> String

    /// Creates settings.
    public init(
        device: DeviceID<Written>? = nil, environment: Environment? = nil,
        kinds: [String: ProductKind] = [:], now: @escaping @Sendable () -> Timestamp,
        newKey: @escaping @Sendable () -> String
    ) {
        self.device = device
        self.environment = environment
        self.kinds = kinds
        self.now = now
        self.newKey = newKey
    }

    /// The session of an account.
    func session(_ account: String?) -> Session {
        Session(
            account: account.map { AccountID($0) }, device: device, environment: environment)
    }
}
