import PurchaseEvents

/// Descriptions of events about purchases, deliveries and receipts.
extension EventWords {
    static func requested(_ fact: PaymentRequested<Written>) -> String {
        "the user asked to buy \(fact.product)\(times(fact.quantity))"
            + price(fact.price, fact.currency)
    }

    static func failed(_ fact: QueueFailed<Written>) -> String {
        if fact.error.known == .cancelled { return "the user cancelled the payment" }
        if fact.error.known == .interrupted {
            return "the payment was interrupted for a confirmation, and may still go through"
        }
        return "the payment failed: \(error(fact.error, fact.code))"
    }

    static func purchased(_ fact: QueuePurchased<Written>, _ isAgain: Bool) -> String {
        let again = isAgain ? " again" : ""
        var text = "the App Store presented\(again) the purchase of \(fact.product)"
        text += times(fact.quantity)
        text += price(fact.price, fact.currency)
        text += ", bought \(time(fact.purchasedAt))"
        if let end = fact.expiresAt { text += ", until \(time(end))" }
        if let offer = fact.offer { text += ", with an offer (\(offer.rawValue))" }
        if fact.ownership == .familyShared { text += ", shared by the family" }
        if fact.ownership == .assigned { text += ", assigned as a seat" }
        return text + plan(fact.terms)
    }

    /// The plan and the commitment as `, monthly, 3 of 12`; empty if not stated.
    static func plan(_ terms: BillingTerms) -> String {
        var text = terms.plan.map { ", \($0.rawValue)" } ?? ""
        if let number = terms.number { text += ", \(number)\(terms.of.map { " of \($0)" } ?? "")" }
        return text
    }

    static func restored(_ fact: QueueRestored<Written>, _ isAgain: Bool) -> String {
        let again = isAgain ? " again" : ""
        var text = "the App Store presented\(again) \(fact.product)\(times(fact.quantity))"
        text += " as restored"
        if let bought = fact.originalPurchasedAt { text += ", bought \(time(bought))" }
        return text
    }

    static func validated(_ fact: DeliveryValidated<Written>) -> String {
        let status = fact.status.map { " (status \($0))" } ?? ""
        return switch fact.outcome {
        case .valid: "the server found the purchase valid\(status)"
        case .invalid: "the server found the purchase invalid\(status)"
        case .unreachable: "the server could not be reached\(status)"
        }
    }

    static func place(of store: PersistentStore) -> String {
        switch store {
        case .receipt: "in the receipt"
        case .userDefaults: "in the user defaults"
        case .iCloud: "in iCloud"
        case .server: "on the app's server"
        case .appState: "in the app's own state"
        }
    }

    static func download(_ fact: DeliveryDownload<Written>) -> String {
        var amount = ""
        if let bytes = fact.bytes {
            let total = fact.total.map { " of \(Int($0).grouped)" } ?? ""
            amount = " (\(Int(bytes).grouped)\(total) bytes)"
        }
        return switch fact.state {
        case .waiting: "the download \(fact.download) is waiting\(amount)"
        case .active: "the download \(fact.download) is in progress\(amount)"
        case .paused: "the download \(fact.download) is paused\(amount)"
        case .finished: "the download \(fact.download) finished\(amount)"
        case .cancelled: "the download \(fact.download) was cancelled\(amount)"
        case .failed:
            "the download \(fact.download) failed\(amount)" + (fact.error.map { ": \($0)" } ?? "")
        }
    }

    static func delivered(_ fact: DeliveryDelivered<Written>) -> String {
        let until = fact.until.map { " until \(time($0))" } ?? ""
        return "the app delivered the purchase\(times(fact.quantity))\(until)"
    }

    static func receiptListed(_ fact: ReceiptListed<Written>) -> String {
        let source = fact.receipt.map { "the receipt \($0)" } ?? "the App Store"
        var text = "\(source) states the purchase of \(fact.product)\(times(fact.quantity))"
        text += price(fact.price, fact.currency)
        text += ", bought \(time(fact.purchasedAt))"
        if let end = fact.expiresAt { text += ", until \(time(end))" }
        if let cancelled = fact.cancelledAt {
            let what = fact.upgraded == true ? "replaced by an upgrade" : "cancelled"
            text += ", \(what) \(time(cancelled))"
        } else if fact.upgraded == true {
            text += ", replaced by an upgrade"
        }
        if fact.ownership == .assigned { text += ", assigned as a seat" }
        return text + plan(fact.terms)
    }

    static func receiptValidated(_ fact: ReceiptValidated<Written>) -> String {
        let status = fact.status.map { " (status \($0))" } ?? ""
        return switch fact.outcome {
        case .valid: "the receipt \(fact.receipt) was found valid\(status)"
        case .invalid: "the receipt \(fact.receipt) was found invalid\(status)"
        case .unreachable: "the receipt \(fact.receipt) could not be validated\(status)"
        }
    }
}
