// The family `renewal`: what happens to a subscription (G6).

/// A subscription started (`renewal.started`, G6.4).
public struct RenewalStarted<S: Spelling>: Hashable, Sendable {
    /// The time of this purchase (G8.8).
    public var purchasedAt: Timestamp
    /// The end of the paid period, itself outside the period (G6.1).
    public var expiresAt: Timestamp
    /// Whether the subscriber came back after a lapse.
    @Packed public var resubscribed: Bool?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// The offer that the purchase used.
    @Packed public var offer: Offer?
    /// The billing plan and the commitment.
    public var terms: BillingTerms
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    public var product: ProductID<S>
    /// The subscription group (G6.5).
    @Packed public var group: GroupID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, original: TransactionID<S>, product: ProductID<S>,
        group: GroupID<S>? = nil, purchasedAt: Timestamp, expiresAt: Timestamp,
        resubscribed: Bool? = nil, price: Int64? = nil, currency: Currency? = nil,
        offer: Offer? = nil, terms: BillingTerms = BillingTerms()
    ) {
        self.transaction = transaction
        self.original = original
        self.product = product
        self.group = group
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.resubscribed = resubscribed
        self.price = price
        self.currency = currency
        self.offer = offer
        self.terms = terms
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        original = fields.required(.original)
        product = fields.required(.product)
        group = fields.optional(.group)
        purchasedAt = fields.required(.purchasedAt)
        expiresAt = fields.required(.expiresAt)
        resubscribed = fields.optional(.resubscribed)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
        offer = fields.optional(.offer)
        terms = BillingTerms(from: &fields)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.group, group)
        try fields.write(.purchasedAt, purchasedAt)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.resubscribed, resubscribed)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
        try fields.write(.offer, offer)
        try terms.write(to: &fields)
    }
}

/// A subscription was renewed (`renewal.renewed`, G6.8).
public struct RenewalRenewed<S: Spelling>: Hashable, Sendable {
    /// The time of this renewal (G8.8).
    public var purchasedAt: Timestamp
    /// The end of the paid period, itself outside the period (G6.1).
    public var expiresAt: Timestamp
    /// Whether a billing retry succeeded (G6.7).
    @Packed public var recovered: Bool?
    /// The price of the whole transaction, in thousandths of the unit of `currency`.
    @Packed public var price: Int64?
    /// The currency of `price`.
    @Packed public var currency: Currency?
    /// The offer that the renewal used.
    @Packed public var offer: Offer?
    /// The billing plan and the commitment.
    public var terms: BillingTerms
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    public var product: ProductID<S>
    /// The subscription group (G6.5).
    @Packed public var group: GroupID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, original: TransactionID<S>, product: ProductID<S>,
        group: GroupID<S>? = nil, purchasedAt: Timestamp, expiresAt: Timestamp,
        recovered: Bool? = nil, price: Int64? = nil, currency: Currency? = nil,
        offer: Offer? = nil, terms: BillingTerms = BillingTerms()
    ) {
        self.transaction = transaction
        self.original = original
        self.product = product
        self.group = group
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.recovered = recovered
        self.price = price
        self.currency = currency
        self.offer = offer
        self.terms = terms
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        original = fields.required(.original)
        product = fields.required(.product)
        group = fields.optional(.group)
        purchasedAt = fields.required(.purchasedAt)
        expiresAt = fields.required(.expiresAt)
        recovered = fields.optional(.recovered)
        price = fields.optional(.price)
        currency = fields.optional(.currency)
        offer = fields.optional(.offer)
        terms = BillingTerms(from: &fields)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.group, group)
        try fields.write(.purchasedAt, purchasedAt)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.recovered, recovered)
        try fields.write(.price, price)
        try fields.write(.currency, currency)
        try fields.write(.offer, offer)
        try terms.write(to: &fields)
    }
}

/// A renewal failed (`renewal.failed`, G6.6).
public struct RenewalFailed<S: Spelling>: Hashable, Sendable {
    /// Whether the store keeps retrying the payment (G6.6).
    @Packed public var retrying: Bool?
    /// The end of the grace period, during which the user keeps access.
    @Packed public var graceExpiresAt: Timestamp?
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    @Packed public var product: ProductID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        original: TransactionID<S>, product: ProductID<S>? = nil, retrying: Bool? = nil,
        graceExpiresAt: Timestamp? = nil
    ) {
        self.original = original
        self.product = product
        self.retrying = retrying
        self.graceExpiresAt = graceExpiresAt
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        product = fields.optional(.product)
        retrying = fields.optional(.retrying)
        graceExpiresAt = fields.optional(.graceExpiresAt)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.retrying, retrying)
        try fields.write(.graceExpiresAt, graceExpiresAt)
    }
}

/// A subscription ended (`renewal.expired`, G6.6).
public struct RenewalExpired<S: Spelling>: Hashable, Sendable {
    /// The end of the paid period, itself outside the period (G6.1).
    @Packed public var expiresAt: Timestamp?
    /// The reason why the subscription ended (G6.6).
    public var reason: ExpirationReason
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    @Packed public var product: ProductID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        original: TransactionID<S>, product: ProductID<S>? = nil, expiresAt: Timestamp? = nil,
        reason: ExpirationReason
    ) {
        self.original = original
        self.product = product
        self.expiresAt = expiresAt
        self.reason = reason
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        product = fields.optional(.product)
        expiresAt = fields.optional(.expiresAt)
        reason = fields.required(.reason)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.expiresAt, expiresAt)
        try fields.write(.reason, reason)
    }
}

/// The plan changes, now or at the next renewal (`renewal.planChanged`, G6.5).
public struct RenewalPlanChanged<S: Spelling>: Hashable, Sendable {
    /// When the change takes effect (G6.5).
    public var effect: PlanEffect
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The product.
    @Packed public var product: ProductID<S>?
    /// The product that the subscription changes to.
    public var next: ProductID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        original: TransactionID<S>, product: ProductID<S>? = nil, next: ProductID<S>,
        effect: PlanEffect
    ) {
        self.original = original
        self.product = product
        self.next = next
        self.effect = effect
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        product = fields.optional(.product)
        next = fields.required(.next)
        effect = fields.required(.effect)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.product, product)
        try fields.write(.next, next)
        try fields.write(.effect, effect)
    }
}

/// The price was raised (`renewal.priceIncreased`, G6.6).
public struct RenewalPriceIncreased<S: Spelling>: Hashable, Sendable {
    /// Whether the subscriber has agreed to the new price.
    public var consent: PriceConsent
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(original: TransactionID<S>, consent: PriceConsent) {
        self.original = original
        self.consent = consent
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        consent = fields.required(.consent)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.consent, consent)
    }
}

/// The current period was extended (`renewal.extended`).
public struct RenewalExtended<S: Spelling>: Hashable, Sendable {
    /// The new end of the paid period, itself outside the period (G6.1).
    public var expiresAt: Timestamp
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The transaction whose period was extended.
    @Packed public var transaction: TransactionID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        original: TransactionID<S>, transaction: TransactionID<S>? = nil, expiresAt: Timestamp
    ) {
        self.original = original
        self.transaction = transaction
        self.expiresAt = expiresAt
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        transaction = fields.optional(.transaction)
        expiresAt = fields.required(.expiresAt)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.transaction, transaction)
        try fields.write(.expiresAt, expiresAt)
    }
}

extension RenewalPlanChanged: BitwiseCopyable
where S.Name: BitwiseCopyable, S.Name.PackedOptional: BitwiseCopyable {}
