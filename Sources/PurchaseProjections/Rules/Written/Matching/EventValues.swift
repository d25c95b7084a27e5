import PurchaseEvents

/// The values of an event's keys as a rule file sees them: from the line, with the defaults of the
/// format, and from the facts.
enum EventValues {
    /// The value of a key, in the form of ``Fact/value(of:)``; `nil` if neither the line nor the
    /// facts have it.
    static func value(_ key: Key, _ event: LogEvent, _ facts: Facts) -> Int64? {
        switch key {
        case .transaction: handle(transaction(event, facts))
        case .payment: handle(event.payment ?? event.transaction.flatMap { facts[$0].payment })
        case .original: handle(original(event, facts))
        case .product: handle(product(event, facts))
        case .group: event.fact.value(of: .group) ?? handle(group(event, facts))
        case .kind:
            event.fact.value(of: .kind) ?? kind(event, facts).map { Int64(ProductKind.pack($0)) }
        case .outcome:
            event.fact.value(of: .outcome)
                ?? event.transaction.flatMap { facts[$0].validation }
                .map { Int64(ValidationOutcome.pack($0)) }
        case .quantity:
            event.fact.value(of: .quantity) ?? (oneByDefault.contains(event.type) ? 1 : nil)
        case .account: handle(account(event, facts))
        case .device: handle(event.device)
        case .environment: Int64(Environment.pack(facts.environment(of: event)))
        case .notification: event.fact.value(of: .notification) ?? handle(event.source)
        case .source: handle(event.source)
        case .seq: event.seq
        case .at: event.at.milliseconds
        case .signedAt: event.signedAt?.milliseconds
        case .type, .id, .chain: nil
        case .schema, .app, .writer, .chained, .text, .sha256, .file, .level, .period, .price,
            .currency, .hosted, .family, .payer, .purchasedAt, .originalPurchasedAt,
            .expiresAt, .ownership, .offer, .plan, .commitmentNumber, .commitmentOf,
            .commitmentUntil, .commitmentPrice, .error, .code, .status, .store, .download,
            .state, .bytes, .total, .place, .until, .reason, .receipt, .cancelledAt, .upgraded,
            .by, .resubscribed, .recovered, .retrying, .graceExpiresAt, .next, .effect,
            .commitment, .consent,
            .percent, .name, .subtype, .version, .secret, .signature, .content, .publishedAt,
            .from:
            event.fact.value(of: key)
        }
    }

    /// The types whose quantity is 1 if the line leaves it out.
    private static let oneByDefault = EventTypes(
        .paymentRequested, .queuePurchased, .queueRestored, .receiptListed, .deliveryConsumed)

    @inline(__always)
    private static func handle<Role>(_ name: Identifier<Role, Interned>?) -> Int64? {
        name.map { Int64($0.name.rawValue) }
    }

    /// The transaction that an event names, or that the event's payment bought.
    @inline(__always)
    static func transaction(_ event: LogEvent, _ facts: Facts) -> TransactionHandle? {
        if let transaction = event.transaction { return transaction }
        guard let payment = event.payment else { return nil }
        return event.type == .queueFinished
            ? facts.finishedTransaction(of: event) : facts[payment].purchase
    }

    /// The original that an event names, otherwise the original of its transaction, which may be
    /// the transaction itself.
    static func original(_ event: LogEvent, _ facts: Facts) -> TransactionHandle? {
        event.fact.original ?? event.transaction.map { facts.original(of: $0) }
    }

    private static func product(_ event: LogEvent, _ facts: Facts) -> ProductHandle? {
        if let product = event.product { return product }
        if let transaction = event.transaction { return facts[transaction].product }
        return event.payment.flatMap { facts[$0].product }
    }

    private static func group(_ event: LogEvent, _ facts: Facts) -> GroupHandle? {
        let stated = event.transaction.flatMap { facts[$0].group }
        return stated ?? product(event, facts).flatMap { facts[$0].group }
    }

    private static func kind(_ event: LogEvent, _ facts: Facts) -> ProductKind? {
        if let transaction = event.transaction { return facts.kind(of: transaction) }
        return product(event, facts).flatMap { facts[$0].kind }
    }

    /// The account of an event; `nil` if unknown.
    ///
    /// For a statement of the App Store, the owner according to the facts comes first; for an
    /// action of the app, the account that the line names.
    static func account(_ event: LogEvent, _ facts: Facts) -> AccountHandle? {
        if let account = event.account, !ownerTypes.contains(event.type) { return account }
        if let transaction = event.transaction, let owner = facts.owner(of: transaction) {
            return owner
        }
        if let payment = event.payment, let account = facts[payment].account { return account }
        if let original = event.fact.original, let owner = facts.owner(of: original) {
            return owner
        }
        return event.account
    }

    /// The types of the App Store's statements, and `delivery.persisted`.
    private static let ownerTypes = EventTypes(
        .deliveryPersisted,
        .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
        .queueRemoved, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
        .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .cancellationReversed, .cancellationRequested, .cancellationDeclined)
}
