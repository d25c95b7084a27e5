/// Who acts, and where: what the app says of itself with every event that it records.
public struct Session: Hashable, Sendable {
    /// The app's own user, opaque (G3.4); absent is not said, never another account.
    public var account: AccountID<Written>?
    /// The installation; absent: the unnamed one.
    public var device: DeviceID<Written>?
    /// Where the facts are true (G9.3); absent: what the log says.
    public var environment: Environment?

    /// A session; what is absent is not said.
    public init(
        account: AccountID<Written>? = nil, device: DeviceID<Written>? = nil,
        environment: Environment? = nil
    ) {
        self.account = account
        self.device = device
        self.environment = environment
    }
}
