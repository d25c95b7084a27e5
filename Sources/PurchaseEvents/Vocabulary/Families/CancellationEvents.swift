// The family `cancellation`: refunds and revocations by customer support (G6.9).

/// A purchase was refunded, whole or in part (`cancellation.refunded`, G6.9).
public struct CancellationRefunded<S: Spelling>: Hashable, Sendable {
    /// The time from which the purchase counts as never made (G6.9).
    public var cancelledAt: Timestamp
    /// The reason for the refund.
    @Packed public var reason: RefundReason?
    /// The refunded share in thousandths of a percent: 50,000 is 50 %.
    @Packed public var percent: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the subscription; `nil` means the transaction itself.
    @Packed public var original: TransactionID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, original: TransactionID<S>? = nil, cancelledAt: Timestamp,
        reason: RefundReason? = nil, percent: Int64? = nil
    ) {
        self.transaction = transaction
        self.original = original
        self.cancelledAt = cancelledAt
        self.reason = reason
        self.percent = percent
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        original = fields.optional(.original)
        cancelledAt = fields.required(.cancelledAt)
        reason = fields.optional(.reason)
        percent = fields.optional(.percent)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.cancelledAt, cancelledAt)
        try fields.write(.reason, reason)
        try fields.write(.percent, percent)
    }
}

/// Access to a purchase ended, and nobody was paid back (`cancellation.revoked`).
public struct CancellationRevoked<S: Spelling>: Hashable, Sendable {
    /// The time from which the purchase counts as never made (G6.9).
    public var cancelledAt: Timestamp
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The original transaction, which keys the subscription; `nil` means the transaction itself.
    @Packed public var original: TransactionID<S>?
    /// The reason: `family` (family sharing ended), which `nil` means too; `assignment` (a seat was
    /// taken back); `bundle` (the purchase went over into a bundle); or another word.
    @Packed public var reason: S.Text?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, original: TransactionID<S>? = nil, cancelledAt: Timestamp,
        reason: S.Text? = nil
    ) {
        self.transaction = transaction
        self.original = original
        self.cancelledAt = cancelledAt
        self.reason = reason
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        original = fields.optional(.original)
        cancelledAt = fields.required(.cancelledAt)
        reason = fields.optional(.reason)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.original, original)
        try fields.write(.cancelledAt, cancelledAt)
        try fields.write(.reason, reason)
    }
}
