// The family `account`: the owners of subscriptions.

/// A subscription now belongs to the event's `account` (`account.linked`).
public struct AccountLinked<S: Spelling>: Hashable, Sendable {
    /// The original transaction, which keys the subscription.
    public var original: TransactionID<S>
    /// The account that the subscription belonged to before.
    @Packed public var from: AccountID<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(original: TransactionID<S>, from: AccountID<S>? = nil) {
        self.original = original
        self.from = from
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        from = fields.optional(.from)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.original, original)
        try fields.write(.from, from)
    }
}
