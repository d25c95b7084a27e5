import PurchaseEvents

/// The facts that a log states about one piece of content (G6.3).
public struct ContentFacts: BitwiseCopyable, Sendable {
    /// When the content was published, from its first `content.published`.
    public var publishedAt: Timestamp
    /// The product whose subscribers may read the content, if stated.
    public var product: ProductHandle?
    /// The subscription group whose members may read the content, if stated.
    public var group: GroupHandle?
    /// The line of the `content.published`.
    public var publishedLine: LineNumber
}
