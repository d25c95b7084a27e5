import PurchaseEvents

/// Folds a log into the rows of projections.
///
/// What was known after a line is asked by folding that far. What was true at an instant is given
/// before folding: what the App Store states is true from its own date, and everything else from
/// when it was recorded, so events that were not yet true are left out of the fold. Without an
/// instant everything is folded, and rows are as of the greatest `at`. Showing is a fold: it may
/// be copied and continued.
public struct Show {
    /// What the log attests.
    public private(set) var facts: Facts
    private let instant: Timestamp?
    private var projections: [any Projection]
    /// The indices of the projections that read a type, by the type.
    private let readers: [[Int]]

    /// The projections at the beginning of a log whose names are in a table.
    ///
    /// - Parameter instant: the instant that rows are to be true at; `nil`: the greatest `at`.
    public init(
        _ projections: [any Projection], names: NameTable, asOf instant: Timestamp? = nil
    ) {
        facts = Facts(names: names)
        self.instant = instant
        self.projections = projections
        readers = EventType.allCases.map { type in
            projections.indices.filter { Swift.type(of: projections[$0]).reads.contains(type) }
        }
    }

    /// The projections of those types at the beginning of a log.
    public init(
        _ projections: [any Projection.Type] = ProjectionCatalogue.all, names: NameTable,
        asOf instant: Timestamp? = nil
    ) {
        self.init(projections.map { $0.init() }, names: names, asOf: instant)
    }

    /// Reads lines of the log, whatever they are.
    public mutating func observe(_ lines: ReadLines) {
        for line in lines { observe(line) }
    }

    /// Reads a line of the log, whatever it is.
    public mutating func observe(_ line: ReadLine) {
        if let event = line.eventPlace {
            observe(event.pointee, on: Line(line))
        } else if line.diagnostic != nil {
            facts.observeNotUnderstood(LineNumber(line.number))
        }
    }

    // Not inlined: its caller's copy of the event is the one that the projections see.
    /// Reads an event of the log.
    @inline(never)
    public mutating func observe(_ event: Event<Interned>, on line: Line) {
        if let instant {
            guard event.isTrue(by: instant) else { return }
            facts.observe(event.beforeCancellation(after: instant) ?? event, on: line)
            guard event.at <= instant else { return }
        } else {
            facts.observe(event, on: line)
        }
        for index in readers[Int(event.type.rawValue)] {
            projections[index].observe(event, on: line, facts)
        }
    }

    /// The instant that rows are as of: the one given, else the greatest `at` so far.
    public var asOf: Timestamp { instant ?? facts.greatestAt ?? .earliest }

    /// The rows of a projection, those of one account where it is given, by all that was folded.
    ///
    /// An instant later than ``asOf`` may be given: nothing more is known, but periods end. None
    /// where the projection isn't one of those folded. Costs the number of transactions.
    public func rows<Shown: Projection>(
        of projection: Shown.Type, asOf later: Timestamp? = nil, account: String? = nil
    ) -> [Shown.Row] {
        for case let found as Shown in projections {
            return found.rows(facts, asOf: later ?? asOf).filter { $0.isOf(account) }
        }
        return []
    }

    /// Appends the rows of a projection as lines, those of one account where it is given: what
    /// ``rows(of:asOf:account:)`` answers, without keeping it.
    public func appendRows(
        of projection: any Projection.Type, account: String? = nil, to lines: inout RowLines
    ) {
        guard let found = projections.first(where: { type(of: $0) == projection }) else { return }
        found.appendRows(facts, asOf: asOf, of: account, to: &lines)
    }
}

extension Event where S == Interned {
    /// A receipt's row without the cancellation that came after an instant, and of the version that
    /// it has with it; `nil` for anything else.
    fileprivate func beforeCancellation(after instant: Timestamp) -> Event? {
        guard type == .receiptListed, case .receiptListed(var said) = fact,
            let cancelledAt = said.cancelledAt, cancelledAt > instant
        else { return nil }
        said.cancelledAt = nil
        var event = self
        event.signedAt = signedAt ?? cancelledAt
        event.fact = .receiptListed(said)
        return event
    }

    /// Whether what it says was true by an instant, whenever it was recorded.
    fileprivate func isTrue(by instant: Timestamp) -> Bool {
        switch fact {
        // What is recorded is true by then, even where the store's clock is ahead.
        case .queuePurchased(let said): min(said.purchasedAt, at) <= instant
        case .queueRestored(let said):
            min(said.originalPurchasedAt ?? said.purchasedAt, at) <= instant
        case .receiptListed(let said): min(said.purchasedAt, at) <= instant
        case .renewalStarted(let said): min(said.purchasedAt, at) <= instant
        case .renewalRenewed(let said): min(said.purchasedAt, at) <= instant
        case .cancellationRefunded(let said): said.cancelledAt <= instant
        case .cancellationRevoked(let said): said.cancelledAt <= instant
        case .contentPublished(let said): said.publishedAt <= instant
        case .cancellationReversed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
            .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
            .renewalExtended:
            min(signedAt ?? at, at) <= instant
        case .logOpened, .logNoted, .logRecovered, .catalogRequested, .catalogListed,
            .catalogInvalid,
            .notificationReceived:
            // What products are is no event in time.
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
