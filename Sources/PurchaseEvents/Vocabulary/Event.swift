/// One line of a log: its position, when and where it was recorded, and its fact.
///
/// Writers use `Event<Written>`. The read path folds `LogEvent`, a trivial value whose names
/// are handles of a ``NameTable``.
public struct Event<S: Spelling>: Hashable, Sendable {
    /// The position in the log: 1, 2, 3, … without gaps.
    public var seq: Int64
    /// The recording time by the recorder's clock, which may go backwards.
    public var at: Timestamp
    /// The idempotency key: the log accepts each `id` once.
    @Packed public var id: S.Key?
    /// The App Store notification that states this fact (G7).
    @Packed public var source: NotificationID<S>?
    /// The app's own user, an opaque name (G3.4); `nil` means unstated, never another account.
    @Packed public var account: AccountID<S>?
    /// The installation that recorded the event; `nil` is one unnamed device.
    @Packed public var device: DeviceID<S>?
    /// The environment in which the fact is true (G9.3); `nil` means the environment of
    /// ``Fact/logOpened(_:)``, or else production.
    @Packed public var environment: Environment?
    /// The time when the App Store signed or sent the statement.
    @Packed public var signedAt: Timestamp?
    /// The fact that the event states.
    ///
    /// Reading a fact whose names are strings copies the fact; ``type`` and the subjects below cost
    /// nothing, so a fold checks them first.
    public var fact: Fact<S> {
        get { copy(of: storedFact) }
        set {
            storedFact = newValue
            type = newValue.type
            (transaction, payment, product) = newValue.subjects
        }
    }
    private var storedFact: Fact<S>
    /// The type of the event.
    public private(set) var type: EventType
    /// The transaction that the fact names, readable without copying the fact.
    @Packed public private(set) var transaction: TransactionID<S>?
    /// The payment that the fact names, readable without copying the fact.
    @Packed public private(set) var payment: PaymentID<S>?
    /// The product that the fact names, readable without copying the fact.
    @Packed public private(set) var product: ProductID<S>?

    /// Creates a placeholder.
    init() {
        seq = 1
        at = Timestamp(milliseconds: 0)
        storedFact = .appLaunched
        type = .appLaunched
    }
}

extension Event where S == Written {
    /// Creates an event at a position of its log; a `nil` argument leaves its key out.
    public init(
        seq: Int64, at: Timestamp, id: String? = nil, source: NotificationID<Written>? = nil,
        account: AccountID<Written>? = nil, device: DeviceID<Written>? = nil,
        environment: Environment? = nil, signedAt: Timestamp? = nil, _ fact: Fact<Written>
    ) {
        (self.seq, self.at, self.id, self.source) = (seq, at, id, source)
        (self.account, self.device) = (account, device)
        (self.environment, self.signedAt) = (environment, signedAt)
        (storedFact, type) = (fact, fact.type)
        (transaction, payment, product) = fact.subjects
    }
}

extension Event {
    /// Reads the fact of a type from the fields of a line, but not yet its subjects.
    @inline(__always)
    mutating func readFact(_ type: EventType, from fields: inout some FieldReader<S>) {
        set(&storedFact) { .read(type, from: &fields) }
    }

    /// Replaces all values but the fact; assigning key by key avoids a copy of this large value.
    @inline(__always)
    mutating func become(
        seq: Int64, at: Timestamp, id: S.Key?, source: NotificationID<S>?,
        account: AccountID<S>?, device: DeviceID<S>?, environment: Environment?,
        signedAt: Timestamp?, type: EventType, transaction: TransactionID<S>?,
        payment: PaymentID<S>?, product: ProductID<S>?
    ) {
        self.seq = seq
        self.at = at
        self.id = id
        self.source = source
        self.account = account
        self.device = device
        self.environment = environment
        self.signedAt = signedAt
        self.type = type
        self.transaction = transaction
        self.payment = payment
        self.product = product
    }
}

extension Event {
    /// Writes the keys after the type in the canonical order, without copying the fact.
    @inline(__always)
    package func writeMembers(
        to fields: inout (some FieldWriter<S> & ~Copyable)
    ) throws(WritingProblem) {
        try fields.write(id: id)
        try fields.write(.source, source)
        try fields.write(.account, account)
        try fields.write(.device, device)
        try fields.write(.environment, environment)
        try fields.write(.signedAt, signedAt)
        try storedFact.write(to: &fields)
    }
}

/// An event without a position: a recorder hands drafts to ``EventLog``, which numbers them.
public struct Draft: Hashable, Sendable {
    /// The event with the position 1, a placeholder.
    private(set) var event: Event<Written>

    /// Creates an event from a fact; a `nil` argument leaves its key out.
    public init(
        at: Timestamp, id: String? = nil, source: NotificationID<Written>? = nil,
        account: AccountID<Written>? = nil, device: DeviceID<Written>? = nil,
        environment: Environment? = nil, signedAt: Timestamp? = nil, _ fact: Fact<Written>
    ) {
        event = Event(
            seq: 1, at: at, id: id, source: source, account: account, device: device,
            environment: environment, signedAt: signedAt, fact)
    }

    /// Creates a draft from an event, without its position.
    public init(_ event: Event<Written>) {
        self.event = event
        self.event.seq = 1
    }

    /// The draft with its accounts in lower case where they have the form of a UUID.
    package var inLowerCase: Draft {
        var draft = self
        draft.event.account = event.account?.inLowerCase
        if case .accountLinked(var linked) = event.fact {
            linked.from = linked.from?.inLowerCase
            draft.event.fact = .accountLinked(linked)
        }
        return draft
    }

    /// Returns the event at a position of its log.
    public func numbered(_ seq: Int64) -> Event<Written> {
        var numbered = event
        numbered.seq = seq
        return numbered
    }

    /// The idempotency key, or `nil`.
    public var id: String? { event.id }

    /// The fact that the event states.
    public var fact: Fact<Written> { event.fact }

    /// The time of recording.
    public var at: Timestamp { event.at }

    var type: EventType { event.type }
}
