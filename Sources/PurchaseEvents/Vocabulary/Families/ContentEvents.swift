// The family `content`: what subscribers read (G6.3).

/// Content was published (`content.published`, G6.3).
public struct ContentPublished<S: Spelling>: Hashable, Sendable {
    /// The time of publication.
    public var publishedAt: Timestamp
    /// The content.
    public var content: ContentID<S>
    /// The product whose subscribers may read the content.
    @Packed public var product: ProductID<S>?
    /// The subscription group whose subscribers may read the content (G6.5).
    @Packed public var group: GroupID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        content: ContentID<S>, product: ProductID<S>? = nil, group: GroupID<S>? = nil,
        publishedAt: Timestamp
    ) {
        self.content = content
        self.product = product
        self.group = group
        self.publishedAt = publishedAt
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        content = fields.required(.content)
        product = fields.optional(.product)
        group = fields.optional(.group)
        publishedAt = fields.required(.publishedAt)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.content, content)
        try fields.write(.product, product)
        try fields.write(.group, group)
        try fields.write(.publishedAt, publishedAt)
    }
}
