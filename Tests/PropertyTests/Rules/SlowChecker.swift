import PurchaseEvents

/// Several rules again, slow and obvious: lists and loops over the whole log, without a state
/// machine or facts. Each returns the line of its first error.
struct SlowChecker {
    let events: [Event<Written>]

    /// The known rules, by id.
    static let rules: [(id: String, firstError: @Sendable (SlowChecker) -> Int?)] = [
        ("sequence-unbroken", { $0.first { $0.events[$1].seq != $0.seqBefore($1) + 1 } }),
        ("delivered-implies-paid", { $0.first { $0.isUnpaidDelivery($1) } }),
        ("nothing-after-finish", { $0.first { $0.isAfterFinish($1) } }),
        ("payments-allowed", { $0.first { $0.isRestrictedRequest($1) } }),
        ("observed-from-launch", { $0.first { $0.isUnobserved($1) } }),
        ("restored-has-original", { $0.first { $0.isWrongRestore($1) } }),
        ("secret-right", { $0.first { $0.isOfWrongSecret($1) } }),
        ("quantity-sane", { $0.first { $0.isWrongQuantity($1) } }),
        ("one-request-one-charge", { $0.first { $0.isSecondCharge($1) } }),
        ("finish-only-at-the-end", { $0.first { $0.isEarlyFinish($1) } }),
        ("delivered-to-payer", { $0.first { $0.isForStranger($1) } }),
        ("period-well-formed", { $0.first { $0.isBackwards($1) } }),
    ]

    private func first(_ isWrong: (SlowChecker, Int) -> Bool) -> Int? {
        events.indices.first { isWrong(self, $0) }.map { $0 + 1 }
    }

    /// The earlier events that meet a condition, nearest first.
    private func before(
        _ place: Int, where matches: (Event<Written>) -> Bool
    ) -> [Event<Written>] {
        events[..<place].indices.reversed().filter { matches(events[$0]) }.map { events[$0] }
    }

    /// The nearest earlier event that meets a condition.
    private func nearest(
        before place: Int, where matches: (Event<Written>) -> Bool
    ) -> Event<Written>? {
        events[..<place].indices.last { matches(events[$0]) }.map { events[$0] }
    }

    private func seqBefore(_ place: Int) -> Int64 { place == 0 ? 0 : events[place - 1].seq }

    private func kind(_ product: ProductID<Written>, _ place: Int) -> ProductKind? {
        let types: [EventType] = [.catalogListed, .receiptListed]
        for place in events[...place].indices.reversed() where types.contains(events[place].type) {
            let fact = events[place].fact
            if case .catalogListed(let said) = fact, said.product == product { return said.kind }
            if case .receiptListed(let said) = fact, said.product == product,
                let kind = said.kind
            {
                return kind
            }
        }
        return nil
    }

    private func isUnpaidDelivery(_ place: Int) -> Bool {
        guard case .deliveryDelivered(let said) = events[place].fact else { return false }
        let paid: [EventType] = [
            .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
        ]
        return before(place) { $0.transaction == said.transaction && paid.contains($0.type) }
            .isEmpty
    }

    private func isAfterFinish(_ place: Int) -> Bool {
        let event = events[place]
        let acts: [EventType] = [
            .deliveryDelivered, .deliveryDownload, .deliveryPersisted, .deliveryInstalled,
        ]
        guard acts.contains(event.type), let id = event.transaction else { return false }
        let own = before(place) { $0.transaction == id }
        guard own.contains(where: { $0.type == .queueFinished }) else { return false }
        if event.type != .deliveryDelivered { return true }
        return !own.contains { $0.type == .deliveryWithdrawn }
    }

    private func isRestrictedRequest(_ place: Int) -> Bool {
        guard events[place].type == .paymentRequested else { return false }
        let types: [EventType] = [.appLaunched, .paymentRestricted, .paymentAllowed]
        let device = events[place].device
        let last = nearest(before: place) { types.contains($0.type) && $0.device == device }
        return last?.type == .paymentRestricted
    }

    private func isUnobserved(_ place: Int) -> Bool {
        let queue: [EventType] = [
            .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
            .queueFinished, .queueRemoved,
        ]
        guard queue.contains(events[place].type) else { return false }
        let device = events[place].device
        let last = nearest(before: place) {
            [.appLaunched, .queueObserved].contains($0.type) && $0.device == device
        }
        return last?.type == .appLaunched
    }

    private func isWrongRestore(_ place: Int) -> Bool {
        guard case .queueRestored(let said) = events[place].fact else { return false }
        return said.original == said.transaction || kind(said.product, place) == .consumable
    }

    private func isOfWrongSecret(_ place: Int) -> Bool {
        guard let source = events[place].source else { return false }
        return nearest(before: place) { event in
            guard event.type == .notificationReceived,
                case .notificationReceived(let said) = event.fact
            else { return false }
            return said.notification == source && said.secret == .wrong
        } != nil
    }

    private func isWrongQuantity(_ place: Int) -> Bool {
        guard case .paymentRequested(let said) = events[place].fact,
            let kind = kind(said.product, place)
        else { return false }
        return (said.quantity ?? 1) > (kind == .consumable ? 10 : 1)
    }

    private func isSecondCharge(_ place: Int) -> Bool {
        guard case .queuePurchased(let said) = events[place].fact, let payment = said.payment else {
            return false
        }
        let own = before(place) { $0.payment == payment }
        let requests = own.count { $0.type == .paymentRequested }
        var charged: [TransactionID<Written>] = [said.transaction]
        for event in own where event.type == .queuePurchased {
            if let id = event.transaction, !charged.contains(id) { charged.append(id) }
        }
        return requests > 0 && charged.count > requests
    }

    private func isEarlyFinish(_ place: Int) -> Bool {
        guard events[place].type == .queueFinished,
            case .queueFinished(.payment(let payment)) = events[place].fact
        else { return false }
        let types: [EventType] = [
            .queuePurchasing, .queueDeferred, .queueFailed, .paymentRequested,
        ]
        let last = nearest(before: place) { types.contains($0.type) && $0.payment == payment }
        return last.map { $0.type != .queueFailed } ?? false
    }

    private func isForStranger(_ place: Int) -> Bool {
        guard case .deliveryDelivered(let said) = events[place].fact else { return false }
        let bought = before(place) { event in
            event.type == .queuePurchased && event.transaction == said.transaction
        }.last
        guard let buyer = bought?.account, let account = events[place].account else { return false }
        return buyer != account
    }

    private func isBackwards(_ place: Int) -> Bool {
        switch events[place].fact {
        case .queuePurchased(let said): said.expiresAt.map { $0 <= said.purchasedAt } ?? false
        case .renewalStarted(let said): said.expiresAt <= said.purchasedAt
        case .renewalRenewed(let said): said.expiresAt <= said.purchasedAt
        default: false
        }
    }
}
