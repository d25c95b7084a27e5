/// The phase of one request of a payment object; a payment object may have several requests (G3.2).
///
/// ```
/// unseen ─▶ requested ─▶ purchasing ─▶ deferred ─▶ failed ─▶ purchased
/// ```
///
/// A request may skip phases but never goes back. Only a payment that the log never saw requested,
/// such as a promoted purchase, may start anywhere.
public enum PaymentPhase: String, BitwiseCopyable, CaseIterable, Hashable, Sendable {
    /// The log doesn't know the payment.
    case unseen
    /// The payment was added to the queue.
    case requested
    /// The queue says that the payment is in progress.
    case purchasing
    /// The payment waits for someone else's approval.
    case deferred
    /// The payment failed; if the store interrupted it, it may still be purchased (I2).
    case failed
    /// The payment became a transaction, which closes the request.
    case purchased

    /// The phases of an open request, from the fewest possible steps to the most.
    static let open: [PaymentPhase] = [.failed, .deferred, .purchasing, .requested]
}

/// An event of a payment request, as its state machine sees it.
public enum PaymentStep: String, CaseIterable, Hashable, Sendable {
    /// Another request of the payment object was made; open requests are unaffected.
    case requested
    /// Statements of the queue.
    case purchasing, deferred, failed, purchased
    /// The app finished the payment: a failure or, if none is left to finish, the purchase.
    case finished
    /// The queue removed the entry.
    case removed

    /// The step of an event type, or `nil` if the machine ignores the type.
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
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .queueRestored, .deliveryValidated, .deliveryPersisted, .deliveryDownload,
            .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked,
            .deliveryConsumed, .receiptRefreshed, .receiptListed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed, .renewalStarted,
            .renewalRenewed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
            .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
            .renewalExtended, .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined, .notificationReceived, .contentPublished,
            .contentOpened, .accountLinked:
            return nil
        }
    }
}

extension PaymentPhase {
    /// The phase after a step, or `nil` if this request can't take the step; `lifecycle` reports a
    /// step that no request can take.
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

        // The rule `one-request-one-charge` reports more purchases than requests.
        case (_, .purchased): .purchased
        case (_, .finished), (_, .removed): self
        }
    }
}
