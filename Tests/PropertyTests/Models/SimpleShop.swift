import PurchaseEvents

/// The simplest model of a ledger: three purchases with a few flags each.
///
/// The first is two coins; the other two are the same theme, and either of them entitles to it.
struct SimpleShop {
    struct Purchase {
        var isPaid = false, isInQueue = false, wasFinished = false
        var isRefunded = false, isPersisted = false
        var delivered = 0
        /// Whether it is delivered now, was withdrawn after its last delivery, was ever delivered,
        /// and was ever withdrawn.
        var isDelivered = false, isTaken = false, wasDelivered = false, wasWithdrawn = false
        /// Whether it was finished after a refund, undelivered.
        var wasFinishedRefunded = false
        /// The launch that presented it last.
        var presented: Int?
    }

    enum Act: String, CaseIterable { case deliver, deliverOne, persist, finish, withdraw }

    private(set) var purchases = Array(repeating: Purchase(), count: 3)
    private(set) var launches = 0
    private var isObserved = true
    let needsToPersist: Bool

    init(needsToPersist: Bool = true) { self.needsToPersist = needsToPersist }

    /// The number of units bought.
    private func quantity(_ number: Int) -> Int { number == 0 ? 2 : 1 }

    /// Whether any purchase still entitles to the product.
    private func isOwed(_ number: Int) -> Bool {
        let same = number == 0 ? 0...0 : 1...2
        return same.contains { purchases[$0].isPaid && !purchases[$0].isRefunded }
    }

    // MARK: Statements

    /// Whether the queue may present it: for the first time, or at another launch.
    func mayBePresented(_ number: Int) -> Bool {
        let known = purchases[number]
        return known.presented != launches && (!known.wasFinished || known.isInQueue)
    }

    mutating func launch() { launches += 1 }

    mutating func present(_ number: Int) {
        purchases[number].isPaid = true
        purchases[number].isInQueue = true
        purchases[number].presented = launches
    }

    mutating func refund(_ number: Int, _ isRefunded: Bool) {
        purchases[number].isRefunded = isRefunded
    }

    // MARK: Acts

    /// The first reason to refuse an act.
    func refusal(_ act: Act, _ number: Int) -> Refusal? {
        let known = purchases[number]
        let left = quantity(number) - known.delivered
        switch act {
        case .deliver, .deliverOne:
            let isRedelivery =
                (known.wasWithdrawn || known.wasFinishedRefunded && !known.isRefunded)
                && (!known.isDelivered || number == 0 && left > 0)
            if !known.isPaid { return .unpaid }
            if known.wasFinished, !isRedelivery { return .afterFinish }
            if known.isRefunded { return .refunded }
            return number == 0 && left <= 0 ? .deliveredAlready : nil
        case .persist:
            if !known.isPaid { return .unpaid }
            return known.wasFinished ? .afterFinish : nil
        case .withdraw:
            if !known.isPaid { return .unpaid }
            return isOwed(number) && (number > 0 || !known.isRefunded) ? .stillOwed : nil
        case .finish:
            if !known.isInQueue { return known.wasFinished ? .finishedAlready : .notAtItsEnd }
            if !known.isRefunded, !known.isDelivered { return .undelivered }
            if number == 0, known.delivered == 1 { return .deliveredInPart }
            return !known.isRefunded && needsToPersist && !known.isPersisted ? .unpersisted : nil
        }
    }

    mutating func perform(_ act: Act, _ number: Int) {
        switch act {
        case .deliver: deliver(number, max(1, quantity(number) - purchases[number].delivered))
        case .deliverOne: deliver(number, 1)
        case .persist: purchases[number].isPersisted = true
        case .finish:
            if !purchases[number].wasFinished, !purchases[number].wasDelivered {
                purchases[number].wasFinishedRefunded = purchases[number].isRefunded
            }
            purchases[number].isInQueue = false
            purchases[number].wasFinished = true
        case .withdraw:
            purchases[number].delivered = 0
            purchases[number].isDelivered = false
            purchases[number].wasWithdrawn = true
            purchases[number].isTaken = true
        }
    }

    private mutating func deliver(_ number: Int, _ count: Int) {
        purchases[number].delivered += count
        purchases[number].isDelivered = true
        purchases[number].wasDelivered = true
        purchases[number].isTaken = false
    }

    // MARK: Next steps

    /// The app's next step for a purchase in the queue.
    func next(_ number: Int) -> String? {
        let known = purchases[number]
        guard known.isInQueue else { return nil }
        if known.isRefunded {
            return known.isDelivered && (number == 0 || !isOwed(number)) ? "withdraw" : "finish"
        }
        if number == 0 ? known.delivered < quantity(number) : !known.isDelivered {
            return "deliver"
        }
        return known.isPersisted ? "finish" : "persist"
    }

    /// Whether a purchase entitles the account.
    func entitles(_ number: Int) -> Bool {
        purchases[number].isPaid && !purchases[number].isRefunded
    }
}
