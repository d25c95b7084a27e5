import PurchaseEvents

/// A change of phase: the phase of a subject before an event and after it.
struct PhaseChange: Hashable, Sendable {
    /// The kind of the subject (`transaction`, `payment` or `subscription`), and its name.
    var subject: String
    var key: String
    var before: Phase
    var after: Phase

    /// A phase: its name in the state machine, and its description in plain words.
    struct Phase: Hashable, Sendable {
        var name: String
        var words: String
    }
}

extension PhaseChange.Phase {
    init(_ phase: TransactionPhase) {
        name = phase.rawValue
        words =
            switch phase {
            case .unseen: "unknown"
            case .attested: "bought, according to the App Store"
            case .granted: "delivered without the queue"
            case .purchased: "purchased, not delivered"
            case .delivered: "purchased and delivered"
            case .restored: "restored, not delivered"
            case .redelivered: "restored and delivered"
            case .finished: "finished"
            case .withdrawn: "finished, then withdrawn"
            case .returned: "presented again after the finish"
            case .restoreFinished: "restored and finished"
            case .restoreWithdrawn: "restored, finished, then withdrawn"
            case .restoreReturned: "restored, presented again after the finish"
            case .closed: "finished without being presented"
            }
    }

    init(_ phase: PaymentPhase) {
        name = phase.rawValue
        words =
            switch phase {
            case .unseen: "unknown"
            case .requested: "requested"
            case .purchasing: "in progress"
            case .deferred: "waiting for approval"
            case .failed: "failed"
            case .purchased: "purchased"
            }
    }

    init(_ phase: SubscriptionPhase) {
        name = phase.rawValue
        words =
            switch phase {
            case .unseen: "unknown"
            case .active: "active"
            case .ending: "active, won't renew"
            case .grace: "in the grace period"
            case .retry: "not paid, the store keeps trying"
            case .expired: "ended"
            }
    }
}
