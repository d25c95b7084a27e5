/// Decides whether the app may perform a command, and returns the facts to append to the log and to
/// evolve the state by.
///
/// Pure: equal arguments give equal results. Most commands cost a few look-ups, or a scan of one
/// subscription. Withdrawing also scans the purchases of the product. Opening content scans
/// all subscriptions and, if the content has no publication date, all transactions.
///
/// - Throws: the first ``Refusal`` that applies, if the command would break a rule.
public func decide(
    _ command: Command, _ state: PurchaseState<Written>, by session: Session = Session(),
    now: Timestamp
) throws(Refusal) -> [Fact<Written>] {
    if let refusal = state.refusals(of: command, by: session, now: now).first { throw refusal }
    return command.facts
}

/// Checks whether an event stated by the App Store, a server or a person may be recorded.
///
/// Statements of the store are never judged by content. An event is refused only if only a command
/// may write it, or if it comes from an untrusted source or from a queue that isn't observed.
///
/// - Throws: ``Refusal/isACommand``, ``Refusal/untrustedSource`` or ``Refusal/notObserved``.
public func admit<S: Spelling>(_ event: Event<S>, _ state: PurchaseState<S>) throws(Refusal) {
    if Command.acts.contains(event.type) { throw .isACommand }
    if let source = event.source, state.untrusted.contains(source) { throw .untrustedSource }
    if EventType.needsObserver.contains(event.type),
        state.device(event.device).observer == .unregistered
    {
        throw .notObserved
    }
}

extension EventType {
    /// The types that only a registered observer of the queue can record.
    fileprivate static let needsObserver = EventTypes(
        .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
        .queueRemoved, .queueUnobserved)
}

extension PurchaseState<Written> {
    /// Every reason to refuse a command, in order of precedence; empty if it may be performed.
    public func refusals(
        of command: Command, by session: Session = Session(), now: Timestamp
    ) -> [Refusal] {
        refusals(of: command, by: session, now: now, .asWritten)
    }
}

extension PurchaseState {
    package func refusals(
        of command: Command, by session: Session, now: Timestamp, _ convert: NameConversion<S>
    ) -> [Refusal] {
        let context = CommandContext(
            account: session.account.map { convert($0) },
            device: session.device.map { convert($0) },
            environment: session.environment ?? environment, now: now)
        let found: Set<Refusal> =
            switch command {
            case .launch, .restore, .select: []
            case .request(let payment):
                refusals(ofRequesting: convert(payment.product), payment.quantity ?? 1, context)
            case .persist(let id, _), .install(let id, _): refusals(ofHandling: convert(id))
            case .download(let fact):
                refusals(
                    ofDownloading: convert(fact.download), to: fact.state,
                    of: convert(fact.transaction))
            case .deliver(let id, let quantity, let until):
                refusals(ofDelivering: convert(id), quantity: quantity, until: until, context)
            case .finish(.transaction(let id)): refusals(ofFinishing: convert(id), context)
            case .finish(.payment(let id)): refusals(ofFinishing: convert(id), context)
            case .withdraw(let id, _): refusals(ofWithdrawing: convert(id), context)
            case .open(let content): refusals(ofOpening: convert(content), context)
            case .consume(let product, let quantity):
                refusals(ofConsuming: convert(product), quantity: quantity ?? 1, context)
            }
        return found.isEmpty ? [] : Refusal.allCases.filter(found.contains)
    }

    private func refusals(
        ofRequesting product: ProductID<S>, _ quantity: Int64, _ context: CommandContext<S>
    ) -> Set<Refusal> {
        var found: Set<Refusal> = []
        if device(context.device).isRestricted { found.insert(.restricted) }
        if !isValid(quantity, products[product]?.kind) { found.insert(.quantityNotSane) }
        return found
    }

    private func refusals(
        ofConsuming product: ProductID<S>, quantity: Int64, _ context: CommandContext<S>
    ) -> Set<Refusal> {
        var found: Set<Refusal> = []
        // At most ten are bought at once, but units of many purchases may be consumed at once.
        if quantity < 1 { found.insert(.quantityNotSane) }
        if products[product]?.balance(of: context.account) ?? 0 < quantity {
            found.insert(.nothingLeft)
        }
        return found
    }

    /// An unknown kind allows any quantity that some kind allows.
    func isValid(_ quantity: Int64, _ kind: ProductKind?) -> Bool {
        switch kind {
        case .consumable, nil: (1...10).contains(quantity)
        case .nonConsumable: quantity == 1
        // A subscription may have any number of seats.
        case .autoRenewable, .nonRenewing: quantity >= 1
        }
    }
}

/// The circumstances of a command: the session, completed from the log.
struct CommandContext<S: Spelling> {
    var account: AccountID<S>?
    var device: DeviceID<S>?
    var environment: Environment
    var now: Timestamp
}
