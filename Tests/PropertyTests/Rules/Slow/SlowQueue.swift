import PurchaseEvents
import PurchaseProjections

// The queue and payments.
extension SlowChecker {
    static let queue: [(id: String, marks: Judge)] = [
        ("payments-allowed", { log in log.each(.error) { log.isRestrictedRequest($0) } }),
        ("observed-from-launch", { log in log.each(.error) { log.isUnobserved($0) } }),
        ("quantity-sane", { log in log.each(.error) { log.isWrongQuantity($0) } }),
        ("one-request-one-charge", { log in log.each(.error) { log.isOtherCharge($0) } }),
        ("removed-implies-finished", { log in log.unfinishedRemovals }),
        ("not-presented-after-finish", { log in log.secondPresentations }),
        ("finished-once", { log in log.each(.error) { log.isFinishedAgain($0) } }),
        ("everything-finished", { log in log.neverFinished }),
        ("one-payer-per-account", { log in log.each(.warning) { log.isThirdPayer($0) } }),
        ("payment-comes-back", { log in log.lostRequests }),
    ]

    private func isRestrictedRequest(_ place: Int) -> Bool {
        guard events[place].type == .paymentRequested else { return false }
        let types: [EventType] = [.appLaunched, .paymentRestricted, .paymentAllowed]
        let device = events[place].device
        let last = last(before: place) { types.contains($0.type) && $0.device == device }
        return last.map { events[$0].type == .paymentRestricted } ?? false
    }

    private func isUnobserved(_ place: Int) -> Bool {
        // A finish is the app's own word.
        let words: [EventType] = [
            .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
            .queueRemoved,
        ]
        guard words.contains(events[place].type) else { return false }
        let types: [EventType] = [.appLaunched, .queueObserved, .queueUnobserved]
        let device = events[place].device
        let last = last(before: place) { types.contains($0.type) && $0.device == device }
        return last.map { events[$0].type != .queueObserved } ?? false
    }

    private func isWrongQuantity(_ place: Int) -> Bool {
        guard isWrong(place) else { return false }
        let subject = { (place: Int) -> String? in
            guard isWrong(place) else { return nil }
            let event = events[place]
            return event.type == .paymentRequested ? event.payment?.name : event.transaction?.name
        }
        let isRequest = events[place].type == .paymentRequested
        if !isRequest {
            // A payment and what it bought is one finding.
            let payment =
                events[place].payment
                ?? events[place].transaction.flatMap { self.payment(of: $0, upTo: place) }
            let isFound = events[..<place].indices.contains {
                events[$0].type == .paymentRequested && events[$0].payment == payment && isWrong($0)
            }
            if payment != nil, isFound { return false }
        }
        return !events[..<place].indices.contains {
            (events[$0].type == .paymentRequested) == isRequest && subject($0) == subject(place)
        }
    }

    private func isWrong(_ place: Int) -> Bool {
        let quantity: Int64?
        let kind: ProductKind?
        switch events[place].fact {
        case .paymentRequested(let said):
            (quantity, kind) = (said.quantity, self.kind(of: said.product, upTo: place))
        case .queuePurchased(let said):
            (quantity, kind) = (said.quantity, self.kind(of: said.transaction, upTo: place))
        case .queueRestored(let said):
            (quantity, kind) = (said.quantity, self.kind(of: said.transaction, upTo: place))
        case .receiptListed(let said):
            (quantity, kind) = (said.quantity, self.kind(of: said.transaction, upTo: place))
        case .deliveryDelivered(let said):
            let known = self.kind(of: said.transaction, upTo: place)
            let isStated = product(of: said.transaction, upTo: place) != nil
            (quantity, kind) = (said.quantity, isStated && known != .consumable ? known : nil)
        case _: return false
        }
        guard let quantity, let kind else { return false }
        switch kind {
        case .consumable: return !(1...10).contains(quantity)
        case .nonConsumable: return quantity != 1
        case .autoRenewable, .nonRenewing: return quantity < 1
        }
    }

    /// Whether an event is the first purchase of its transaction.
    func isNewPurchase(_ place: Int) -> Bool {
        guard events[place].type == .queuePurchased else { return false }
        return isFirst(place) { events[$0].type == .queuePurchased ? events[$0].transaction : nil }
    }

    private struct Wanted: Equatable {
        var product: ProductID<Written>
        var quantity: Int64
    }

    private func isOtherCharge(_ place: Int) -> Bool {
        guard case .queuePurchased(let said) = events[place].fact, let payment = said.payment,
            isNewPurchase(place)
        else { return false }
        let own = places(before: place) { $0.payment == payment }
        var open: [Wanted] = []
        var (requests, purchases) = (0, 0)
        for earlier in own {
            if case .paymentRequested(let request) = events[earlier].fact {
                open.append(Wanted(product: request.product, quantity: request.quantity ?? 1))
                requests += 1
            } else if case .queuePurchased(let bought) = events[earlier].fact,
                isNewPurchase(earlier)
            {
                purchases += 1
                let wanted = Wanted(product: bought.product, quantity: bought.quantity ?? 1)
                if let match = open.firstIndex(of: wanted) { open.remove(at: match) }
            }
        }
        guard requests > 0 else { return false }
        if purchases >= requests { return true }
        return !open.contains(Wanted(product: said.product, quantity: said.quantity ?? 1))
    }

    private var unfinishedRemovals: [Mark] {
        var finishes: [PaymentID<Written>: Int] = [:]
        return each(.warning) { place in
            let event = events[place]
            guard event.type == .queueFinished || event.type == .queueRemoved else { return false }
            let payment =
                event.payment ?? event.transaction.flatMap { self.payment(of: $0, upTo: place) }
            if event.type == .queueFinished {
                if let payment { finishes[payment, default: 0] += 1 }
                return false
            }
            let count = payment.map { finishes[$0] ?? 0 } ?? 0
            if let payment { finishes[payment] = max(0, count - 1) }
            guard let transaction = event.transaction else { return count == 0 }
            return !events[..<place].indices.contains { finished($0) == transaction }
        }
    }

    private var secondPresentations: [Mark] {
        events.indices.compactMap { place in
            let event = events[place]
            let isRestored = event.type == .queueRestored
            guard isRestored || event.type == .queuePurchased,
                let transaction = event.transaction,
                !isRestored || event.fact.original != transaction,
                isFinished(transaction, on: event.device, before: place)
            else { return nil }
            let types: [EventType] = [.appLaunched, .restoreRequested]
            let last = last(before: place) { types.contains($0.type) && $0.device == event.device }
            let isSynced = last.map { events[$0].type == .restoreRequested } ?? false
            return Mark(line: place + 1, level: isSynced ? .note : .warning)
        }
    }

    private func isThirdPayer(_ place: Int) -> Bool {
        guard case .paymentRequested(let said) = events[place].fact, let payer = said.payer,
            let account = accountOfRequest(place)
        else { return false }
        let now = events[place].at
        var recent: Set<PayerID<Written>> = []
        for earlier in 0..<place {
            if case .paymentRequested(let other) = events[earlier].fact, let paid = other.payer,
                accountOfRequest(earlier) == account,
                events[earlier].at.distance(to: now) <= 30 * Timestamp.day
            {
                recent.insert(paid)
            }
        }
        return !recent.contains(payer) && recent.count >= 2
    }

    func accountOfRequest(_ place: Int) -> AccountID<Written>? {
        if let account = events[place].account { return account }
        guard let payment = events[place].payment else { return nil }
        let types: [EventType] = [
            .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased,
            .queueFinished, .queueRemoved,
        ]
        return events[...place].first {
            types.contains($0.type) && $0.payment == payment && $0.account != nil
        }?.account
    }
}

// Requests that never came back.
extension SlowChecker {
    private struct Request {
        var place: Int
        var launches: [Int] = []
        var isAnswered = false
        var isDeferred = false
    }

    private var lostRequests: [Mark] {
        var requests: [Request] = []
        var loose: [(place: Int, isUsed: Bool)] = []
        var late: [Int] = []
        var hasObserved: [DeviceID<Written>?: Bool] = [:]
        for place in events.indices {
            let event = events[place]
            let ofPayment = requests.indices.filter {
                event.payment != nil && events[requests[$0].place].payment == event.payment
            }
            let open = ofPayment.filter { !requests[$0].isAnswered }
            if event.type == .paymentRequested {
                requests.append(Request(place: place))
            } else if event.type == .queueDeferred {
                if let next = open.first(where: { !requests[$0].isDeferred }) {
                    requests[next].isDeferred = true
                }
            } else if event.type == .queueFailed || isNewPurchase(place) && event.payment != nil {
                if let oldest = open.first { requests[oldest].isAnswered = true }
            } else if isNewPurchase(place) {
                loose.append((place, false))
            } else if event.type == .queueObserved {
                hasObserved.updateValue(true, forKey: event.device)
            } else if event.type == .appLaunched {
                let wasObserved = hasObserved[event.device] ?? true
                if hasObserved[event.device] != nil {
                    hasObserved.updateValue(false, forKey: event.device)
                }
                for index in requests.indices
                where events[requests[index].place].device == event.device {
                    if requests[index].launches.isEmpty || wasObserved {
                        requests[index].launches.append(place)
                    }
                    let request = requests[index]
                    guard request.launches.count == 2, wasObserved, !request.isAnswered,
                        !request.isDeferred
                    else { continue }
                    let answer = loose.indices.filter { fits(loose[$0].place, request.place) }
                    if let answer = answer.first(where: { !loose[$0].isUsed }) {
                        loose[answer].isUsed = true
                    } else {
                        late.append(index)
                    }
                }
            }
        }
        return late.map { index in
            let isKnown = requests[index].isAnswered || requests[index].isDeferred
            return Mark(line: requests[index].place + 1, level: isKnown ? .note : .warning)
        }
    }

    /// Whether a purchase without a payment may be the answer to a request.
    private func fits(_ purchase: Int, _ request: Int) -> Bool {
        guard purchase > request, case .paymentRequested(let asked) = events[request].fact,
            case .queuePurchased(let bought) = events[purchase].fact
        else { return false }
        return asked.product == bought.product
            && bought.ownership ?? .purchased == .purchased
            && events[purchase].device == events[request].device
            && (events[purchase].account == nil || events[request].account == nil
                || events[purchase].account == events[request].account)
    }
}

// Entries that are finished too often, or not at all.
extension SlowChecker {
    private func isFinishedAgain(_ place: Int) -> Bool {
        guard events[place].type == .queueFinished else { return false }
        if let id = finished(place) {
            let earlier = events[..<place].indices.filter { finished($0) == id }
            return !earlier.isEmpty && !shown(id, before: place).contains(events[place].device)
        }
        guard let payment = events[place].payment else { return false }
        let state = state(of: payment, before: place)
        return state.failures == 0 && !state.isOpen && state.wasFinished
    }

    /// The devices that were shown a transaction and have not finished it since.
    func shown(
        _ id: TransactionID<Written>, before place: Int
    ) -> Set<DeviceID<Written>?> {
        var shown: Set<DeviceID<Written>?> = []
        var wasFinished = false
        for earlier in 0..<place {
            if [.queuePurchased, .queueRestored].contains(events[earlier].type),
                events[earlier].transaction == id
            {
                shown.insert(events[earlier].device)
            } else if finished(earlier) == id {
                if shown.remove(events[earlier].device) == nil, !wasFinished { shown = [] }
                wasFinished = true
            }
        }
        return shown
    }

    /// The third launches that present an entry that its device has not finished.
    private var neverFinished: [Mark] {
        var launches: [String: [DeviceID<Written>?: Set<Int>]] = [:]
        var found: Set<String> = []
        var marks: [(isFailure: Bool, mark: Mark)] = []
        var finishesFailures = false
        for place in events.indices {
            let event = events[place]
            let key: String
            if event.type == .queueFinished || event.type == .queueRemoved {
                let id = event.type == .queueFinished ? finished(place) : event.transaction
                key = id.map { "t \($0)" } ?? "p \(event.payment?.name ?? "")"
                if event.type == .queueFinished, id == nil { finishesFailures = true }
                if launches[key]?.removeValue(forKey: event.device) == nil || event.device == nil {
                    launches[key] = [:]
                }
                if launches[key]?.isEmpty ?? true { found.remove(key) }
                continue
            } else if event.type == .queueFailed, let payment = event.payment {
                key = "p \(payment)"
            } else if [.queuePurchased, .queueRestored].contains(event.type),
                let id = event.transaction, !isFinished(id, on: event.device, before: place)
            {
                key = "t \(id)"
            } else {
                continue
            }
            let launch = last(before: place) {
                $0.type == .appLaunched && $0.device == event.device
            }
            var known = launches[key, default: [:]][event.device] ?? []
            let isNew = launch.map { known.insert($0).inserted } ?? false
            launches[key, default: [:]].updateValue(known, forKey: event.device)
            if isNew, known.count == 3, found.insert(key).inserted {
                marks.append((key.hasPrefix("p"), Mark(line: place + 1, level: .warning)))
            }
        }
        return marks.filter { finishesFailures || !$0.isFailure }.map(\.mark)
    }
}
