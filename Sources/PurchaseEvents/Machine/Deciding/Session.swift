/// The account, device and environment that the app records with every event.
public struct Session: Hashable, Sendable {
    /// The app's own user, opaque (G3.4); `nil` means unknown, never another account.
    ///
    /// An account in the form of a UUID is kept in lower case, because StoreKit gives the same
    /// token in both.
    public var account: AccountID<Written>? { didSet { account = account?.inLowerCase } }
    /// The installation; `nil` means the unnamed device.
    public var device: DeviceID<Written>?
    /// The environment in which the facts are true (G9.3); `nil` means the log's.
    public var environment: Environment?

    /// Creates a session; `nil` values are unknown.
    public init(
        account: AccountID<Written>? = nil, device: DeviceID<Written>? = nil,
        environment: Environment? = nil
    ) {
        self.account = account?.inLowerCase
        self.device = device
        self.environment = environment
    }
}
