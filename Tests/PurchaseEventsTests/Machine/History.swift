import PurchaseEvents

/// A history for a test: statements of the store and acts of the app, one hour apart.
struct History {
    /// The state after the events.
    private(set) var state = PurchaseState<Written>()
    /// The events, in order.
    private(set) var events: [Event<Written>] = []
    /// The session of the next event.
    var session = Session()

    /// The time of the next event.
    var now: Timestamp { History.hour(events.count) }

    /// A number of hours after 2026-01-01.
    static func hour(_ hours: Int) -> Timestamp {
        Timestamp(milliseconds: 1_767_225_600_000 + Int64(hours) * Timestamp.hour)
    }

    /// The event that would be recorded now.
    func event(
        _ fact: Fact<Written>, as account: AccountID<Written>? = nil,
        signedAt: Timestamp? = nil, source: NotificationID<Written>? = nil
    ) -> Event<Written> {
        Event(
            seq: Int64(events.count + 1), at: now, source: source,
            account: account ?? session.account, device: session.device,
            environment: session.environment, signedAt: signedAt, fact)
    }

    /// Applies facts as they come, whether or not they should have happened.
    mutating func happens(_ facts: Fact<Written>...) {
        for fact in facts { take(event(fact)) }
    }

    /// Applies a fact of an account.
    mutating func happens(
        _ fact: Fact<Written>, as account: AccountID<Written>?, signedAt: Timestamp? = nil
    ) {
        take(event(fact, as: account, signedAt: signedAt))
    }

    mutating func take(_ event: Event<Written>) {
        state.evolve(event)
        events.append(event)
    }

    /// Performs commands, which must all be allowed.
    mutating func perform(_ commands: Command...) throws(Refusal) {
        for command in commands {
            for fact in try decide(command, state, by: session, now: now) { take(event(fact)) }
        }
    }

    /// The reasons to refuse a command now.
    func refusals(of command: Command) -> [Refusal] {
        state.refusals(of: command, by: session, now: now)
    }
}

/// Short forms of the facts in tests.
enum Say {
    static func listed(
        _ product: ProductID<Written>, _ kind: ProductKind, group: GroupID<Written>? = nil,
        hosted: Bool? = nil
    ) -> Fact<Written> {
        .catalogListed(.init(product: product, kind: kind, group: group, hosted: hosted))
    }

    static func requested(
        _ payment: PaymentID<Written>, _ product: ProductID<Written> = "coins"
    ) -> Fact<Written> {
        .paymentRequested(.init(payment: payment, product: product))
    }

    static func failed(_ payment: PaymentID<Written>) -> Fact<Written> {
        .queueFailed(.init(payment: payment, error: "network"))
    }

    static func purchased(
        _ id: TransactionID<Written>, _ product: ProductID<Written> = "coins",
        quantity: Int64? = nil, payment: PaymentID<Written>? = nil,
        original: TransactionID<Written>? = nil, at start: Int = 0, until end: Int? = nil
    ) -> Fact<Written> {
        .queuePurchased(
            .init(
                transaction: id, payment: payment, original: original, product: product,
                quantity: quantity, purchasedAt: History.hour(start),
                expiresAt: end.map(History.hour)))
    }

    static func restored(
        _ id: TransactionID<Written>, of original: TransactionID<Written>,
        _ product: ProductID<Written> = "level", at start: Int = 0, until end: Int? = nil
    ) -> Fact<Written> {
        .queueRestored(
            .init(
                transaction: id, original: original, product: product,
                purchasedAt: History.hour(start), expiresAt: end.map(History.hour)))
    }

    static func row(
        _ id: TransactionID<Written>, _ product: ProductID<Written>,
        original: TransactionID<Written>? = nil, at start: Int = 0, until end: Int? = nil,
        cancelledAt: Int? = nil, upgraded: Bool? = nil
    ) -> Fact<Written> {
        .receiptListed(
            .init(
                transaction: id, original: original, product: product,
                purchasedAt: History.hour(start), expiresAt: end.map(History.hour),
                cancelledAt: cancelledAt.map(History.hour), upgraded: upgraded))
    }

    static func refunded(
        _ id: TransactionID<Written>, at instant: Int = 0, percent: Int64? = nil
    ) -> Fact<Written> {
        .cancellationRefunded(
            .init(transaction: id, cancelledAt: History.hour(instant), percent: percent))
    }

    static func delivered(
        _ id: TransactionID<Written>, quantity: Int64? = nil
    ) -> Fact<Written> {
        .deliveryDelivered(.init(transaction: id, quantity: quantity))
    }

    static func withdrawn(_ id: TransactionID<Written>) -> Fact<Written> {
        .deliveryWithdrawn(.init(transaction: id, reason: .refunded))
    }

    static func finished(_ id: TransactionID<Written>) -> Fact<Written> {
        .queueFinished(entry: .transaction(id))
    }

    static func download(
        _ id: TransactionID<Written>, _ state: DownloadState,
        _ download: DownloadID<Written> = "d1"
    ) -> DeliveryDownload<Written> {
        .init(transaction: id, download: download, state: state)
    }

    static func issue(
        _ content: ContentID<Written>, at instant: Int, product: ProductID<Written>? = nil
    ) -> Fact<Written> {
        .contentPublished(
            .init(content: content, product: product, publishedAt: History.hour(instant)))
    }
}
