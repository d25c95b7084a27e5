// The family `delivery`: what the app does for what was bought (G4.7 to G4.19).

/// A server validated a transaction (`delivery.validated`, G4.19).
public struct DeliveryValidated<S: Spelling>: Hashable, Sendable {
    /// What the validation found.
    public var outcome: ValidationOutcome
    /// The status that the server answered.
    @Packed public var status: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>

    /// The fact with what it says; what is absent is not said.
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
}

extension DeliveryValidated where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.outcome, outcome)
        try line.write(.status, status)
    }
}

/// A purchase was persisted (`delivery.persisted`, G4.7, G4.11).
public struct DeliveryPersisted<S: Spelling>: Hashable, Sendable {
    /// Where it was persisted (G4.11).
    public var store: PersistentStore
    /// The transaction.
    public var transaction: TransactionID<S>

    /// The fact with what it says; what is absent is not said.
    public init(transaction: TransactionID<S>, store: PersistentStore) {
        self.transaction = transaction
        self.store = store
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        store = fields.required(.store)
    }
}

extension DeliveryPersisted where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.store, store)
    }
}

/// A download of hosted content changed or made progress (`delivery.download`, G4.16).
public struct DeliveryDownload<S: Spelling>: Hashable, Sendable {
    /// The state that the download is now in (G4.16).
    public var state: DownloadState
    /// The bytes downloaded so far, for display only.
    @Packed public var bytes: Int64?
    /// The bytes to download, for display only.
    @Packed public var total: Int64?
    /// The transaction.
    public var transaction: TransactionID<S>
    /// The download, one of the transaction.
    public var download: DownloadID<S>
    /// What went wrong: mostly in a word.
    @Packed public var error: ErrorWord<S>?

    /// The fact with what it says; what is absent is not said.
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
}

extension DeliveryDownload where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.download, download)
        try line.write(.state, state)
        try line.write(.bytes, bytes)
        try line.write(.total, total)
        try line.write(.error, error)
    }
}

/// Downloaded files were put in their place (`delivery.installed`, G4.18).
public struct DeliveryInstalled<S: Spelling>: Hashable, Sendable {
    /// Where the files are now.
    public var place: InstallPlace
    /// The transaction.
    public var transaction: TransactionID<S>

    /// The fact with what it says; what is absent is not said.
    public init(transaction: TransactionID<S>, place: InstallPlace) {
        self.transaction = transaction
        self.place = place
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        place = fields.required(.place)
    }
}

extension DeliveryInstalled where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.place, place)
    }
}

/// The user can now use what was bought (`delivery.delivered`, G4.7).
public struct DeliveryDelivered<S: Spelling>: Hashable, Sendable {
    /// How many; absent: all that is still to be delivered (G3.1).
    @Packed public var quantity: Int64?
    /// The end that the app itself gives a non-renewing subscription (G1.4).
    @Packed public var until: Timestamp?
    /// The transaction.
    public var transaction: TransactionID<S>

    /// The fact with what it says; what is absent is not said.
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
}

extension DeliveryDelivered where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.quantity, quantity)
        try line.write(.until, until)
    }
}

/// The user can no longer use it (`delivery.withdrawn`, G6.9).
public struct DeliveryWithdrawn<S: Spelling>: Hashable, Sendable {
    /// Why the user can no longer use the product.
    public var reason: WithdrawalReason
    /// The transaction.
    public var transaction: TransactionID<S>

    /// The fact with what it says; what is absent is not said.
    public init(transaction: TransactionID<S>, reason: WithdrawalReason) {
        self.transaction = transaction
        self.reason = reason
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        transaction = fields.required(.transaction)
        reason = fields.required(.reason)
    }
}

extension DeliveryWithdrawn where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.transaction, transaction)
        try line.write(.reason, reason)
    }
}

/// Something of a consumable was used up (`delivery.consumed`, G4.11).
public struct DeliveryConsumed<S: Spelling>: Hashable, Sendable {
    /// How many; 1 where it is absent (G3.1).
    @Packed public var quantity: Int64?
    /// The product.
    public var product: ProductID<S>

    /// The fact with what it says; what is absent is not said.
    public init(product: ProductID<S>, quantity: Int64? = nil) {
        self.product = product
        self.quantity = quantity
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        product = fields.required(.product)
        quantity = fields.optional(.quantity)
    }
}

extension DeliveryConsumed where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.product, product)
        try line.write(.quantity, quantity)
    }
}
