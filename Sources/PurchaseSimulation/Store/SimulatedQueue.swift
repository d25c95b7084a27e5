import PurchaseEvents

/// The payment queue: requests, answers, and purchases that come without a request.
extension Simulation {
    /// The user requests a product, which the app lists first; with `second`, the user requests
    /// it twice.
    func ask(
        for purchase: SimulatedPurchase, and second: SimulatedPurchase? = nil,
        _ account: SimulatedAccount
    ) {
        if showsCatalogue, fails(.losesCatalogueAnswer) {
            return loseAnswer(on: purchase.item.id, account)
        }
        // The last step added is performed first.
        if let second { account.push(after: wait(500, 3_000), .request(second)) }
        account.push(after: wait(5_000, 40_000), .request(purchase))
        // A request has at most one fault.
        if showsCatalogue, !listed[purchase.product], listed.contains(true), second == nil,
            purchase.requestFault == nil, fails(.requestsUnlisted)
        {
            purchase.requestFault = .requestsUnlisted
            return
        }
        list(purchase, account)
    }

    /// The app lists a product before its first purchase, and sometimes again, if the log shows
    /// listings.
    func list(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard showsCatalogue, !listed[purchase.product] || choices.happens(oncePer: 8) else {
            return
        }
        let product = purchase.item
        listed[purchase.product] = true
        account.device.unansweredRequests.removeAll {
            $0.fault == .losesCatalogueAnswer && $0.key == product.id.name
        }
        let isWrong = rarely(400)
        if isWrong {
            account.push(after: 200, .imply(.catalogInvalid(product: SimulatedProduct.unknown)))
        }
        account.push(
            after: wait(300, 1_500), .note(.catalogListed(product.listing(in: account.currency))))
        if isWrong {
            account.push(after: 100, .imply(.catalogRequested(product: SimulatedProduct.unknown)))
        }
        account.push(after: wait(1_000, 3_000), .imply(.catalogRequested(product: product.id)))
    }

    /// Adds a payment to the queue, requested by the app or promoted in the App Store.
    func request(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard let payment = purchase.payment else { return }
        account.device.open.append(purchase)
        purchase.isRequested =
            purchase.requestFault != nil || purchase.sharesPayment
            || choices.choose(below: options.mix == .ordinary ? 100 : 4) != 0
        if purchase.isRequested, !record(requestOf: purchase, payment, account) { return }
        account.push(after: wait(200, 1_500), .purchasing(purchase))
        if mayCrash(account), rarely(400) { crash(account) }
    }

    /// Records a payment request; returns whether the queue receives it.
    private func record(
        requestOf purchase: SimulatedPurchase, _ payment: PaymentID<Written>,
        _ account: SimulatedAccount
    ) -> Bool {
        let seq = note(
            .paymentRequested(
                .init(
                    payment: payment, product: purchase.item.id,
                    quantity: purchase.quantity == 1 ? nil : purchase.quantity,
                    payer: account.payer, price: purchase.price, currency: account.currency)),
            account)
        if let fault = purchase.requestFault { plant(fault, at: seq, account, key: payment.name) }
        // Today another purchase of the plan, which names no payment, may answer the request.
        let mayBeAnswered = isToday && purchase.item.kind == .autoRenewable
        if !purchase.sharesPayment, !mayBeAnswered, fails(.losesAnswer) {
            account.device.open.removeAll { $0 === purchase }
            account.device.unansweredRequests.append(
                (.losesAnswer, seq, payment.name, 2, purchase.product))
            return false
        }
        return true
    }

    /// Whether the app may crash here without an entry being presented by a third launch.
    func mayCrash(_ account: SimulatedAccount) -> Bool {
        account.device.open.allSatisfy { $0.presentations < 2 }
    }

    /// The store answers a request.
    func answer(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        let mayDefer = favors(.finishesDeferred) || favors(.deliversDeferred)
        let weights: [Int64] =
            options.mix == .ordinary
            ? [200, 10, 3, 3, mayDefer ? 60 : 2] : [10, 1, 1, 1, mayDefer ? 8 : 1]
        switch choices.index(weightedBy: weights) {
        case 1: fail(purchase, .cancelled, account)
        case 2: fail(purchase, .network, account)
        // Without a recorded request, the log doesn't tell which product an interrupted payment was
        // for.
        case 3 where purchase.isRequested || options.mix == .adverse:
            fail(purchase, .interrupted, account)
        case 4 where !purchase.isUpgrade: deferPurchase(purchase, account)
        default:
            guard sells(purchase, to: account) else { return fail(purchase, .cancelled, account) }
            charge(purchase, account)
            announce(purchase, account)
            purchase.presentations = 1
            account.push(after: wait(300, 1_500), .process(purchase))
        }
    }

    /// Plants faults of the queue's first statement about a purchase.
    private func plantAnswer(
        _ purchase: SimulatedPurchase, at seq: Int64, _ account: SimulatedAccount
    ) {
        if account.device.isLate {
            account.device.isLate = false
            plant(.observesLate, at: seq, account)
        }
        guard let fault = purchase.answerFault else { return }
        purchase.answerFault = nil
        plant(fault, at: seq, account, key: purchase.transaction.name)
    }

    private func fail(
        _ purchase: SimulatedPurchase, _ error: KnownError, _ account: SimulatedAccount
    ) {
        purchase.state = .failed(error)
        purchase.presentations = 1
        announce(purchase, account)
        // A purchase with an impossible quantity can't be completed in the App Store either.
        if error == .interrupted, purchase.requestFault != .requestsTooMany {
            // A purchase completed in the App Store arrives without a request.
            let later = SimulatedPurchase(product: purchase.product)
            later.quantity = purchase.quantity
            later.price = purchase.price
            later.offer = purchase.offer
            later.terms = purchase.terms
            account.push(after: wait(Timestamp.minute, Timestamp.minute * 5), .arrive(later))
        }
        account.push(after: wait(300, 1_500), .process(purchase))
    }

    /// The purchase waits for another person, who approves it days later, declines it, or never
    /// answers.
    private func deferPurchase(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        purchase.state = .deferred
        announce(purchase, account)
        if !purchase.sharesPayment, let payment = purchase.payment {
            workOnDeferred(payment, account)
        }
        let later = now + wait(Timestamp.hour, Timestamp.day * 6)
        switch choices.index(weightedBy: [6, 1, 1]) {
        case 0: agenda.plan(.approval(account, purchase, true), at: later)
        case 1: agenda.plan(.approval(account, purchase, false), at: later)
        default: break
        }
    }

    func approve(_ purchase: SimulatedPurchase, _ account: SimulatedAccount, _ isApproved: Bool) {
        guard case .deferred = purchase.state else { return }
        purchase.isApproved = isApproved
        if isApproved, sells(purchase, to: account) {
            charge(purchase, account)
        } else {
            purchase.state = .failed(.cancelled)
        }
    }

    /// Receives a purchase that this app didn't request, such as an offer code or a payment that
    /// failed before.
    func arrive(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard sells(purchase, to: account) else { return }
        // In the log, this looks like the answer to a request that seemed lost.
        account.device.unansweredRequests.removeAll { $0.product == purchase.product }
        account.device.open.append(purchase)
        charge(purchase, account)
        purchase.presentations = 1
        announce(purchase, account)
        account.push(after: wait(300, 1_500), .process(purchase))
    }

    func present(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        switch purchase.state {
        case .open:
            // The app ended before the store had answered.
            account.script.removeAll { item in
                if case .process(let other) = item.step { other === purchase } else { false }
            }
            answer(purchase, account)
            return
        case .deferred: break
        case .failed, .bought: purchase.presentations += 1
        }
        announce(purchase, account)
    }

    /// Records what the queue says about an entry.
    @discardableResult
    func announce(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Int64 {
        let seq = recordAnnouncement(purchase, account)
        plantAnswer(purchase, at: seq, account)
        return seq
    }

    private func recordAnnouncement(_ purchase: SimulatedPurchase, _ account: SimulatedAccount)
        -> Int64
    {
        switch purchase.state {
        case .open: return seq
        case .deferred:
            guard let payment = purchase.payment else { return seq }
            return note(.queueDeferred(payment: payment), account)
        case .failed(let error):
            guard let payment = purchase.payment else { return seq }
            let code: Int64 = error == .cancelled ? 2 : error == .network ? 7 : 0
            return note(
                .queueFailed(
                    .init(payment: payment, error: ErrorWord(String(error.rawValue)), code: code)),
                account)
        case .bought:
            return record(
                boughtFact(purchase, account), of: account, on: account.device,
                as: purchase.otherAccount)
        }
    }

    /// The `queue.purchased` or `queue.restored` fact of an entry.
    func boughtFact(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Fact<Written> {
        let product = purchase.item.id
        let original = purchase.subscription?.original
        if let restored = purchase.restores {
            return .queueRestored(
                .init(
                    transaction: purchase.transaction, original: restored, product: product,
                    purchasedAt: purchase.purchasedAt.time,
                    originalPurchasedAt: purchase.originalPurchasedAt?.time,
                    expiresAt: purchase.expiresAt?.time, ownership: purchase.ownership))
        }
        return .queuePurchased(
            .init(
                transaction: purchase.transaction, payment: purchase.payment,
                original: original == purchase.transaction ? nil : original, product: product,
                quantity: purchase.quantity == 1 ? nil : purchase.quantity,
                purchasedAt: purchase.purchasedAt.time,
                originalPurchasedAt: purchase.originalPurchasedAt?.time,
                expiresAt: purchase.expiresAt?.time, price: purchase.isSeat ? nil : purchase.price,
                currency: purchase.isSeat ? nil : account.currency, ownership: purchase.ownership,
                offer: purchase.offer, terms: purchase.terms))
    }
}
