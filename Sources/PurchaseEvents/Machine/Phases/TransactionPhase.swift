/// Where one transaction stands: in the queue, in the user's hands, or finished.
///
/// ```
/// unseen ─▶ attested ─▶ granted                  known from a receipt or a renewal alone
///    └──────▶ purchased ─▶ delivered ─┐
///    └──────▶ restored ─▶ redelivered ─┼─▶ finished ─▶ withdrawn ─▶ finished
///                                     └─▶ returned ─▶ finished    presented after its finish
/// ```
///
/// What a transaction may be finished without is a matter of `decide` and of the rules: each of
/// these steps can happen, so each has a place here. Only one thing can't: that a transaction is
/// both purchased and restored.
public enum TransactionPhase: String, CaseIterable, Hashable, Sendable {
    /// No event has named it, or none that says that it exists, such as a refund that came early.
    case unseen
    /// A receipt or a renewal states it, and the queue hasn't presented it.
    case attested
    /// Delivered, though the queue hasn't presented it: a renewal known from the server.
    case granted
    /// The queue presents it as purchased, and the user hasn't got it.
    case purchased
    /// The queue presents it as purchased, and the user has got it, or a part of it.
    case delivered
    /// The queue presents it as restored, and the user hasn't got it again.
    case restored
    /// The queue presents it as restored, and the user has got it again.
    case redelivered
    /// A purchase that is finished.
    case finished
    /// A purchase that is finished, and whose access was withdrawn since: may be delivered again.
    case withdrawn
    /// A purchase that the queue presents again after it was finished: is only to be finished.
    case returned
    /// A restored transaction that is finished.
    case restoreFinished
    /// A restored transaction that is finished, and whose access was withdrawn since.
    case restoreWithdrawn
    /// A restored transaction that the queue presents again after it was finished.
    case restoreReturned
    /// Finished, though the queue never presented it: the log doesn't hold its beginning.
    case closed

    /// Whether the queue holds it, so that it can be finished (G4.2).
    public var isInQueue: Bool {
        switch self {
        case .purchased, .delivered, .restored, .redelivered, .returned, .restoreReturned: true
        case .unseen, .attested, .granted, .finished, .withdrawn, .restoreFinished,
            .restoreWithdrawn, .closed:
            false
        }
    }

    /// Whether it was finished at least once.
    public var wasFinished: Bool {
        switch self {
        case .finished, .withdrawn, .returned, .restoreFinished, .restoreWithdrawn,
            .restoreReturned, .closed:
            true
        case .unseen, .attested, .granted, .purchased, .delivered, .restored, .redelivered: false
        }
    }

    /// Whether the queue presented it as restored.
    public var isRestored: Bool {
        switch self {
        case .restored, .redelivered, .restoreFinished, .restoreWithdrawn, .restoreReturned: true
        case .unseen, .attested, .granted, .purchased, .delivered, .finished, .withdrawn,
            .returned, .closed:
            false
        }
    }
}

/// What can happen to a transaction, as its machine sees it.
public enum TransactionStep: String, CaseIterable, Hashable, Sendable {
    /// A receipt or a renewal states it.
    case attested
    /// The queue presents it as purchased, for the first time or again after a launch.
    case purchased
    /// The queue presents it as restored, for the first time or again after a launch.
    case restored
    /// The same presentation is heard once more, without a launch in between.
    case heardAgain
    /// The app did these; the names are those of the events.
    case persisted, downloaded, installed, delivered, withdrawn, finished
    /// The queue let it go.
    case removed

    /// The step of a type of event; `nil` where the machine doesn't read it.
    ///
    /// Whether a presentation is ``heardAgain`` can't be told from the type alone.
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
    /// The phase after a step; `nil` where the rule `lifecycle` reports the step.
    public func after(_ step: TransactionStep) -> TransactionPhase? {
        switch (self, step) {
        // A receipt tells of what exists; it moves nothing that the queue or the app has moved.
        case (.unseen, .attested), (.attested, .attested): .attested
        case (_, .attested): self

        // The queue presents.
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

        // The app grants and takes away.
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

        // The app finishes.
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

        // What is kept of these is kept beside the phase.
        case (_, .persisted), (_, .downloaded), (_, .installed), (_, .removed): self
        }
    }
}
