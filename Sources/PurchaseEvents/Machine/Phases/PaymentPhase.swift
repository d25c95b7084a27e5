/// Where one request of a payment object stands; a payment object may have several (G3.2).
///
/// ```
/// unseen ─▶ requested ─▶ purchasing ─▶ deferred ─▶ failed ─▶ purchased
/// ```
///
/// A request may skip what lies between, and never goes back. Only one that the log never saw
/// requested (a promoted purchase) may begin anywhere.
public enum PaymentPhase: String, CaseIterable, Hashable, Sendable {
    /// The log doesn't know of it.
    case unseen
    /// It was added to the queue.
    case requested
    /// The queue says that it is in progress.
    case purchasing
    /// It waits for someone else's approval.
    case deferred
    /// It failed; where the store interrupted it, it may still be purchased (I2).
    case failed
    /// It became a transaction, and nothing more is heard of it.
    case purchased

    /// The phases of a request that may still become something, the one that can take fewest
    /// steps first.
    static let open: [PaymentPhase] = [.failed, .deferred, .purchasing, .requested]
}

/// What can happen to a request of a payment object, as its machine sees it.
public enum PaymentStep: String, CaseIterable, Hashable, Sendable {
    /// Another request of the payment object was opened: of one that is open, nothing is said.
    case requested
    /// The queue says these of it.
    case purchasing, deferred, failed, purchased
    /// The app finished a failure.
    case finished
    /// The queue let it go.
    case removed

    /// The step of a type of event; `nil` where the machine doesn't read it.
    public init?(_ type: EventType) {
        switch type {
        case .paymentRequested: self = .requested
        case .queuePurchasing: self = .purchasing
        case .queueDeferred: self = .deferred
        case .queueFailed: self = .failed
        case .queuePurchased: self = .purchased
        case .queueFinished: self = .finished
        case .queueRemoved: self = .removed
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .queueObserved,
            .queueUnobserved, .queueRestored, .deliveryValidated, .deliveryPersisted,
            .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn,
            .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed, .receiptListed,
            .receiptValidated, .restoreRequested, .restoreSelected, .restoreCompleted,
            .restoreFailed, .renewalStarted, .renewalRenewed, .renewalFailed,
            .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
            .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
            .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined, .notificationReceived,
            .contentPublished, .contentOpened, .accountLinked:
            return nil
        }
    }
}

extension PaymentPhase {
    /// The phase after a step; `nil` where the rule `lifecycle` reports the step, unless another
    /// request of the payment can take it.
    public func after(_ step: PaymentStep) -> PaymentPhase? {
        switch (self, step) {
        case (.unseen, .requested): .requested
        case (.requested, .requested), (.purchasing, .requested), (.deferred, .requested),
            (.failed, .requested), (.purchased, .requested):
            self

        case (.unseen, .purchasing), (.requested, .purchasing), (.purchasing, .purchasing):
            .purchasing
        case (.deferred, .purchasing), (.failed, .purchasing), (.purchased, .purchasing): nil

        case (.unseen, .deferred), (.requested, .deferred), (.purchasing, .deferred),
            (.deferred, .deferred):
            .deferred
        case (.failed, .deferred), (.purchased, .deferred): nil

        case (.unseen, .failed), (.requested, .failed), (.purchasing, .failed),
            (.deferred, .failed), (.failed, .failed):
            .failed
        case (.purchased, .failed): nil

        // More purchases than requests are the business of `one-request-one-charge`.
        case (_, .purchased): .purchased
        case (_, .finished), (_, .removed): self
        }
    }
}
