import PurchaseEvents

/// What a log says of one piece of content (G6.3).
public struct ContentFacts: Sendable {
    /// When it was published, by the first `content.published`.
    public var publishedAt: Timestamp
    /// The product whose subscribers may read it, where it is said.
    public var product: ProductID<Interned>?
    /// The group whose subscribers may read it, where it is said.
    public var group: GroupID<Interned>?
    /// The line of the `content.published`.
    public var publishedLine: LineNumber
}
