/// The phase of one transaction: in the queue, delivered, or finished.
///
/// ```
/// unseen ─▶ attested ─▶ granted                  known from a receipt or a renewal alone
///    └──────▶ purchased ─▶ delivered ─┐
///    └──────▶ restored ─▶ redelivered ─┼─▶ finished ─▶ withdrawn ─▶ finished
///                                     └─▶ returned ─▶ finished    presented after its finish
/// ```
///
/// `decide` and the rules say what must come before a finish; the machine allows each of these
/// steps, because each can happen. Only one thing can't happen: a transaction that is both
/// purchased and restored.
public enum TransactionPhase: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// No event has named the transaction, or only one that doesn't attest it, such as an early
    /// refund.
    case unseen
    /// A receipt or a renewal states the transaction, and the queue hasn't presented it.
    case attested
    /// Delivered before the queue presented it, such as a renewal known from the server.
    case granted
    /// The queue presents it as purchased, and the user doesn't have it yet.
    case purchased
    /// The queue presents it as purchased, and the user has all or part of it.
    case delivered
    /// The queue presents it as restored, and the user doesn't have it again yet.
    case restored
    /// The queue presents it as restored, and the user has it again.
    case redelivered
    /// A finished purchase.
    case finished
    /// A finished purchase whose access was withdrawn later; it may be delivered again.
    case withdrawn
    /// A purchase that the queue presents again after its finish; it only needs finishing.
    case returned
    /// A finished restored transaction.
    case restoreFinished
    /// A finished restored transaction whose access was withdrawn later.
    case restoreWithdrawn
    /// A restored transaction that the queue presents again after its finish.
    case restoreReturned
    /// Finished without a presentation: its beginning isn't in the log.
    case closed

    /// Whether the queue holds the transaction, so that it can be finished (G4.2).
    public var isInQueue: Bool {
        switch self {
        case .purchased, .delivered, .restored, .redelivered, .returned, .restoreReturned: true
        case .unseen, .attested, .granted, .finished, .withdrawn, .restoreFinished,
            .restoreWithdrawn, .closed:
            false
        }
    }

    /// Whether the transaction was finished at least once.
    public var wasFinished: Bool {
        switch self {
        case .finished, .withdrawn, .returned, .restoreFinished, .restoreWithdrawn,
            .restoreReturned, .closed:
            true
        case .unseen, .attested, .granted, .purchased, .delivered, .restored, .redelivered: false
        }
    }

    /// Whether the queue presented the transaction as restored.
    public var isRestored: Bool {
        switch self {
        case .restored, .redelivered, .restoreFinished, .restoreWithdrawn, .restoreReturned: true
        case .unseen, .attested, .granted, .purchased, .delivered, .finished, .withdrawn,
            .returned, .closed:
            false
        }
    }
}

/// An event of a transaction, as its state machine sees it.
public enum TransactionStep: String, CaseIterable, Hashable, Sendable {
    /// A receipt or a renewal states the transaction.
    case attested
    /// The queue presents it as purchased, for the first time or again after a launch.
    case purchased
    /// The queue presents it as restored, for the first time or again after a launch.
    case restored
    /// The same presentation arrives again, without a launch in between.
    case heardAgain
    /// Acts of the app, named like their events.
    case persisted, downloaded, installed, delivered, withdrawn, finished
    /// The queue removed the entry.
    case removed

    /// The step of an event type, or `nil` if the machine ignores the type.
    ///
    /// The type alone can't tell whether a presentation is ``heardAgain``.
    public init?(_ type: EventType) {
        switch type {
        case .receiptListed, .renewalStarted, .renewalRenewed: self = .attested
        case .queuePurchased: self = .purchased
        case .queueRestored: self = .restored
        case .deliveryPersisted: self = .persisted
        case .deliveryDownload: self = .downloaded
        case .deliveryInstalled: self = .installed
        case .deliveryDelivered: self = .delivered
        case .deliveryWithdrawn: self = .withdrawn
        case .queueFinished: self = .finished
        case .queueRemoved: self = .removed
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .deliveryValidated, .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed,
            .receiptValidated, .restoreRequested, .restoreSelected, .restoreCompleted,
            .restoreFailed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
            .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
            .renewalExtended, .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined, .notificationReceived,
            .contentPublished, .contentOpened, .accountLinked:
            return nil
        }
    }
}

extension TransactionPhase {
    /// The phase after a step, or `nil` if the rule `lifecycle` reports the step.
    public func after(_ step: TransactionStep) -> TransactionPhase? {
        switch (self, step) {
        // A receipt only attests; it doesn't undo a step of the queue or the app.
        case (.unseen, .attested), (.attested, .attested): .attested
        case (_, .attested): self

        // The queue presents the transaction.
        case (.unseen, .purchased), (.attested, .purchased), (.purchased, .purchased): .purchased
        case (.granted, .purchased), (.delivered, .purchased): .delivered
        case (.finished, .purchased), (.withdrawn, .purchased), (.returned, .purchased),
            (.closed, .purchased):
            .returned
        case (.restored, .purchased), (.redelivered, .purchased), (.restoreFinished, .purchased),
            (.restoreWithdrawn, .purchased), (.restoreReturned, .purchased):
            nil
        case (.unseen, .restored), (.attested, .restored), (.restored, .restored): .restored
        case (.granted, .restored), (.redelivered, .restored): .redelivered
        case (.restoreFinished, .restored), (.restoreWithdrawn, .restored),
            (.restoreReturned, .restored), (.closed, .restored):
            .restoreReturned
        case (.purchased, .restored), (.delivered, .restored), (.finished, .restored),
            (.withdrawn, .restored), (.returned, .restored):
            nil
        case (_, .heardAgain): self

        // The app delivers and withdraws.
        case (.unseen, .delivered), (.attested, .delivered), (.granted, .delivered): .granted
        case (.purchased, .delivered), (.delivered, .delivered): .delivered
        case (.restored, .delivered), (.redelivered, .delivered): .redelivered
        case (.finished, .delivered), (.withdrawn, .delivered): .finished
        case (.restoreFinished, .delivered), (.restoreWithdrawn, .delivered): .restoreFinished
        case (.returned, .delivered), (.restoreReturned, .delivered), (.closed, .delivered): self
        case (.granted, .withdrawn), (.attested, .withdrawn): .attested
        case (.purchased, .withdrawn), (.delivered, .withdrawn): .purchased
        case (.restored, .withdrawn), (.redelivered, .withdrawn): .restored
        case (.finished, .withdrawn), (.withdrawn, .withdrawn): .withdrawn
        case (.restoreFinished, .withdrawn), (.restoreWithdrawn, .withdrawn): .restoreWithdrawn
        case (.unseen, .withdrawn), (.returned, .withdrawn), (.restoreReturned, .withdrawn),
            (.closed, .withdrawn):
            self

        // The app finishes the transaction.
        case (.purchased, .finished), (.delivered, .finished), (.returned, .finished),
            (.finished, .finished):
            .finished
        case (.withdrawn, .finished): .withdrawn
        case (.restored, .finished), (.redelivered, .finished), (.restoreReturned, .finished),
            (.restoreFinished, .finished):
            .restoreFinished
        case (.restoreWithdrawn, .finished): .restoreWithdrawn
        case (.unseen, .finished), (.attested, .finished), (.granted, .finished),
            (.closed, .finished):
            .closed

        // The transaction's state records these, not its phase.
        case (_, .persisted), (_, .downloaded), (_, .installed), (_, .removed): self
        }
    }
}
