import PurchaseEvents

/// The facts that a log states about one installation: launches, the observer, restores
/// (event-log.md, 2).
public struct DeviceFacts: Sendable {
    /// The number of times the app was launched.
    public var launches: UInt32 = 0
    /// The line of the latest launch; 0 if there is none.
    public var launchedLine: LineNumber = 0
    /// The line of the latest `queue.observed`; 0 if there is none.
    public var observedLine: LineNumber = 0
    /// The line of the latest `queue.unobserved`; 0 if there is none.
    public var unobservedLine: LineNumber = 0
    /// The line of the `payment.restricted` in force; 0 if payments are allowed.
    public var restrictedLine: LineNumber = 0
    /// The line of the latest `restore.requested`; 0 if there is none.
    public var restoreRequestedLine: LineNumber = 0
    /// The line of the latest `restore.completed` or `restore.failed`; 0 if there is none.
    public var restoreEndedLine: LineNumber = 0

    /// The products selected since the latest `restore.requested` (G8.4).
    public var selectedProducts: Set<ProductHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&launches).visit(&launchedLine).visit(&observedLine).visit(&unobservedLine)
        visitor.visit(&restrictedLine).visit(&restoreRequestedLine).visit(&restoreEndedLine)
        visitor.visit(&selectedProducts)
    }

    /// Whether a restore was requested and has not ended.
    public var isRestoring: Bool { restoreRequestedLine > restoreEndedLine }

    /// Whether the user selected products to restore and left this product out (G8.4).
    func excludesFromRestore(_ product: ProductHandle) -> Bool {
        !selectedProducts.isEmpty && !selectedProducts.contains(product)
    }
}
