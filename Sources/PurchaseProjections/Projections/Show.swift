import PurchaseEvents

/// Folds a log into the rows of projections.
///
/// To see what was known after a line, fold up to that line. To see what was true at an instant,
/// pass the instant to the initializer: App Store statements are true from their own dates, other
/// events from their `at`, and events not yet true are left out, except that the account that a
/// statement names owns its subscription at every instant. Without an instant, everything is
/// folded and rows are as of the greatest `at`. A copy can be continued separately.
public struct Show {
    /// The facts that the log states.
    public private(set) var facts: Facts
    private let instant: Timestamp?
    private var projections: [any Projection]
    /// For each event type, the indices of the projections that read it.
    private let readers: [[Int]]

    /// Creates projections at the beginning of a log with the given name table.
    ///
    /// - Parameters:
    ///   - projections: The projections to fold.
    ///   - names: The table of the names in the lines.
    ///   - instant: The instant at which rows are true; `nil` means the greatest `at`.
    public init(_ projections: [any Projection], names: NameTable, asOf instant: Timestamp? = nil) {
        facts = Facts(names: names)
        self.instant = instant
        self.projections = projections
        readers = EventType.allCases.map { type in
            projections.indices.filter { Swift.type(of: projections[$0]).reads.contains(type) }
        }
    }

    /// Creates projections of the given types at the beginning of a log.
    public init(
        _ projections: [any Projection.Type] = ProjectionCatalogue.all, names: NameTable,
        asOf instant: Timestamp? = nil
    ) {
        self.init(projections.map { $0.init() }, names: names, asOf: instant)
    }

    /// Reads lines of the log, including those that were not understood.
    public mutating func observe(_ lines: ReadLines) { for line in lines { observe(line) } }

    /// Reads a line of the log, including one that was not understood.
    public mutating func observe(_ line: ReadLine) {
        if let event = line.eventPlace {
            observe(event.pointee, on: Line(line))
        } else if line.diagnostic != nil {
            facts.observeNotUnderstood(LineNumber(line.number))
        }
    }

    // Not inlined, so that the projections read the caller's copy of the event.
    /// Reads an event of the log.
    @inline(never)
    public mutating func observe(_ event: LogEvent, on line: Line) {
        if let instant {
            let cancelled = event.cancellation(after: instant)
            if let cancelled { facts.observe(cancelled, on: line) }
            guard event.isTrue(by: instant) else { return facts.observeOwner(event, on: line) }
            facts.observe(cancelled == nil ? event : event.withoutCancellation, on: line)
            guard event.at <= instant else { return }
        } else {
            facts.observe(event, on: line)
        }
        for index in readers[Int(event.type.rawValue)] {
            projections[index].observe(event, on: line, facts)
        }
    }

    /// Visits the facts and the state of the projections; projections of the same types at the
    /// beginning of a log can be read into.
    package mutating func visitFields(_ visitor: FieldVisitor) {
        facts.visitFields(visitor)
        for index in projections.indices {
            guard var projection = projections[index] as? any CatalogueProjection else { continue }
            projection.visitFields(visitor)
            projections[index] = projection
        }
    }

    /// The instant of the rows: the given one, otherwise the greatest `at` so far.
    public var asOf: Timestamp { instant ?? facts.greatestAt ?? .earliest }

    /// The rows of a projection, or only those of one account; empty if the projection is not
    /// folded.
    ///
    /// With an instant later than ``asOf``, nothing more is known, but periods end. Cost: linear in
    /// the number of transactions.
    public func rows<Shown: Projection>(
        of projection: Shown.Type, asOf later: Timestamp? = nil, account: String? = nil
    ) -> [Shown.Row] {
        for case let found as Shown in projections {
            return found.rows(facts, asOf: later ?? asOf).filter { $0.isOf(account) }
        }
        return []
    }

    /// Appends the rows that ``rows(of:asOf:account:)`` returns as lines, without storing them.
    package func appendRows(
        of projection: any Projection.Type, asOf later: Timestamp? = nil, account: String? = nil,
        to lines: inout RowLines
    ) {
        guard let found = projections.first(where: { type(of: $0) == projection }) else { return }
        if let found = found as? any CatalogueProjection {
            found.appendRows(facts, asOf: later ?? asOf, of: account, to: &lines)
        } else {
            found.appendRows(facts, asOf: later ?? asOf, of: account, to: &lines)
        }
    }
}

extension Event where S == Interned {
    /// For a statement with a cancellation date after the instant, the event that says the purchase
    /// isn't cancelled yet; `nil` for any other event.
    ///
    /// If a purchase has several cancellation dates, the one with the greatest version holds at
    /// every instant. A later date therefore replaces an earlier one, as a reversal does.
    fileprivate func cancellation(after instant: Timestamp) -> Event? {
        let date: Timestamp?
        switch fact {
        case .receiptListed(let payload): date = payload.cancelledAt
        case .cancellationRefunded(let payload): date = payload.cancelledAt
        case .cancellationRevoked(let payload): date = payload.cancelledAt
        case _: return nil
        }
        guard let date, date > instant, let transaction else { return nil }
        var event = self
        (event.id, event.source, event.account, event.device) = (nil, nil, nil, nil)
        event.signedAt = signedAt ?? date
        event.fact = .cancellationReversed(transaction: transaction)
        return event
    }

    /// A receipt row without its cancellation date, but with the version that the date gives it.
    fileprivate var withoutCancellation: Event {
        guard case .receiptListed(var payload) = fact else { return self }
        var event = self
        event.signedAt = signedAt ?? payload.cancelledAt
        payload.cancelledAt = nil
        event.fact = .receiptListed(payload)
        return event
    }

    /// Whether what the event states was true by an instant, whenever it was recorded.
    fileprivate func isTrue(by instant: Timestamp) -> Bool {
        switch fact {
        // A recorded fact is true by its `at`, even if the store's clock is ahead.
        case .queuePurchased(let payload): min(payload.purchasedAt, at) <= instant
        case .queueRestored(let payload):
            min(payload.originalPurchasedAt ?? payload.purchasedAt, at) <= instant
        case .receiptListed(let payload): min(payload.purchasedAt, at) <= instant
        case .renewalStarted(let payload): min(payload.purchasedAt, at) <= instant
        case .renewalRenewed(let payload): min(payload.purchasedAt, at) <= instant
        case .cancellationRefunded(let payload): payload.cancelledAt <= instant
        case .cancellationRevoked(let payload): payload.cancelledAt <= instant
        case .contentPublished(let payload): payload.publishedAt <= instant
        case .cancellationReversed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
            .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
            .renewalExtended:
            min(signedAt ?? at, at) <= instant
        case .logOpened, .logNoted, .logRecovered, .catalogRequested, .catalogListed,
            .catalogInvalid,
            .notificationReceived:
            // Product facts hold at all times.
            true
        case .appLaunched, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
            .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn,
            .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed,
            .cancellationRequested, .cancellationDeclined, .contentOpened, .accountLinked:
            at <= instant
        }
    }
}
