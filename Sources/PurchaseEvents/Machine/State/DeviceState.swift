/// The state of one installation: launches, the observer, restrictions and restores.
public struct DeviceState<S: Spelling>: Hashable, Sendable {
    /// Whether the app observes the queue (G4.1).
    public enum Observer: BitwiseCopyable, Hashable, Sendable {
        /// No launch and no observer were ever recorded, as on a server.
        case unknown
        /// The observer is registered.
        case registered
        /// The app was launched and hasn't registered the observer yet, or has removed it.
        case unregistered
    }

    /// The number of launches; saturates.
    public internal(set) var launches: UInt32 = 0
    /// Whether the app observes the queue.
    public internal(set) var observer = Observer.unknown
    /// Whether payments have been restricted since the launch (G2.3).
    public internal(set) var isRestricted = false
    /// Whether a restore is in progress (G4.6).
    public internal(set) var isRestoring = false
    /// The account that requested the latest restore.
    public internal(set) var restorer: AccountID<S>?
    /// The products selected since the latest restore was requested (G8.4).
    public internal(set) var selection: Set<ProductID<S>> = []
    var hasRestored = false

    /// Whether the user chose products for the latest restore, but not this one (G8.4).
    func excludes(_ product: ProductID<S>?) -> Bool {
        guard hasRestored, let product else { return false }
        return !selection.isEmpty && !selection.contains(product)
    }
}
