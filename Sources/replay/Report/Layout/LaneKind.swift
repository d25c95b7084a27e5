import PurchaseEvents

enum LaneKind: Hashable {
    case findings, app, queue, deliveries, statements, restores
    /// A subscription, by its index in the picture.
    case subscription(Int)

    /// The lanes of events, from top to bottom; subscriptions come below.
    static let fixed: [LaneKind] = [.app, .queue, .deliveries, .statements, .restores]

    init(of mark: EventMark) {
        self =
            switch mark.type {
            case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested,
                .catalogListed, .catalogInvalid, .contentPublished, .contentOpened,
                .accountLinked, .deliveryUnlocked, .deliveryConsumed:
                .app
            case .paymentRestricted, .paymentAllowed, .paymentRequested, .queueObserved,
                .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
                .queuePurchased, .queueRestored, .queueFinished, .queueRemoved:
                .queue
            case .deliveryValidated, .deliveryPersisted, .deliveryDownload, .deliveryInstalled,
                .deliveryDelivered, .deliveryWithdrawn:
                .deliveries
            case .receiptRefreshed, .receiptListed, .receiptValidated, .notificationReceived:
                .statements
            case .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed: .restores
            case .renewalStarted, .renewalRenewed, .renewalFailed, .renewalGraceExpired,
                .renewalExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
                .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
                .cancellationRevoked, .cancellationReversed, .cancellationRequested,
                .cancellationDeclined:
                mark.subscription.map { .subscription($0) } ?? .statements
            }
    }

    var title: String {
        switch self {
        case .findings: "Findings"
        case .app: "App"
        case .queue: "Queue"
        case .deliveries: "Deliveries"
        case .statements: "Statements"
        case .restores: "Restores"
        case .subscription: "Subscription"
        }
    }
}
