import PurchaseEvents

/// The products that lines were said to change to at once, whatever was said of them later.
struct ChangesAtOnce: Sendable {
    /// By the original of the line.
    private var products: [TransactionID<Interned>: Set<ProductID<Interned>>] = [:]

    /// Takes in an event, where it says such a change.
    mutating func observe(_ event: Event<Interned>) {
        guard case .renewalPlanChanged(let said) = event.fact, said.effect == .now else { return }
        products[said.original, default: []].insert(said.next)
    }

    /// Whether the App Store said that a line changes to a product at once.
    func contains(_ product: ProductID<Interned>, of line: LineFacts) -> Bool {
        products[line.original]?.contains(product) ?? false
    }
}
