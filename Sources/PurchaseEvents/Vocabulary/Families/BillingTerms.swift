/// The billing plan and the commitment that a statement gives of a period: `plan` and the four keys
/// `commitment…` (event-log.md, 3).
///
/// The App Store bills a monthly plan period by period, for a committed number of periods.
public struct BillingTerms: Hashable, Sendable {
    /// The number of this billing period within the commitment, from 1.
    @Packed public var number: Int64?
    /// The number of billing periods of the commitment.
    @Packed public var of: Int64?
    /// The end of the commitment.
    @Packed public var until: Timestamp?
    /// The price of the whole commitment, in thousandths of the unit of the statement's currency.
    @Packed public var price: Int64?
    // Last, so that small fields of a fact can follow it without padding.
    /// How the subscriber pays.
    @Packed public var plan: BillingPlan?

    /// Creates terms; a `nil` argument leaves its key out.
    @inlinable
    public init(
        plan: BillingPlan? = nil, number: Int64? = nil, of: Int64? = nil,
        until: Timestamp? = nil, price: Int64? = nil
    ) {
        self.plan = plan
        self.number = number
        self.of = of
        self.until = until
        self.price = price
    }

    /// Whether a statement gives none of the keys.
    @inlinable
    public var isEmpty: Bool { self == BillingTerms() }

    init(from fields: inout some FieldReader) {
        plan = fields.optional(.plan)
        number = fields.optional(.commitmentNumber)
        of = fields.optional(.commitmentOf)
        until = fields.optional(.commitmentUntil)
        price = fields.optional(.commitmentPrice)
    }

    func write(to fields: inout (some FieldWriter & ~Copyable)) throws(WritingProblem) {
        try fields.write(.plan, plan)
        try fields.write(.commitmentNumber, number)
        try fields.write(.commitmentOf, of)
        try fields.write(.commitmentUntil, until)
        try fields.write(.commitmentPrice, price)
    }
}
