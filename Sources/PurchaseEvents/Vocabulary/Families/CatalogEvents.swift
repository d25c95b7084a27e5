// The family `catalog`: the App Store's answers about products (G1, G2).

/// A product is on sale (`catalog.listed`, G2.2).
public struct CatalogListed<S: Spelling>: Hashable, Sendable {
    /// The product's type, one of four (G1.1).
    public var kind: ProductKind
    /// The level of service in the group; 1 is the highest.
    @Packed public var level: Int64?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// Whether the product has content hosted by Apple (G4.15).
    @Packed public var hosted: Bool?
    /// Whether the product can be shared with the family.
    @Packed public var family: Bool?
    /// The product.
    public var product: ProductID<S>
    /// The subscription group (G6.5).
    @Packed public var group: GroupID<S>?
    /// The length of a period as an ISO 8601 duration, such as `P1M`.
    @Packed public var period: S.Text?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        product: ProductID<S>, kind: ProductKind, group: GroupID<S>? = nil, level: Int64? = nil,
        period: S.Text? = nil, price: Int64? = nil, currency: Currency? = nil, hosted: Bool? = nil,
        family: Bool? = nil
    ) {
        self.product = product
        self.kind = kind
        self.group = group
        self.level = level
        self.period = period
        self.price = price
        self.currency = currency
        self.hosted = hosted
        self.family = family
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        product = fields.required(.product)
        kind = fields.required(.kind)
        group = fields.optional(.group)
        level = fields.optional(.level)
        period = fields.optional(.period)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
        hosted = fields.optional(.hosted)
        family = fields.optional(.family)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.product, product)
        try fields.write(.kind, kind)
        try fields.write(.group, group)
        try fields.write(.level, level)
        try fields.write(.period, period)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
        try fields.write(.hosted, hosted)
        try fields.write(.family, family)
    }
}
