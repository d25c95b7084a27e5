import PurchaseEvents

/// What an event changed: where something stood before it, and where it stands since.
struct PhaseChange: Hashable, Sendable {
    /// What it is: a transaction, a payment or a subscription line, and its name.
    var subject: String
    var key: String
    /// The phases as the machine names them, and in plain words.
    var before: Phase
    var after: Phase

    /// A phase.
    struct Phase: Hashable, Sendable {
        var name: String
        var words: String
    }
}

extension PhaseChange.Phase {
    /// The phase of a transaction.
    init(_ phase: TransactionPhase) {
        name = phase.rawValue
        words =
            switch phase {
            case .unseen: "unknown"
            case .attested: "bought, by the App Store's word"
            case .granted: "delivered without the queue"
            case .purchased: "purchased, not delivered"
            case .delivered: "purchased and delivered"
            case .restored: "restored, not delivered"
            case .redelivered: "restored and delivered"
            case .finished: "finished"
            case .withdrawn: "finished, then taken away"
            case .returned: "presented again after its finish"
            case .restoreFinished: "restored and finished"
            case .restoreWithdrawn: "restored, finished, then taken away"
            case .restoreReturned: "restored, presented again after its finish"
            case .closed: "finished without having been presented"
            }
    }

    /// The phase of a payment.
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

    /// The phase of a subscription line.
    init(_ phase: LinePhase) {
        name = phase.rawValue
        words =
            switch phase {
            case .unseen: "unknown"
            case .active: "active"
            case .ending: "active, not to be renewed"
            case .grace: "in its grace period"
            case .retry: "not paid, the store tries again"
            case .expired: "ended"
            }
    }
}
