/// A request of the app to the store that the payment queue doesn't answer.
public enum StoreRequest: Hashable, Sendable {
    /// A request for products: their identifiers (G2.2).
    case products([String])
    /// A refresh of the receipt (G8.2).
    case receipt
}
