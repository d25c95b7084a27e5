import PurchaseEvents

/// What happens in the App Store, read from a log: the events that the store itself attests, each
/// at the time of the store; and what no log tells.
///
/// An app learns of some purchases late, for example of one that a parent approved while the app
/// wasn't running, and the clock of a device may be slow. The store knows a purchase from its own
/// date on; a renewal alone may be made ahead.
struct StoreTimeline {
    /// What happens at a time of the store.
    struct Entry {
        enum Content {
            case event(Event<Written>)
            /// An offer for the next renewal is redeemed; the original transaction.
            case redemption(String)
        }

        var time: Timestamp
        var content: Content
    }

    /// All that the log ever tells about each transaction, by identifier.
    private(set) var transactions: [String: StoreTransaction] = [:]
    private var entries: [Entry] = []
    /// The greatest time of recording, or of a purchase that a slow clock recorded before it was
    /// made.
    private(set) var end = Timestamp.earliest

    /// Reads the next event of the log.
    mutating func observe(_ event: Event<Written>) {
        end = max(end, event.at)
        guard event.type.isStatedByStore else { return }
        let told = StoreTransaction(event)
        guard let told else { return entries.append(Entry(time: event.at, content: .event(event))) }
        let isKnown = transactions[told.id] != nil
        transactions[told.id, default: told].fill(from: told)
        var time = event.at
        if transactions[told.id]?.isRenewal != true {
            time = max(time, told.purchasedAt)
            end = max(end, time)
        }
        if !isKnown, event.type != .renewalRenewed {
            // The second of the purchase has passed when the queue presents it at once.
            time = min(time, told.purchasedAt.advanced(byMilliseconds: Timestamp.second - 1))
        }
        entries.append(Entry(time: time, content: .event(event)))
    }

    /// Notes an offer that was redeemed; one after the end of the log tells nothing.
    mutating func observe(_ redemption: OfferRedemption) {
        guard redemption.at <= end else { return }
        entries.append(Entry(time: redemption.at, content: .redemption(redemption.original)))
    }

    /// The entries by time, those of one time in the order of the log.
    var sorted: [Entry] { entries.sorted { $0.time < $1.time } }
}

extension EventType {
    /// Whether the App Store itself states facts of this type, to a server too.
    fileprivate var isStatedByStore: Bool {
        switch self {
        case .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
            .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
            .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
            .cancellationRevoked, .cancellationReversed, .cancellationRequested,
            .cancellationDeclined:
            true
        case .logOpened, .logNoted, .logRecovered, .appLaunched, .catalogRequested, .catalogListed,
            .catalogInvalid, .paymentRestricted, .paymentAllowed, .paymentRequested,
            .queueObserved, .queueUnobserved, .queuePurchasing, .queueDeferred, .queueFailed,
            .queueRestored, .queueFinished, .queueRemoved, .deliveryValidated, .deliveryPersisted,
            .deliveryDownload, .deliveryInstalled, .deliveryDelivered, .deliveryWithdrawn,
            .deliveryUnlocked, .deliveryConsumed, .receiptRefreshed, .receiptValidated,
            .restoreRequested, .restoreSelected, .restoreCompleted, .restoreFailed,
            .notificationReceived, .contentPublished, .contentOpened, .accountLinked:
            false
        }
    }
}
