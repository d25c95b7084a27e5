// The family `delivery`: what the app does with a purchase (G4.7 to G4.19).

/// A server validated a transaction (`delivery.validated`, G4.19).
public struct DeliveryValidated<S: Spelling>: Hashable, Sendable {
    /// The result of the validation.
    public var outcome: ValidationOutcome
    /// The status code in the server's answer.
    @Packed public var status: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(transaction: TransactionID<S>, outcome: ValidationOutcome, status: Int64? = nil) {
        self.transaction = transaction
        self.outcome = outcome
        self.status = status
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        outcome = fields.required(.outcome)
        status = fields.optional(.status)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.outcome, outcome)
        try fields.write(.status, status)
    }
}

/// A purchase was persisted (`delivery.persisted`, G4.7, G4.11).
public struct DeliveryPersisted<S: Spelling>: Hashable, Sendable {
    /// The store that holds the purchase (G4.11).
    public var store: PersistentStore
    /// The transaction.
    public var transaction: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(transaction: TransactionID<S>, store: PersistentStore) {
        self.transaction = transaction
        self.store = store
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        store = fields.required(.store)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.store, store)
    }
}

/// A download of hosted content changed or made progress (`delivery.download`, G4.16).
public struct DeliveryDownload<S: Spelling>: Hashable, Sendable {
    /// The download's new state (G4.16).
    public var state: DownloadState
    /// The bytes downloaded so far, for display only.
    @Packed public var bytes: Int64?
    /// The size of the download in bytes, for display only.
    @Packed public var total: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The download, one of the transaction's.
    public var download: DownloadID<S>
    /// The reason for the failure, usually one word.
    @Packed public var error: ErrorWord<S>?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(
        transaction: TransactionID<S>, download: DownloadID<S>, state: DownloadState,
        bytes: Int64? = nil, total: Int64? = nil, error: ErrorWord<S>? = nil
    ) {
        self.transaction = transaction
        self.download = download
        self.state = state
        self.bytes = bytes
        self.total = total
        self.error = error
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        download = fields.required(.download)
        state = fields.required(.state)
        bytes = fields.optional(.bytes)
        total = fields.optional(.total)
        error = fields.optional(.error)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.download, download)
        try fields.write(.state, state)
        try fields.write(.bytes, bytes)
        try fields.write(.total, total)
        try fields.write(.error, error)
    }
}

/// Downloaded files were moved to their place (`delivery.installed`, G4.18).
public struct DeliveryInstalled<S: Spelling>: Hashable, Sendable {
    /// The place of the files now.
    public var place: InstallPlace
    /// The transaction.
    public var transaction: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(transaction: TransactionID<S>, place: InstallPlace) {
        self.transaction = transaction
        self.place = place
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        place = fields.required(.place)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.place, place)
    }
}

/// The user can now use the purchase (`delivery.delivered`, G4.7).
public struct DeliveryDelivered<S: Spelling>: Hashable, Sendable {
    /// The delivered quantity; `nil` means all units not delivered yet (G3.1).
    @Packed public var quantity: Int64?
    /// The end that the app itself sets for a non-renewing subscription (G1.4).
    @Packed public var until: Timestamp?
    /// The transaction.
    public var transaction: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(transaction: TransactionID<S>, quantity: Int64? = nil, until: Timestamp? = nil) {
        self.transaction = transaction
        self.quantity = quantity
        self.until = until
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        quantity = fields.optional(.quantity)
        until = fields.optional(.until)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.quantity, quantity)
        try fields.write(.until, until)
    }
}

/// The user can no longer use the purchase (`delivery.withdrawn`, G6.9).
public struct DeliveryWithdrawn<S: Spelling>: Hashable, Sendable {
    /// The reason why the user can no longer use the product.
    public var reason: WithdrawalReason
    /// The withdrawn quantity; `nil` means all units left.
    @Packed public var quantity: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(transaction: TransactionID<S>, reason: WithdrawalReason, quantity: Int64? = nil) {
        self.transaction = transaction
        self.reason = reason
        self.quantity = quantity
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        reason = fields.required(.reason)
        quantity = fields.optional(.quantity)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.transaction, transaction)
        try fields.write(.reason, reason)
        try fields.write(.quantity, quantity)
    }
}

/// The user consumed part of a consumable (`delivery.consumed`, G4.11).
public struct DeliveryConsumed<S: Spelling>: Hashable, Sendable {
    /// The consumed quantity; `nil` means 1 (G3.1).
    @Packed public var quantity: Int64?
    /// The product.
    public var product: ProductID<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(product: ProductID<S>, quantity: Int64? = nil) {
        self.product = product
        self.quantity = quantity
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        product = fields.required(.product)
        quantity = fields.optional(.quantity)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.product, product)
        try fields.write(.quantity, quantity)
    }
}
