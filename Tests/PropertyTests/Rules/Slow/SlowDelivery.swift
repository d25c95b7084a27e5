import PurchaseEvents
import PurchaseProjections

// What is delivered, and finished.
extension SlowChecker {
    static let delivery: [(id: String, marks: Judge)] = [
        ("delivered-implies-paid", { log in log.each(.error) { log.isUnpaid($0) } }),
        (
            "nothing-after-finish",
            { log in log.each(log.ofLog == .xcode ? .note : .error) { log.isAfterFinish($0) } }
        ),
        ("delivered-once", { log in log.secondDeliveries }),
        ("delivered-quantity", { log in log.each(.error) { log.isOtherQuantity($0) } }),
        (
            "validated-before-server-content",
            { log in log.each(.warning) { log.isDeliveredUnvalidated($0) } }
        ),
        ("downloads-move-forward", { log in log.each(.error) { log.isBackward($0) } }),
        ("finished-implies-delivered", { log in log.finishes(without: .deliveryDelivered) }),
        ("finished-implies-persisted", { log in log.finishes(without: .deliveryPersisted) }),
    ]

    /// Whether the log may be merged of several, sorted by their clocks; a chained one is not.
    private var mayBeMerged: Bool {
        guard case .logOpened(let opened) = events.first?.fact else { return true }
        return opened.chained != true
    }

    private func isUnpaid(_ place: Int) -> Bool {
        guard case .deliveryDelivered(let said) = events[place].fact else { return false }
        guard statements(of: said.transaction, upTo: place).isEmpty else { return false }
        let later = statements(of: said.transaction, upTo: events.count - 1)
        let isQueued = later.contains { place in
            [.queuePurchased, .queueRestored].contains(events[place].type)
        }
        let known = SlowLines(self)[said.transaction]
        let isStarted = events.contains {
            $0.type == .renewalStarted && $0.transaction == said.transaction
        }
        let isRenewal =
            !isStarted
            && kind(of: said.transaction, upTo: events.count - 1) == .autoRenewable
            && known.original != said.transaction
        let latest = events[place].at.advanced(byMilliseconds: isRenewal ? Timestamp.day : 0)
        return isQueued || known.start.map { $0 > latest } ?? true
    }

    private func isAfterFinish(_ place: Int) -> Bool {
        let event = events[place]
        let acts: [EventType] = [
            .deliveryDelivered, .deliveryDownload, .deliveryPersisted, .deliveryInstalled,
        ]
        guard acts.contains(event.type), let id = event.transaction,
            isFinished(id, on: event.device, before: place)
        else { return false }
        let finishes = events[..<place].indices.filter { finished($0) == id }
        let withdrawn = [
            last(before: place) { $0.type == .deliveryWithdrawn && $0.transaction == id },
            finishes.first.flatMap { reversal(of: id, finishedAt: $0, upTo: place) },
        ].compactMap { $0 }.max()
        // Clocks differ by up to five minutes: another recorder's work may have come first.
        if mayBeMerged, event.device == nil, let first = finishes.first,
            finishes.allSatisfy({ events[$0].device != nil }),
            event.at.milliseconds / 1_000 <= events[first].at.milliseconds / 1_000 + 300
        {
            return false
        }
        guard event.type == .deliveryDelivered else {
            return withdrawn.map { $0 < finishes.last ?? 0 } ?? true
        }
        let isAgain = isAgain(id, at: place)
        if isAgain { return kind(of: id, upTo: place) != .consumable }
        return withdrawn == nil
    }

    /// The place that ended the refund with which a transaction was finished undelivered, if it is
    /// reversed at a later one.
    private func reversal(
        of id: TransactionID<Written>, finishedAt finish: Int, upTo place: Int
    ) -> Int? {
        func known(_ place: Int) -> SlowTransaction {
            SlowLines(SlowChecker(events: Array(events[...place])), of: [id])[id]
        }
        let date = known(finish).cancelledAt
        guard date != nil, known(place).cancelledAt == nil, !known(place).isUpgraded,
            events[..<place].contains(where: {
                $0.type == .cancellationReversed && $0.transaction == id
            }),
            let ended = (finish...place).first(where: { known($0).cancelledAt != date })
        else { return nil }
        let delivered = events[..<place].firstIndex {
            $0.type == .deliveryDelivered && $0.transaction == id
        }
        return delivered.map { ended < $0 } ?? true ? ended : nil
    }

    /// Whether all of a transaction was delivered before a place.
    private func isAgain(_ transaction: TransactionID<Written>, at place: Int) -> Bool {
        delivered(transaction, before: place) >= quantity(of: transaction, upTo: place)
    }

    private var secondDeliveries: [Mark] {
        events.indices.compactMap { place in
            guard case .deliveryDelivered(let said) = events[place].fact,
                let kind = kind(of: said.transaction, upTo: place),
                isAgain(said.transaction, at: place),
                kind == .consumable || isDelivered(said.transaction, place)
            else { return nil }
            return Mark(line: place + 1, level: kind == .consumable ? .error : .note)
        }
    }

    /// Whether the device of a delivery delivered the transaction before, and nothing was withdrawn
    /// since; a line without a device is on every one.
    private func isDelivered(_ transaction: TransactionID<Written>, _ place: Int) -> Bool {
        let device = events[place].device
        let withdrawn = last(before: place) {
            $0.type == .deliveryWithdrawn && $0.transaction == transaction
        }
        let delivered = last(before: place) {
            $0.type == .deliveryDelivered && $0.transaction == transaction
                && (device == nil || $0.device == nil || $0.device == device)
        }
        return delivered.map { $0 > withdrawn ?? -1 } ?? false
    }

    private func isOtherQuantity(_ place: Int) -> Bool {
        if case .deliveryDelivered(let said) = events[place].fact {
            let id = said.transaction
            return kind(of: id, upTo: place) == .consumable && !isAgain(id, at: place)
                && delivered(id, before: place + 1) > quantity(of: id, upTo: place)
        }
        guard let id = finished(place), kind(of: id, upTo: place) == .consumable,
            !statements(of: id, upTo: place).isEmpty, isOwed(id, place)
        else { return false }
        let last = last(before: place) {
            [.deliveryDelivered, .deliveryWithdrawn].contains($0.type) && $0.transaction == id
        }
        guard let last, events[last].type == .deliveryDelivered else { return false }
        let owed = unitsKept(of: id, upTo: place) ?? quantity(of: id, upTo: place)
        return delivered(id, before: place) < owed
    }

    /// The units that a refund of a part of a consumable leaves, as the log knows at a place.
    private func unitsKept(of id: TransactionID<Written>, upTo place: Int) -> Int64? {
        guard kind(of: id, upTo: place) == .consumable else { return nil }
        return SlowLines(SlowChecker(events: Array(events[...place])), of: [id])[id]
            .unitsKept(of: quantity(of: id, upTo: place))
    }

    private func isDeliveredUnvalidated(_ place: Int) -> Bool {
        guard case .deliveryDelivered(let said) = events[place].fact,
            let answer = answer(said.transaction, before: place)
        else { return false }
        return answer != .valid
    }

    private func isBackward(_ place: Int) -> Bool {
        guard case .deliveryDownload(let said) = events[place].fact else { return false }
        let before = last(before: place) { event in
            guard case .deliveryDownload(let other) = event.fact else { return false }
            return other.download == said.download && other.transaction == said.transaction
                && event.device == events[place].device
        }
        guard let before, case .deliveryDownload(let old) = events[before].fact,
            old.state != said.state
        else { return false }
        switch old.state {
        case .finished, .cancelled: return true
        case .failed: return said.state == .paused || said.state == .finished
        case .waiting, .active, .paused: return false
        }
    }

    /// Whether something is owed for a transaction that a line finishes for the first time since it
    /// was presented.
    func isOwed(_ id: TransactionID<Written>, _ place: Int) -> Bool {
        let presented =
            last(before: place) {
                [.queuePurchased, .queueRestored].contains($0.type) && $0.transaction == id
            } ?? -1
        if !shown(id, before: place).contains(events[place].device),
            events[..<place].indices.contains(where: { finished($0) == id && $0 > presented })
        {
            return false
        }
        if isTakenBack(id, upTo: place) {
            let isSettled = events[..<place].contains {
                $0.type == .deliveryWithdrawn && $0.transaction == id
            }
            if isSettled || unitsKept(of: id, upTo: place) == nil { return false }
        }
        if answer(id, before: place) == .invalid { return false }
        if isReplaced(id, place) { return false }
        let types = statements(of: id, upTo: place).map { events[$0].type }
        guard types.contains(.queueRestored), !types.contains(.queuePurchased) else { return true }
        return !isExcused(id, place, isOnlyRestored: types.allSatisfy { $0 == .queueRestored })
    }

    /// Whether a restored transaction needs no delivery.
    private func isExcused(
        _ id: TransactionID<Written>, _ place: Int, isOnlyRestored: Bool
    ) -> Bool {
        let original = original(of: id, upTo: place)
        let kind = kind(of: id, upTo: place) ?? kind(of: original, upTo: place)
        let isRestore = statements(of: original, upTo: place)
            .contains { events[$0].type == .queueRestored }
        if isOnlyRestored, kind != .autoRenewable, original != id, !isRestore,
            isRefunded(original, upTo: place)
        {
            return true
        }
        guard let product = product(of: id, upTo: place) else { return false }
        if isOnlyRestored, kind == .autoRenewable, isOver(id, product, place) { return true }
        let device = events[place].device
        let requested = last(before: place) {
            $0.type == .restoreRequested && $0.device == device
        }
        if let requested {
            let selected = events[requested..<place].compactMap { event -> ProductID<Written>? in
                guard case .restoreSelected(let product) = event.fact, event.device == device
                else { return nil }
                return product
            }
            if !selected.isEmpty, !selected.contains(product) { return true }
        }
        return isInReceipt(id, original, product, before: place)
    }

    /// Whether the line of a restored transaction has periods of its product, and all of them are
    /// over or refunded.
    private func isOver(
        _ id: TransactionID<Written>, _ product: ProductID<Written>, _ place: Int
    ) -> Bool {
        let lines = SlowLines(SlowChecker(events: Array(events[...place])))
        let now = storeTime(place)
        let periods = lines.spans(of: lines[id].original).filter { $0.product == product }
        return !periods.isEmpty && lines[id].end.map { $0 <= now } ?? true
            && periods.allSatisfy { period in
                period.accessEnd <= now || lines[period.transaction].refundedAt != nil
                    || answer(period.transaction, before: place) == .invalid
            }
    }

    private func isInReceipt(
        _ id: TransactionID<Written>, _ original: TransactionID<Written>,
        _ product: ProductID<Written>, before place: Int
    ) -> Bool {
        let earlier = events[..<place]
        if earlier.contains(where: { $0.type == .deliveryDownload && $0.transaction == id }) {
            return false
        }
        let hosted = earlier.compactMap { event -> Bool? in
            guard case .catalogListed(let said) = event.fact, said.product == product
            else { return nil }
            return said.hosted
        }.last
        if hosted == true { return false }
        return earlier.contains { event in
            guard event.transaction == id || event.transaction == original else { return false }
            if case .deliveryPersisted(let said) = event.fact { return said.store == .receipt }
            return event.type == .receiptListed
        }
    }

    /// Whether another plan of its line, begun by a place, ended the period of a transaction.
    private func isReplaced(_ id: TransactionID<Written>, _ place: Int) -> Bool {
        let then = SlowChecker(events: Array(events[...place]))
        let own = SlowLines(then, of: [id])[id]
        guard own.attestsPeriod, let start = own.start, let end = own.end else { return false }
        let lines = SlowLines(then, of: Array(Set(then.events.compactMap(\.transaction))))
        let plans = lines.transactions.values.filter {
            $0.original == own.original && $0.attestsPeriod && !$0.isUpgraded
        }
        // The renewal that the store took back, or the one that own took back.
        func tookBack(_ one: SlowTransaction, _ other: SlowTransaction) -> Bool {
            guard let begun = one.start, let end = one.end, let renewed = other.start,
                let place = other.endPlace, other.refundedAt == nil
            else { return false }
            return then.version(then.events[place]) < begun && begun < renewed
                && renewed < min(end, one.refundedAt ?? end)
        }
        if plans.contains(where: { tookBack($0, own) }) {
            return true
        }
        let later = plans.filter { other in
            guard let begun = other.start, let ended = other.end, !tookBack(own, other)
            else { return false }
            return start < begun && begun < end && begun < ended
                && other.refundedAt.map { begun < $0 } ?? true
        }
        let next = later.compactMap(\.start).min()
        return later.contains { $0.start == next && $0.product != own.product }
    }

    /// The finishes of what is owed before a step of a type; of a renewal that was over by then, N.
    private func finishes(without type: EventType) -> [Mark] {
        events.indices.compactMap { place in
            guard let id = finished(place), !statements(of: id, upTo: place).isEmpty,
                !events[..<place].contains(where: { $0.type == type && $0.transaction == id }),
                isOwed(id, place), !mayPrecede(place, type, id)
            else { return nil }
            let end = SlowLines(SlowChecker(events: Array(events[...place])), of: [id])[id].end
            let isLate =
                original(of: id, upTo: place) != id && payment(of: id, upTo: place) == nil
                && kind(of: id, upTo: place) == .autoRenewable
                && end.map { $0 <= storeTime(place) } ?? false
            return Mark(line: place + 1, level: isLate ? .note : .error)
        }
    }

    /// Whether another recorder takes a step first within five minutes after a device's finish, or
    /// states why nothing is owed, before the device finishes or takes one later than that: their
    /// clocks may differ so much.
    private func mayPrecede(
        _ place: Int, _ type: EventType, _ id: TransactionID<Written>
    ) -> Bool {
        guard let device = events[place].device, mayBeMerged else { return false }
        let end = events[place].at.advanced(byMilliseconds: 5 * Timestamp.minute)
        for later in events.indices.dropFirst(place + 1) {
            let event = events[later]
            if mayFree(later, id, at: place), event.device != device, event.at <= end {
                // As if the finish had come after it.
                let before = events[...later].indices.filter {
                    $0 < place || $0 > place && events[$0].type != .queueFinished
                }
                let moved = SlowChecker(events: before.map { events[$0] } + [events[place]])
                if !moved.isOwed(id, moved.events.count - 1) { return true }
            }
            guard [type, .queueFinished].contains(event.type) else { continue }
            if event.type == type, event.transaction == id {
                return event.device != device && event.at <= end
            }
            if event.device == device, event.at > end { return false }
        }
        return false
    }

    /// Whether a line states something of the purchases of a finish, or of others of their line.
    private func mayFree(_ later: Int, _ id: TransactionID<Written>, at place: Int) -> Bool {
        let types: [EventType] = [
            .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed,
            .cancellationRefunded, .cancellationRevoked,
        ]
        guard types.contains(events[later].type), let stated = events[later].transaction else {
            return false
        }
        return stated == id || original(of: stated, upTo: later) == original(of: id, upTo: place)
    }
}
