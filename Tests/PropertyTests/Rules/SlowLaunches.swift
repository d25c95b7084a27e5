import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation

/// The launches that missed each queue entry, found slowly and obviously: every entry is compared
/// with every launch.
struct SlowLaunches {
    /// An entry that launches of a device missed.
    struct Missed: Hashable {
        var key: String
        /// The line of the first launch, the number of launches, and the line of the last.
        var line: Int, count: Int, last: Int
        /// A note if a later launch presented the entry.
        var level: Level
    }

    let events: [Event<Written>]

    private static let spoken: Set<EventType> = [
        .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
        .queueRemoved,
    ]

    /// The entries that launches missed, on all devices.
    var missed: [Missed] {
        Set(events.map(\.device)).flatMap { device in
            Set(events.compactMap(SlowLaunches.presented)).flatMap { missed($0, on: device) }
        }
    }

    /// The number of launches, over all devices, with an open entry on their device.
    var tested: Int {
        let entries = Set(events.compactMap(SlowLaunches.presented))
        return events.indices.count { place in
            events[place].type == .appLaunched
                && entries.contains { isOpen($0, on: events[place].device, before: place) }
        }
    }

    private func missed(
        _ entry: QueueEntry<Written>, on device: DeviceID<Written>?
    ) -> [Missed] {
        let launches = events.indices.filter {
            events[$0].type == .appLaunched && events[$0].device == device
        }
        var all: [Missed] = []
        var current: Missed?
        for place in events.indices {
            if !isOpen(entry, on: device, before: place + 1) {
                if let current { all.append(current) }
                current = nil
            }
            if events[place].device == device, SlowLaunches.presented(events[place]) == entry {
                current?.level = .note
            }
            // The launch before this one is judged here.
            guard let number = launches.firstIndex(of: place), number > 0,
                isOpen(entry, on: device, before: place)
            else { continue }
            let before = launches[number - 1]
            let between = events[before...place].filter { $0.device == device }
            guard between.contains(where: { SlowLaunches.spoken.contains($0.type) }),
                !between.contains(where: { SlowLaunches.presented($0) == entry }),
                isOpen(entry, on: device, before: before)
            else { continue }
            let key = entry.transaction?.name ?? entry.payment?.name ?? ""
            let line = before + 1
            current = Missed(
                key: key, line: current?.line ?? line, count: (current?.count ?? 0) + 1,
                last: line, level: .warning)
        }
        return all + (current.map { [$0] } ?? [])
    }

    /// Whether an entry is open on a device before the event at a place.
    private func isOpen(
        _ entry: QueueEntry<Written>, on device: DeviceID<Written>?, before place: Int
    ) -> Bool {
        let own = events[..<place].indices.filter { events[$0].device == device }
        guard let latest = own.last(where: { SlowLaunches.presented(events[$0]) == entry }) else {
            return false
        }
        let isFinished = events[..<place].indices.contains { finished in
            guard case .queueFinished(let ended) = events[finished].fact, ended == entry else {
                return false
            }
            // A transaction is finished for ever, a failure until the payment fails again.
            return entry.transaction != nil || finished > latest
        }
        let isGone = own.contains { gone in
            guard gone > latest else { return false }
            switch events[gone].fact {
            case .queueRemoved(let removed): return removed == entry
            case .queuePurchased(let said):
                return said.payment != nil && said.payment == entry.payment
            case _: return false
            }
        }
        return !isFinished && !isGone
    }

    /// The entry that an event presents.
    private static func presented(_ event: Event<Written>) -> QueueEntry<Written>? {
        switch event.fact {
        case .queuePurchased(let said): .transaction(said.transaction)
        case .queueRestored(let said): .transaction(said.transaction)
        case .queueFailed(let said): .payment(said.payment)
        case _: nil
        }
    }
}

/// Random events of the queues of two devices.
///
/// A payment that a finish names is never purchased, so the finish ends its failure.
struct RandomQueues {
    let events: [Event<Written>]

    init(_ choices: any ChoiceSource, upTo most: Int64) {
        var facts: [Fact<Written>] = [.logOpened(.init(schema: 1))]
        for _ in 0..<choices.number(in: 1...most) {
            choices.mark()
            facts.append(RandomQueues.fact(choices))
        }
        events = facts.enumerated().map { index, fact in
            let at = Timestamp(milliseconds: 1_767_225_600_000 + Int64(index) * Timestamp.minute)
            return Event(
                seq: Int64(index + 1), at: at, device: choices.pick(["phone", "phone", "pad"]),
                fact)
        }
    }

    private static func fact(_ choices: any ChoiceSource) -> Fact<Written> {
        let transaction: TransactionID<Written> = choices.pick(["t1", "t2", "t3"])
        let payment: PaymentID<Written> = choices.pick(["p1", "p2"])
        let at = Timestamp(milliseconds: 1_767_225_600_000)
        switch choices.choose(below: 10) {
        case 0, 1, 2: return .appLaunched
        case 3: return .queuePurchasing(payment: payment)
        case 4:
            return .queueFailed(.init(payment: choices.pick([payment, "p3"]), error: "network"))
        case 5:
            return .queuePurchased(
                .init(
                    transaction: transaction, payment: choices.pick([nil, payment]),
                    product: "coins", purchasedAt: at))
        case 6:
            return .queueRestored(
                .init(
                    transaction: transaction, original: "t0", product: "songs", purchasedAt: at))
        case 7: return .queueFinished(entry: .transaction(choices.pick([transaction, "t4"])))
        case 8: return .queueFinished(entry: .payment("p3"))
        default:
            return .queueRemoved(
                entry: choices.pick([.transaction(transaction), .payment(payment)]))
        }
    }
}
