import PurchaseEvents

/// How a simulated App Store delivers its notifications.
public enum StoreDeliveries: String, CaseIterable, Hashable, Sendable {
    /// Each notification once, in order.
    case clean
    /// With repeats and retries: an attempt that failed for the store is made again 1, 12, 24, 48
    /// and 72 hours after the first.
    case retried
    /// Every notification and every repeat, in any order, after the end of the history.
    case shuffled
}

/// An attempt to deliver a notification.
struct StoreAttempt {
    var at: Timestamp
    /// Whether the server gets the body.
    var arrives: Bool
    var result: String
}

/// An attempt that arrives at the server.
struct StoreArrival {
    var at: Timestamp
    /// The place of the notification in the history.
    var notification: Int
    /// The number of the attempt, from 1.
    var attempt: Int
}

extension StoreDeliveries {
    /// The times between the first attempt and each later one.
    private static let delays = [0, 1, 12, 24, 48, 72].map { Int64($0) * Timestamp.hour }

    /// The attempts to deliver a notification; 0 is the simplest choice: one that succeeds.
    ///
    /// The sandbox makes one attempt.
    func attempts(
        of notification: StoreNotification, _ choices: any ChoiceSource
    ) -> [StoreAttempt] {
        let first = notification.signedAt.advanced(
            byMilliseconds: 1_000 + choices.choose(below: 2_000))
        var failures = 0, isReceived = false
        if self != .clean, notification.environment == .production {
            switch choices.index(weightedBy: [10, 1, 1]) {
            case 1:
                // The server took too long to answer: it gets the same body again.
                (failures, isReceived) = (1 + Int(choices.choose(below: 2)), true)
            case 2: failures = 1 + Int(choices.choose(below: 5))
            case _: break
            }
        }
        let missed = choices.pick(["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "NO_RESPONSE"])
        return (0...failures).map { number in
            let isLast = number == failures
            return StoreAttempt(
                at: first.advanced(byMilliseconds: StoreDeliveries.delays[number]),
                arrives: isLast || isReceived,
                result: isLast ? "SUCCESS" : isReceived ? "TIMED_OUT" : missed)
        }
    }

    /// The attempts that arrive, in their order.
    ///
    /// - Parameter end: The end of the history, after which shuffled bodies arrive.
    func arrivals(
        _ attempts: [[StoreAttempt]], end: Timestamp, _ choices: any ChoiceSource
    ) -> [StoreArrival] {
        var arrivals: [StoreArrival] = []
        for (index, attempts) in attempts.enumerated() {
            for (number, attempt) in attempts.enumerated() where attempt.arrives {
                arrivals.append(
                    StoreArrival(at: attempt.at, notification: index, attempt: number + 1))
            }
        }
        switch self {
        case .clean: break
        case .retried: arrivals.sort { $0.at < $1.at }
        case .shuffled:
            for index in arrivals.indices.dropLast() {
                // Choice 0 leaves the order as it is.
                let other = index + Int(choices.choose(below: Int64(arrivals.count - index)))
                arrivals.swapAt(index, other)
            }
            for index in arrivals.indices {
                arrivals[index].at = end.advanced(
                    byMilliseconds: Int64(index + 1) * Timestamp.second)
            }
        }
        for index in arrivals.indices.dropFirst() {
            arrivals[index].at = max(arrivals[index].at, arrivals[index - 1].at)
        }
        return arrivals
    }
}
