import PurchaseEvents

/// Descriptions of events about subscriptions and refunds.
extension EventWords {
    static func started(_ fact: RenewalStarted<Written>) -> String {
        let again = fact.resubscribed == true ? "started again" : "started"
        let offer = fact.offer.map { ", with an offer (\($0.rawValue))" } ?? ""
        return "the subscription to \(fact.product) \(again)\(price(fact.price, fact.currency)), "
            + "from \(time(fact.purchasedAt)) until \(time(fact.expiresAt))\(offer)"
            + plan(fact.terms)
    }

    static func renewed(_ fact: RenewalRenewed<Written>) -> String {
        let late = fact.recovered == true ? " after a failure" : ""
        let offer = fact.offer.map { ", with an offer (\($0.rawValue))" } ?? ""
        return "the subscription to \(fact.product) was renewed\(late)"
            + "\(price(fact.price, fact.currency)), from \(time(fact.purchasedAt)) until "
            + "\(time(fact.expiresAt))\(offer)\(plan(fact.terms))"
    }

    static func renewalFailed(_ fact: RenewalFailed<Written>) -> String {
        var text = "the renewal failed"
        if fact.retrying == true { text += "; the store keeps trying" }
        if fact.retrying == false { text += "; the store stopped trying" }
        if let end = fact.graceExpiresAt { text += "; access continues until \(time(end)) (grace)" }
        return text
    }

    static func expired(_ fact: RenewalExpired<Written>) -> String {
        let end = fact.expiresAt.map { " on \(time($0))" } ?? ""
        let reason =
            switch fact.reason {
            case .cancelled: "the user had turned off automatic renewal"
            case .billing: "the payment failed"
            case .priceIncrease: "the user didn't agree to the higher price"
            case .unavailable: "the product is no longer sold"
            case .other: "no reason given"
            }
        return "the subscription ended\(end): \(reason)"
    }

    static func planChanged(_ fact: RenewalPlanChanged<Written>) -> String {
        switch fact.effect {
        case .now: "the plan changed to \(fact.next) at once"
        case .nextRenewal: "the plan will change to \(fact.next) at the next renewal"
        }
    }

    static func consent(_ consent: PriceConsent) -> String {
        switch consent {
        case .pending: "the user hasn't agreed yet"
        case .agreed: "the user agreed"
        }
    }

    /// The description of a refund, a revocation or a reversal that a test environment states about
    /// a production purchase; `nil` for other events.
    static func ofTests(_ event: LogEvent) -> String? {
        let what: String
        switch event.type {
        case .cancellationRefunded: what = "a refund"
        case .cancellationRevoked: what = "a revocation"
        case .cancellationReversed: what = "a reversed refund"
        case _: return nil
        }
        return "a test environment stated \(what), which doesn't change the production purchase"
    }

    static func refunded(_ fact: CancellationRefunded<Written>) -> String {
        var text = "the App Store refunded"
        if let percent = fact.percent { text += " \(TextFormat.percent(percent)) of" }
        text += " the purchase"
        if fact.reason == .issue { text += " for an issue with the app" }
        return text + ": from \(time(fact.cancelledAt)), it counts as never made"
    }
}
