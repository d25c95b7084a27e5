// The family `account`: who a subscription line belongs to.

/// A subscription line now belongs to the `account` of the event (`account.linked`).
public struct AccountLinked<S: Spelling>: Hashable, Sendable {
    /// The original transaction, which keys the line.
    public var original: TransactionID<S>
    /// The account that the line belonged to.
    @Packed public var from: AccountID<S>?

    /// The fact with what it says; what is absent is not said.
    public init(original: TransactionID<S>, from: AccountID<S>? = nil) {
        self.original = original
        self.from = from
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        original = fields.required(.original)
        from = fields.optional(.from)
    }
}

extension AccountLinked where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.original, original)
        try line.write(.from, from)
    }
}
