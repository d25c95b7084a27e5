import PurchaseEvents

/// What a log says of one installation: launches, the observer, restores (event-log.md, 2).
public struct DeviceFacts: Sendable {
    /// How often the app was launched on it.
    public var launches: UInt32 = 0
    /// The line of the latest launch, 0 where there is none.
    public var launchedLine: LineNumber = 0
    /// The line of the latest `queue.observed`, 0 where there is none.
    public var observedLine: LineNumber = 0
    /// The line of the latest `queue.unobserved`, 0 where there is none.
    public var unobservedLine: LineNumber = 0
    /// The line of a `payment.restricted` that holds now, 0 where none does.
    public var restrictedLine: LineNumber = 0
    /// The line of the latest `restore.requested`, 0 where there is none.
    public var restoreRequestedLine: LineNumber = 0
    /// The line of the latest `restore.completed` or `.failed`, 0 where there is none.
    public var restoreEndedLine: LineNumber = 0
    /// The latest line at which it was shown a transaction or finished one, and that before its
    /// latest launch; 0 where there is none.
    var entryLine: LineNumber = 0, entryLineBeforeLaunch: LineNumber = 0
    /// The products selected since the latest `restore.requested` (G8.4).
    public var selectedProducts: [ProductID<Interned>] = []

    /// Whether a restore was requested and has not ended.
    public var isRestoring: Bool { restoreRequestedLine > restoreEndedLine }

    /// Whether the user chose what to download again, and not this product (G8.4).
    func leavesOut(_ product: ProductID<Interned>) -> Bool {
        !selectedProducts.isEmpty && !selectedProducts.contains(product)
    }
}
