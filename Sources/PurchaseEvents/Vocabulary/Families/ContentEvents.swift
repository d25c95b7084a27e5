// The family `content`: what subscribers read (G6.3).

/// Content appeared (`content.published`, G6.3).
public struct ContentPublished<S: Spelling>: Hashable, Sendable {
    /// The content.
    public var content: ContentID<S>
    /// The product.
    public var product: ProductID<S>?
    /// The subscription group (G6.5).
    public var group: GroupID<S>?
    /// When it was published.
    public var publishedAt: Timestamp

    /// The fact with what it says; what is absent is not said.
    public init(
        content: ContentID<S>, product: ProductID<S>? = nil, group: GroupID<S>? = nil,
        publishedAt: Timestamp
    ) {
        self.content = content
        self.product = product
        self.group = group
        self.publishedAt = publishedAt
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        content = try fields.required(.content)
        product = try fields.optional(.product)
        group = try fields.optional(.group)
        publishedAt = try fields.required(.publishedAt)
    }
}

extension ContentPublished where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.content, content)
        try line.write(.product, product)
        try line.write(.group, group)
        try line.write(.publishedAt, publishedAt)
    }
}
