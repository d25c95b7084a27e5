import PurchaseEvents

/// What the lines up to a place state of transactions and products.
extension SlowChecker {
    static let statements: [EventType] = [
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
    ]

    /// The places up to one that state a transaction.
    func statements(of transaction: TransactionID<Written>, upTo place: Int) -> [Int] {
        events[...place].indices.filter {
            events[$0].transaction == transaction
                && SlowChecker.statements.contains(events[$0].type)
        }
    }

    /// The stated value of the greatest version among the given types; `nil` if none states one.
    func stated<Value>(
        _ transaction: TransactionID<Written>, upTo place: Int, _ types: [EventType],
        _ value: (Fact<Written>) -> Value?
    ) -> Value? {
        let all = events[...place].indices.filter {
            events[$0].transaction == transaction && types.contains(events[$0].type)
                && value(events[$0].fact) != nil
        }
        return all.max { precedes(events[$0], events[$1]) }.flatMap { value(events[$0].fact) }
    }

    /// Whether a statement's version is less than another's.
    func precedes(_ left: Event<Written>, _ right: Event<Written>) -> Bool {
        let (first, second) = (version(left), version(right))
        if first != second { return first < second }
        let (old, new) = (try? LineWriter.content(of: left), try? LineWriter.content(of: right))
        return (old ?? []).lexicographicallyPrecedes(new ?? [])
    }

    func version(_ event: Event<Written>) -> Timestamp {
        if let signed = event.signedAt { return signed }
        switch event.fact {
        case .queuePurchased(let said): return said.purchasedAt
        case .queueRestored(let said): return said.purchasedAt
        case .receiptListed(let said): return said.cancelledAt ?? said.purchasedAt
        case .renewalStarted(let said): return said.purchasedAt
        case .renewalRenewed(let said): return said.purchasedAt
        case .cancellationRefunded(let said): return said.cancelledAt
        case .cancellationRevoked(let said): return said.cancelledAt
        case _: return event.at
        }
    }

    /// The latest instant that the App Store's statements show to be past.
    func latestStated(upTo place: Int) -> Timestamp {
        let instants = events[...place].flatMap { event -> [Timestamp] in
            switch event.fact {
            case .renewalExpired(let said): [version(event)] + [said.expiresAt].compactMap { $0 }
            case .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
                .cancellationRefunded, .cancellationRevoked, .cancellationReversed, .renewalFailed,
                .renewalGraceExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
                .renewalPriceIncreased, .renewalExtended:
                [version(event)]
            case _: []
            }
        }
        return instants.max() ?? .earliest
    }

    /// The App Store's time at a place, where the clock of a device may be up to a day slow.
    func storeTime(_ place: Int) -> Timestamp {
        let now = events[place].at
        let latest = min(latestStated(upTo: place), now.advanced(byMilliseconds: Timestamp.day))
        return max(now, latest)
    }

    /// The instant by which what lines up to a place state has begun, however slow the clock is.
    func begunBy(_ place: Int) -> Timestamp {
        let account = events[place].account
        let stated = events[...place].filter {
            $0.account == account && SlowLines.purchasedAt($0.fact) != nil
        }
        return max(
            storeTime(place), account == nil ? .earliest : stated.map(version).max() ?? .earliest)
    }

    func product(
        of transaction: TransactionID<Written>, upTo place: Int
    ) -> ProductID<Written>? {
        stated(transaction, upTo: place, SlowChecker.statements) { $0.product }
    }

    func original(
        of transaction: TransactionID<Written>, upTo place: Int
    ) -> TransactionID<Written> {
        let types =
            SlowChecker.statements + [
                .cancellationRefunded, .cancellationRevoked, .renewalExtended,
            ]
        let original = stated(transaction, upTo: place, types) { fact in
            fact.original == fact.transaction ? nil : fact.original
        }
        return original ?? transaction
    }

    /// The quantity of a transaction; 1 if not stated.
    func quantity(of transaction: TransactionID<Written>, upTo place: Int) -> Int64 {
        stated(transaction, upTo: place, SlowChecker.statements) { fact in
            switch fact {
            case .queuePurchased(let said): said.quantity
            case .queueRestored(let said): said.quantity
            case .receiptListed(let said): said.quantity
            case _: nil
            }
        } ?? 1
    }

    func end(_ fact: Fact<Written>) -> Timestamp? {
        switch fact {
        case .queuePurchased(let said): said.expiresAt
        case .queueRestored(let said): said.expiresAt
        case .receiptListed(let said): said.expiresAt
        case .renewalStarted(let said): said.expiresAt
        case .renewalRenewed(let said): said.expiresAt
        case .renewalExtended(let said): said.expiresAt
        case _: nil
        }
    }

    /// The kind of a product as the lines up to a place say: the catalogue's last word, otherwise
    /// that of the row or renewal with the least version.
    func kind(of product: ProductID<Written>, upTo place: Int) -> ProductKind? {
        let own = events[...place].filter { $0.product == product }
        let listed = own.compactMap { event -> ProductKind? in
            guard case .catalogListed(let said) = event.fact else { return nil }
            return said.kind
        }
        if let kind = listed.last { return kind }
        let stated = own.filter { kind($0.fact) != nil }.min { precedes($0, $1) }
        if let kind = stated.flatMap({ kind($0.fact) }) { return kind }
        let hasEnd = own.contains {
            SlowChecker.statements.contains($0.type) && end($0.fact) != nil
        }
        return hasEnd ? .autoRenewable : nil
    }

    /// The kind that a row or renewal states.
    private func kind(_ fact: Fact<Written>) -> ProductKind? {
        switch fact {
        case .receiptListed(let said): said.kind
        case .renewalStarted, .renewalRenewed: .autoRenewable
        case _: nil
        }
    }

    func kind(of transaction: TransactionID<Written>, upTo place: Int) -> ProductKind? {
        if let product = product(of: transaction, upTo: place),
            let kind = kind(of: product, upTo: place)
        {
            return kind
        }
        let stated = stated(transaction, upTo: place, SlowChecker.statements) { kind($0) }
        if let stated { return stated }
        let own = events[...place].filter { $0.transaction == transaction }
        return own.contains { end($0.fact) != nil } ? .autoRenewable : nil
    }

    /// Whether the log knows at a place that a transaction was refunded, revoked or upgraded away.
    func isTakenBack(_ transaction: TransactionID<Written>, upTo place: Int) -> Bool {
        let isUpgraded = stated(transaction, upTo: place, [.receiptListed]) { fact -> Bool? in
            if case .receiptListed(let said) = fact { return said.upgraded }
            return nil
        }
        return isUpgraded == true || isRefunded(transaction, upTo: place)
    }

    func isRefunded(_ transaction: TransactionID<Written>, upTo place: Int) -> Bool {
        let types: [EventType] = [
            .receiptListed, .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
        ]
        return stated(transaction, upTo: place, types) { fact -> Bool? in
            switch fact {
            case .receiptListed(let said): said.cancelledAt == nil ? nil : true
            case .cancellationRefunded, .cancellationRevoked: true
            case .cancellationReversed: false
            case _: nil
            }
        } ?? false
    }

    /// The server's last answer about a transaction before a place.
    func answer(
        _ transaction: TransactionID<Written>, before place: Int
    ) -> ValidationOutcome? {
        let all = events[..<place].compactMap { event -> ValidationOutcome? in
            guard case .deliveryValidated(let said) = event.fact, said.transaction == transaction
            else { return nil }
            return said.outcome
        }
        return all.last { $0 != .unreachable } ?? all.last
    }

    // MARK: Deliveries

    /// What is delivered of a transaction before a place, since its last withdrawal.
    func delivered(_ transaction: TransactionID<Written>, before place: Int) -> Int64 {
        let withdrawn = last(before: place) {
            $0.type == .deliveryWithdrawn && $0.transaction == transaction
        }
        var sum: Int64 = 0
        let quantity = place == 0 ? 1 : quantity(of: transaction, upTo: place - 1)
        var isRest = false
        for event in events[(withdrawn.map { $0 + 1 } ?? 0)..<place] {
            guard case .deliveryDelivered(let said) = event.fact, said.transaction == transaction
            else { continue }
            if let part = said.quantity {
                sum += part
            } else if isRest {
                sum += 1
            } else {
                // Everything that is left, at least one.
                sum = max(sum + 1, quantity)
                isRest = true
            }
        }
        return sum
    }

    // MARK: Devices

    /// The devices that finished a transaction before a place, and whether the unnamed one did.
    func finishers(
        _ transaction: TransactionID<Written>, before place: Int
    ) -> Set<DeviceID<Written>?> {
        var shown: Set<DeviceID<Written>?> = []
        var finishers: Set<DeviceID<Written>?> = []
        for earlier in 0..<place {
            let device = events[earlier].device
            if [.queuePurchased, .queueRestored].contains(events[earlier].type),
                events[earlier].transaction == transaction
            {
                shown.insert(device)
            } else if finished(earlier) == transaction {
                // The first finish by a device that was not shown it closes it on all.
                if shown.remove(device) == nil, finishers.isEmpty {
                    finishers.formUnion(shown)
                    shown = []
                }
                finishers.insert(device)
            }
        }
        return finishers
    }

    /// Whether a device finished a transaction before a place; a line without one is on every one.
    func isFinished(
        _ transaction: TransactionID<Written>, on device: DeviceID<Written>?, before place: Int
    ) -> Bool {
        let all = finishers(transaction, before: place)
        return !all.isEmpty && (device == nil || all.contains(nil) || all.contains(device))
    }

    /// The transaction that a finish ends; of a payment, its oldest purchase that is not finished,
    /// once its failures are finished and nothing of it is in progress.
    func finished(_ place: Int) -> TransactionID<Written>? {
        guard case .queueFinished(let entry) = events[place].fact else { return nil }
        if let transaction = entry.transaction { return transaction }
        guard let payment = entry.payment else { return nil }
        let state = state(of: payment, before: place)
        guard state.failures == 0, !state.isOpen else { return nil }
        let bought = places(before: place) {
            $0.type == .queuePurchased && $0.payment == payment
        }
        var ids: [TransactionID<Written>] = []
        for earlier in bought {
            guard let id = events[earlier].transaction, !ids.contains(id),
                self.payment(of: id, upTo: earlier) == payment
            else { continue }
            ids.append(id)
        }
        let isEnded = { (id: TransactionID<Written>) in
            events[..<place].indices.contains { finished($0) == id }
        }
        if let oldest = ids.first(where: { !isEnded($0) }) { return oldest }
        // Without one, the finish repeats the latest, unless a finish of the payment ended it.
        return state.isPurchased ? bought.last.flatMap { events[$0].transaction } : nil
    }

    /// The failures of a payment that wait to be finished, whether it is in progress, whether it
    /// was purchased and no finish of it came since, and whether it was finished.
    func state(
        of payment: PaymentID<Written>, before place: Int
    ) -> (failures: Int, isOpen: Bool, isPurchased: Bool, wasFinished: Bool) {
        var state = (failures: 0, isOpen: false, isPurchased: false, wasFinished: false)
        for event in events[..<place] where event.payment == payment {
            switch event.type {
            case .queueFailed: (state.failures, state.isOpen) = (state.failures + 1, false)
            case .paymentRequested, .queuePurchasing, .queueDeferred: state.isOpen = true
            case .queuePurchased: (state.isOpen, state.isPurchased) = (false, true)
            case .queueFinished:
                state.wasFinished = true
                if state.failures > 0 {
                    state.failures -= 1
                } else if !state.isOpen {
                    state.isPurchased = false
                }
            case _: break
            }
        }
        return state
    }

    /// The payment that a transaction's purchases name first.
    func payment(of transaction: TransactionID<Written>, upTo place: Int) -> PaymentID<Written>? {
        events[...place].first {
            $0.type == .queuePurchased && $0.transaction == transaction && $0.payment != nil
        }?.payment
    }
}
