import PurchaseEvents

/// Describes an event in plain words, for a reader who doesn't know the format.
///
/// Names from the log are inserted verbatim; the caller escapes the text before printing.
enum EventWords {
    /// The description of an event; `isAgain` tells whether the queue presented the transaction
    /// before.
    static func words(_ event: Event<Written>, isAgain: Bool = false) -> String {
        switch event.fact {
        case .logOpened(let fact): opened(fact)
        case .logNoted(let text): "somebody noted: “\(text)”"
        case .logRecovered(let fact): recovered(fact)
        case .appLaunched: "the app was launched"
        case .catalogRequested(let product): "the app asked the store for \(product)"
        case .catalogListed(let fact): listed(fact)
        case .catalogInvalid(let product): "the store has no product \(product)"
        case .paymentRestricted: "the user is not allowed to pay"
        case .paymentAllowed: "the user is allowed to pay"
        case .paymentRequested(let fact): requested(fact)
        case .queueObserved: "the app started to observe the payment queue"
        case .queueUnobserved: "the app stopped observing the payment queue"
        case .queuePurchasing: "the payment is in progress"
        case .queueDeferred: "the payment is waiting for approval"
        case .queueFailed(let fact): failed(fact)
        case .queuePurchased(let fact): purchased(fact, isAgain)
        case .queueRestored(let fact): restored(fact, isAgain)
        case .queueFinished(let entry): "the app finished the \(kind(of: entry))"
        case .queueRemoved(let entry): "the \(kind(of: entry)) left the payment queue"
        case .deliveryValidated(let fact): validated(fact)
        case .deliveryPersisted(let fact): "the app saved the purchase (\(place(of: fact.store)))"
        case .deliveryDownload(let fact): download(fact)
        case .deliveryInstalled(let fact): "the app installed the download (\(fact.place.rawValue))"
        case .deliveryDelivered(let fact): delivered(fact)
        case .deliveryWithdrawn(let fact):
            "the app withdrew the product\(times(fact.quantity)) (\(fact.reason.rawValue))"
        case .deliveryUnlocked(let product): "at launch the app found \(product) unlocked"
        case .deliveryConsumed(let fact):
            "the user used up \(fact.quantity ?? 1) of \(fact.product)"
        case .receiptRefreshed(let receipt): "the receipt \(receipt) was refreshed"
        case .receiptListed(let fact): receiptListed(fact)
        case .receiptValidated(let fact): receiptValidated(fact)
        case .restoreRequested(let by): "the \(by.rawValue) asked to restore past purchases"
        case .restoreSelected(let product): "the user chose to restore \(product)"
        case .restoreCompleted: "the restore is complete"
        case .restoreFailed(let fact): "the restore failed: \(error(fact.error, fact.code))"
        case .renewalStarted(let fact): started(fact)
        case .renewalRenewed(let fact): renewed(fact)
        case .renewalFailed(let fact): renewalFailed(fact)
        case .renewalGraceExpired: "the grace period ended; the store keeps trying to renew"
        case .renewalExpired(let fact): expired(fact)
        case .renewalTurnedOff(_, let commitment):
            "the user turned off automatic renewal\(commitment == true ? " of the commitment" : "")"
        case .renewalTurnedOn(_, let commitment):
            "the user turned on automatic renewal\(commitment == true ? " of the commitment" : "")"
        case .renewalPlanChanged(let fact): planChanged(fact)
        case .renewalPriceIncreased(let fact): "the price was raised: \(consent(fact.consent))"
        case .renewalExtended(let fact):
            "the App Store extended the period until \(time(fact.expiresAt))"
        case .cancellationRefunded(let fact): refunded(fact)
        case .cancellationRevoked(let fact):
            "\(revocation(fact.reason)): from \(time(fact.cancelledAt)), it counts as never bought"
        case .cancellationReversed: "the App Store reversed the refund"
        case .cancellationRequested: "the user asked for a refund"
        case .cancellationDeclined: "the App Store declined the refund"
        case .notificationReceived(let fact): notified(fact)
        case .contentPublished(let fact): published(fact)
        case .contentOpened(let content): "the user opened \(content)"
        case .accountLinked(let fact): linked(fact, event.account)
        }
    }

    static func words(_ kind: ProductKind) -> String {
        switch kind {
        case .consumable: "a consumable"
        case .nonConsumable: "a non-consumable"
        case .autoRenewable: "an auto-renewable subscription"
        case .nonRenewing: "a non-renewing subscription"
        }
    }

    /// A time in a sentence: to the second, or the day alone for midnight.
    static func time(_ time: Timestamp) -> String { String(TextFormat.dayOrTime(time).prefix(19)) }

    /// The price as ` for 4.99 USD`; empty if the log states none.
    static func price(_ price: Int64?, _ currency: Currency?) -> String {
        guard let price else { return "" }
        return " for \(TextFormat.amount(price))\(currency.map { " \($0.code)" } ?? "")"
    }

    /// The quantity as ` ×3`; empty if it is one or unknown.
    static func times(_ quantity: Int64?) -> String {
        guard let quantity, quantity > 1 else { return "" }
        return " ×\(quantity)"
    }

    static func error(_ error: ErrorWord<Written>, _ code: Int64?) -> String {
        "\(error)\(code.map { " (\($0))" } ?? "")"
    }

    private static func revocation(_ reason: String?) -> String {
        guard let reason else { return "family sharing ended" }
        return switch RevocationReason(rawValue: reason) {
        case .family: "family sharing ended"
        case .assignment: "the seat was taken back"
        case .bundle: "it went over into a bundle"
        case nil: "access ended (\(reason))"
        }
    }

    private static func kind(of entry: QueueEntry<Written>) -> String {
        switch entry {
        case .transaction: "transaction"
        case .payment: "payment"
        }
    }

    private static func recovered(_ fact: LogRecovered<Written>) -> String {
        "\(Int(clamping: fact.bytes).counted("byte")) that a crash left were cut off"
            + (fact.file.map { " and kept in \($0)" } ?? "")
    }

    private static func opened(_ fact: LogOpened<Written>) -> String {
        let app = fact.app.map { " of \($0)" } ?? ""
        return "the log\(app) begins\(fact.writer.map { ", written by \($0)" } ?? "")"
    }

    private static func listed(_ fact: CatalogListed<Written>) -> String {
        let group = fact.group.map { " of the group \($0)" } ?? ""
        return "the store sells \(fact.product), \(words(fact.kind))\(group)"
            + price(fact.price, fact.currency)
    }

    private static func notified(_ fact: NotificationReceived<Written>) -> String {
        var text = "the App Store notified the server: \(fact.name)"
        if let subtype = fact.subtype { text += " (\(subtype))" }
        if fact.secret == .wrong { text += "; its secret was wrong" }
        if fact.signature == .invalid { text += "; its signature was invalid" }
        return text
    }

    private static func published(_ fact: ContentPublished<Written>) -> String {
        var text = "\(fact.content) was published on \(time(fact.publishedAt))"
        if let product = fact.product { text += " for \(product)" }
        if let group = fact.group { text += " for the group \(group)" }
        return text
    }

    private static func linked(
        _ fact: AccountLinked<Written>, _ account: AccountID<Written>?
    ) -> String {
        let to = account.map { "the account \($0)" } ?? "another account"
        return
            "the subscription now belongs to \(to)\(fact.from.map { ", no longer to \($0)" } ?? "")"
    }
}
