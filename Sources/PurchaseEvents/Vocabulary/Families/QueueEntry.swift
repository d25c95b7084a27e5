/// An entry of the payment queue: a transaction, or a payment that never became one.
public enum QueueEntry<S: Spelling>: Hashable, Sendable {
    /// A purchased or restored transaction.
    case transaction(TransactionID<S>)
    /// A payment: one that failed has no transaction.
    case payment(PaymentID<S>)

    /// Whether two entries are the same one.
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

    /// The transaction, where it is one.
    @inlinable
    public var transaction: TransactionID<S>? {
        switch self {
        case .transaction(let transaction): transaction
        case .payment: nil
        }
    }

    /// The payment, where it is one.
    @inlinable
    public var payment: PaymentID<S>? {
        switch self {
        case .transaction: nil
        case .payment(let payment): payment
        }
    }

    /// Reads `transaction` or `payment`: exactly one of the two.
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
}

extension QueueEntry where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        switch self {
        case .transaction(let transaction): try line.write(.transaction, transaction)
        case .payment(let payment): try line.write(.payment, payment)
        }
    }
}
