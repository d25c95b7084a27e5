/// Where a subscription line stands by what was said of it last, in the log's order (G6.6).
///
/// ```
/// unseen ─▶ active ◀─▶ ending          auto-renewal turned off and on
///             ├─▶ grace ─▶ retry ─┐    a renewal failed
///             └───────────────────┴─▶ expired ─▶ active
/// ```
///
/// Nothing is forbidden: statements about a line may arrive in any order. What was true when is
/// told by its periods, which don't depend on that order.
public enum LinePhase: String, CaseIterable, Hashable, Sendable {
    /// Nothing was said of its periods.
    case unseen
    /// It runs and will be renewed.
    case active
    /// It runs and won't be renewed.
    case ending
    /// A renewal failed, the store tries again, and access goes on for a while.
    case grace
    /// A renewal failed, and the store tries again, for at most 60 days.
    case retry
    /// It ended; it may start again.
    case expired
}

/// What can happen to a subscription line, as its machine sees it.
public enum LineStep: String, CaseIterable, Hashable, Sendable {
    /// A receipt's row states a period of it, old or new.
    case attested
    /// A period was purchased: by the queue, as its start, or as a renewal.
    case purchased, started, renewed
    /// A renewal failed: with a grace period, with another try, or for good.
    case failedInGrace, failedRetrying, failedForGood
    /// The store says these of it; the names are those of the events.
    case graceExpired, expired, turnedOff, turnedOn, planChanged, priceIncreased, extended

    /// The step of a fact; `nil` where the machine doesn't read it.
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

extension LinePhase {
    /// The phase after a step; there is always one.
    public func after(_ step: LineStep) -> LinePhase {
        switch (self, step) {
        case (.unseen, .attested): .active
        // A row may be of long ago: it says nothing of how the line stands now.
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
