import PurchaseEvents

/// The shape of a mark, by the name of its symbol in the page; shapes alone distinguish the marks,
/// and colours only help.
enum MarkShape: String, CaseIterable {
    case bought, given, taken, failed, asked, done, other

    init(of type: EventType) {
        self =
            switch type {
            case .queuePurchased, .queueRestored, .receiptListed, .renewalStarted,
                .renewalRenewed, .renewalExtended, .cancellationReversed:
                .bought
            case .deliveryDelivered, .deliveryUnlocked: .given
            case .deliveryWithdrawn, .cancellationRefunded, .cancellationRevoked: .taken
            case .queueFailed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
                .restoreFailed, .catalogInvalid, .paymentRestricted:
                .failed
            case .paymentRequested, .queuePurchasing, .queueDeferred, .restoreRequested,
                .restoreSelected, .cancellationRequested, .catalogRequested, .deliveryDownload:
                .asked
            case .queueFinished, .queueRemoved, .restoreCompleted, .deliveryPersisted,
                .deliveryInstalled:
                .done
            case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogListed,
                .paymentAllowed, .queueObserved, .queueUnobserved, .deliveryValidated,
                .deliveryConsumed, .receiptRefreshed, .receiptValidated, .renewalTurnedOff,
                .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
                .cancellationDeclined, .notificationReceived, .contentPublished,
                .contentOpened, .accountLinked:
                .other
            }
    }

    /// What the shape means, for the legend of the page.
    var words: String {
        switch self {
        case .bought: "bought, restored or renewed"
        case .given: "given to the user"
        case .taken: "refunded or withdrawn"
        case .failed: "failed or ended"
        case .asked: "requested or in progress"
        case .done: "saved or finished"
        case .other: "anything else"
        }
    }
}
