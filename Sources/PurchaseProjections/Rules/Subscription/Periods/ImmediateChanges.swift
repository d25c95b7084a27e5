import PurchaseEvents

/// Plan changes with immediate effect, whatever later statements say.
struct ImmediateChanges: Sendable {
    /// The new products by the line's original.
    private var products: [TransactionID<Interned>: Set<ProductID<Interned>>] = [:]

    /// Records an immediate plan change; ignores other events.
    mutating func observe(_ event: Event<Interned>) {
        guard case .renewalPlanChanged(let payload) = event.fact, payload.effect == .now else {
            return
        }
        products[payload.original, default: []].insert(payload.next)
    }

    /// Whether the App Store stated that a line changes to a product immediately.
    func contains(_ product: ProductID<Interned>, of line: LineFacts) -> Bool {
        products[line.original]?.contains(product) ?? false
    }
}
