// The family `catalog`: what the App Store says of products (G1, G2).

/// A product is on sale (`catalog.listed`, G2.2).
public struct CatalogListed<S: Spelling>: Hashable, Sendable {
    /// The product.
    public var product: ProductID<S>
    /// Which of the four product types it is (G1.1).
    public var kind: ProductKind
    /// The subscription group (G6.5).
    public var group: GroupID<S>?
    /// The level of service in the group; 1 is the highest.
    public var level: Int64?
    /// The length of a period as an ISO 8601 duration, such as `P1M`.
    public var period: S.Text?
    /// The price of the whole transaction in thousandths of the unit of `currency`.
    public var price: Int64?
    /// The currency of `price`.
    public var currency: Currency?
    /// Whether it has content hosted by Apple (G4.15).
    public var hosted: Bool?
    /// Whether it may be shared with the family.
    public var family: Bool?

    /// The fact with what it says; what is absent is not said.
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

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        product = try fields.required(.product)
        kind = try fields.required(.kind)
        group = try fields.optional(.group)
        level = try fields.optional(.level)
        period = try fields.optional(.period)
        price = try fields.optional(.price)
        currency = try fields.optional(.currency)
        hosted = try fields.optional(.hosted)
        family = try fields.optional(.family)
    }
}

extension CatalogListed where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.product, product)
        try line.write(.kind, kind)
        try line.write(.group, group)
        try line.write(.level, level)
        try line.write(.period, period)
        try line.write(.price, price)
        try line.write(.currency, currency)
        try line.write(.hosted, hosted)
        try line.write(.family, family)
    }
}
