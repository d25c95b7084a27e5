/// The phase of a subscription by its latest statement, in log order (G6.6).
///
/// ```
/// unseen ─▶ active ◀─▶ ending          auto-renewal turned off and on
///             ├─▶ grace ─▶ retry ─┐    a renewal failed
///             └───────────────────┴─▶ expired ─▶ active
/// ```
///
/// Nothing is forbidden: statements about a subscription may arrive in any order. The periods of
/// the subscription, which don't depend on that order, tell what was true at each time.
public enum SubscriptionPhase: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// No statement tells the phase of the subscription yet.
    case unseen
    /// The subscription runs and will renew.
    case active
    /// The subscription runs and won't renew.
    case ending
    /// A renewal failed; the store retries, and access continues for a while.
    case grace
    /// A renewal failed, and the store retries for at most 60 days.
    case retry
    /// The subscription ended; it may start again.
    case expired
}

/// An event of a subscription, as its state machine sees it.
public enum SubscriptionStep: String, CaseIterable, Hashable, Sendable {
    /// A row of a receipt states a period of the subscription, old or new.
    case attested
    /// A period was purchased: through the queue, as a new subscription, or as a renewal.
    case purchased, started, renewed
    /// A renewal failed: with a grace period, with retries, or for good.
    case failedInGrace, failedRetrying, failedForGood
    /// Statements of the store, named like their events.
    case graceExpired, expired, turnedOff, turnedOn, planChanged, priceIncreased, extended

    /// The step of a fact, or `nil` if the machine ignores the fact.
    public init?<S: Spelling>(_ fact: Fact<S>) {
        switch fact {
        case .receiptListed: self = .attested
        case .queuePurchased: self = .purchased
        case .renewalStarted: self = .started
        case .renewalRenewed: self = .renewed
        case .renewalFailed(let fact):
            if fact.retrying == false {
                self = .failedForGood
            } else {
                self = fact.graceExpiresAt == nil ? .failedRetrying : .failedInGrace
            }
        case .renewalGraceExpired: self = .graceExpired
        case .renewalExpired: self = .expired
        // The billing periods of a commitment go on, whether or not the commitment renews.
        case .renewalTurnedOff(_, commitment: true), .renewalTurnedOn(_, commitment: true):
            return nil
        case .renewalTurnedOff: self = .turnedOff
        case .renewalTurnedOn: self = .turnedOn
        case .renewalPlanChanged: self = .planChanged
        case .renewalPriceIncreased: self = .priceIncreased
        case .renewalExtended: self = .extended
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .queueRestored, .queueFinished, .queueRemoved, .deliveryValidated,
            .deliveryPersisted, .deliveryDownload, .deliveryInstalled, .deliveryDelivered,
            .deliveryWithdrawn, .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed,
            .receiptValidated, .restoreRequested, .restoreSelected, .restoreCompleted,
            .restoreFailed, .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined, .notificationReceived,
            .contentPublished, .contentOpened, .accountLinked:
            return nil
        }
    }
}

extension SubscriptionPhase {
    /// The phase after a step; every step is allowed.
    public func after(_ step: SubscriptionStep) -> SubscriptionPhase {
        switch (self, step) {
        case (.unseen, .attested): .active
        // The row may be old, so it says nothing about the subscription now.
        case (.active, .attested), (.ending, .attested), (.grace, .attested),
            (.retry, .attested), (.expired, .attested):
            self
        case (_, .started), (_, .purchased), (_, .renewed): .active
        case (_, .failedInGrace): .grace
        case (_, .failedRetrying): .retry
        case (.expired, .failedForGood): .expired
        case (.unseen, .failedForGood), (.active, .failedForGood), (.ending, .failedForGood),
            (.grace, .failedForGood), (.retry, .failedForGood):
            .ending
        case (.unseen, .graceExpired), (.active, .graceExpired), (.ending, .graceExpired),
            (.grace, .graceExpired), (.retry, .graceExpired):
            .retry
        case (.expired, .graceExpired): .expired
        case (_, .expired): .expired
        case (.unseen, .turnedOff), (.active, .turnedOff), (.ending, .turnedOff): .ending
        case (.grace, .turnedOff), (.retry, .turnedOff), (.expired, .turnedOff): self
        case (.unseen, .turnedOn), (.active, .turnedOn), (.ending, .turnedOn): .active
        case (.grace, .turnedOn), (.retry, .turnedOn), (.expired, .turnedOn): self
        case (.unseen, .extended), (.active, .extended), (.expired, .extended): .active
        case (.ending, .extended), (.grace, .extended), (.retry, .extended): self
        case (_, .planChanged), (_, .priceIncreased): self
        }
    }
}
