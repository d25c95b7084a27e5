/// An entry of the payment queue, named by its transaction or by its payment.
public enum QueueEntry<S: Spelling>: Hashable, Sendable {
    /// A purchased or restored transaction.
    case transaction(TransactionID<S>)
    /// A payment: one of its failures or, if none is left to finish, its purchase.
    case payment(PaymentID<S>)

    /// Whether two entries are the same transaction or the same payment.
    @inlinable
    public static func == (left: QueueEntry, right: QueueEntry) -> Bool {
        switch (left, right) {
        case (.transaction(let left), .transaction(let right)): left == right
        case (.payment(let left), .payment(let right)): left == right
        case (.transaction, .payment), (.payment, .transaction): false
        }
    }

    /// Feeds the entry to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .transaction(let transaction):
            hasher.combine(true)
            hasher.combine(transaction)
        case .payment(let payment):
            hasher.combine(false)
            hasher.combine(payment)
        }
    }

    /// The transaction, or `nil` if the entry is a payment.
    @inlinable
    public var transaction: TransactionID<S>? {
        if case .transaction(let transaction) = self { transaction } else { nil }
    }

    /// The payment, or `nil` if the entry is a transaction.
    @inlinable
    public var payment: PaymentID<S>? {
        if case .payment(let payment) = self { payment } else { nil }
    }

    /// Reads either `transaction` or `payment`; the line must have exactly one.
    init<R: FieldReader>(from fields: inout R) where R.S == S {
        let transaction: TransactionID<S>? = fields.optional(.transaction)
        let payment: PaymentID<S>? = fields.optional(.payment)
        switch (transaction, payment) {
        case (let transaction?, nil): self = .transaction(transaction)
        case (nil, let payment?): self = .payment(payment)
        case (nil, nil):
            fields.fail(.missingKey, .transaction, .eitherOr)
            self = .transaction(TransactionID(R.noName))
        case (let transaction?, _?):
            fields.fail(.wrongKind, .payment, .eitherOr)
            self = .transaction(transaction)
        }
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        switch self {
        case .transaction(let transaction): try fields.write(.transaction, transaction)
        case .payment(let payment): try fields.write(.payment, payment)
        }
    }
}

extension QueueEntry: BitwiseCopyable where S.Name: BitwiseCopyable {}
