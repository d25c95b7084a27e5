import PurchaseEvents

/// What the events of a growth shape are about: one thing for all of them, or a new one each.
package enum Subject: String, CaseIterable, Sendable {
    /// Every event is about the same transaction, line, payment, product or content.
    case same
    /// Every event is about another transaction, line, payment or content, of the same product.
    case other
    /// Every event is about another one of everything.
    case new
}

/// Events of one type about one kind of product, repeated.
package struct RepeatedEvent: Sendable {
    /// The type of the events.
    package var type: EventType
    /// What the events are about.
    package var subject: Subject
    /// The kind of the products.
    package var kind: ProductKind

    /// Creates a repeated event.
    package init(
        _ type: EventType, _ subject: Subject = .same, _ kind: ProductKind = .autoRenewable
    ) { (self.type, self.subject, self.kind) = (type, subject, kind) }

    /// Adds the event with a number, counted from 1.
    package func add(_ number: Int, to log: inout LogText) {
        log.add(type, members(number, log))
    }

    /// The members of the event with a number.
    private func members(_ number: Int, _ log: LogText) -> String {
        let item = subject == .same ? 1 : number
        let product = "\"product\":\"\(subject == .new ? "p\(number)" : "p1")\""
        let (transaction, original) = ("\"transaction\":\"t\(item)\"", "\"original\":\"o\(item)\"")
        let payment = "\"payment\":\"y\(item)\""
        let bought = "\"purchasedAt\":\(log.time(log.minute))"
        let end = log.time(log.minute + 60)
        let period = kind == .autoRenewable ? ",\"expiresAt\":\(end)" : ""
        let renewed = "\"transaction\":\"r\(number)\",\(original),\(product)"
        switch type {
        case .logOpened, .appLaunched, .paymentRestricted, .paymentAllowed, .queueObserved,
            .queueUnobserved, .restoreCompleted:
            return ""
        case .logNoted: return "\"text\":\"a remark\""
        case .logRecovered: return "\"bytes\":1,\"sha256\":\"\(String(repeating: "0", count: 64))\""
        case .catalogRequested, .catalogInvalid, .deliveryUnlocked, .deliveryConsumed,
            .restoreSelected:
            return product
        case .catalogListed: return "\(product),\"kind\":\"\(kind.rawValue)\",\"group\":\"g\""
        case .paymentRequested: return "\(payment),\(product)"
        case .queuePurchasing, .queueDeferred: return payment
        case .queueFailed: return "\(payment),\"error\":\"interrupted\""
        case .queuePurchased: return "\(transaction),\(product),\(bought)\(period)"
        case .queueRestored:
            return "\"transaction\":\"s\(number)\",\(original),\(product),\(bought)"
        case .queueFinished, .queueRemoved: return transaction
        case .deliveryValidated: return "\(transaction),\"outcome\":\"invalid\""
        case .deliveryPersisted: return "\(transaction),\"store\":\"server\""
        case .deliveryDownload:
            return "\(transaction),\"download\":\"d\(number)\",\"state\":\"active\""
        case .deliveryInstalled: return "\(transaction),\"place\":\"caches\""
        case .deliveryDelivered:
            return transaction + (kind == .nonRenewing ? ",\"until\":\(end)" : "")
        case .deliveryWithdrawn: return "\(transaction),\"reason\":\"expired\""
        case .receiptRefreshed: return "\"receipt\":\"c\(item)\""
        case .receiptListed:
            return "\"receipt\":\"c1\",\(transaction),\(product),\(bought)\(period)"
        case .receiptValidated:
            return "\"receipt\":\"c\(item)\",\"outcome\":\"valid\",\"status\":21007"
        case .restoreRequested: return "\"by\":\"user\""
        case .restoreFailed: return "\"error\":\"network\""
        case .renewalStarted, .renewalRenewed:
            return "\(renewed),\"group\":\"g\",\(bought),\"expiresAt\":\(end)"
        case .renewalFailed: return "\(original),\"retrying\":true,\"graceExpiresAt\":\(end)"
        case .renewalGraceExpired, .renewalTurnedOff, .renewalTurnedOn: return original
        case .renewalExpired: return "\(original),\"expiresAt\":\(end),\"reason\":\"billing\""
        case .renewalPlanChanged: return "\(original),\"next\":\"n\(item)\",\"effect\":\"now\""
        case .renewalPriceIncreased: return "\(original),\"consent\":\"pending\""
        case .renewalExtended: return "\(original),\"expiresAt\":\(end)"
        case .cancellationRefunded, .cancellationRevoked:
            return "\(transaction),\"cancelledAt\":\(log.time(log.minute))"
        case .cancellationReversed, .cancellationRequested, .cancellationDeclined:
            return transaction
        case .notificationReceived:
            return "\"notification\":\"n\(item)\",\"name\":\"DID_RENEW\",\"version\":2"
        case .contentPublished:
            return "\"content\":\"i\(number)\",\(product),\"publishedAt\":\(end)"
        case .contentOpened: return "\"content\":\"u\(item)\""
        case .accountLinked: return original
        }
    }
}

/// A log in which two events are repeated, in turn or one after the other.
package struct RepeatedPair: Sendable {
    package var first: RepeatedEvent, second: RepeatedEvent
    /// Whether the events come in turn; otherwise all of the first come before all of the second.
    package var inTurn: Bool

    package init(_ first: RepeatedEvent, _ second: RepeatedEvent, inTurn: Bool) {
        (self.first, self.second, self.inTurn) = (first, second, inTurn)
    }

    /// The log with each event repeated.
    package func log(_ count: Int) -> LogText {
        var log = LogText()
        RepeatedEvent(.appLaunched).add(1, to: &log)
        RepeatedEvent(.queueObserved).add(1, to: &log)
        for kind in Set([first.kind, second.kind]) {
            RepeatedEvent(.catalogListed, .same, kind).add(1, to: &log)
        }
        RepeatedEvent(.queuePurchased, .same, first.kind).add(1, to: &log)
        for number in 1...count {
            first.add(number, to: &log)
            if inTurn { second.add(number, to: &log) }
        }
        for number in 1...count where !inTurn { second.add(number, to: &log) }
        return log
    }
}
