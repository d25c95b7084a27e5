/// What is known of one installation: launches, the observer, restrictions, restores.
public struct DeviceState<S: Spelling>: Hashable, Sendable {
    /// Whether the observer hears the queue (G4.1).
    public enum Observer: Hashable, Sendable {
        /// Neither a launch nor the observer was ever recorded, as on a server.
        case unsaid
        /// It is registered.
        case registered
        /// The app was launched and hasn't registered it yet, or has removed it.
        case unregistered
    }

    /// How often the app was launched; saturates.
    public internal(set) var launches: UInt32 = 0
    /// Whether the observer hears the queue.
    public internal(set) var observer = Observer.unsaid
    /// Whether the user may not pay, as said since the launch (G2.3).
    public internal(set) var isRestricted = false
    /// Whether a restore was requested and hasn't ended (G4.6).
    public internal(set) var isRestoring = false
    /// The account that asked for the latest restore.
    public internal(set) var restorer: AccountID<S>?
    /// The products selected since the latest restore was requested (G8.4).
    public internal(set) var selection: Set<ProductID<S>> = []
    /// Whether a restore was ever requested.
    var hasRestored = false

    /// Whether the user chose products for the latest restore and left this one out (G8.4).
    func leavesOut(_ product: ProductID<S>?) -> Bool {
        guard hasRestored, let product else { return false }
        return !selection.isEmpty && !selection.contains(product)
    }
}
