import PurchaseEvents

/// The life of a subscription: renewals, failures, and changes by the subscriber.
extension Simulation {
    /// Plans the end of a period, and perhaps an event within the period.
    func planPeriod(_ line: SimulatedLine, _ account: SimulatedAccount) {
        line.version += 1
        agenda.plan(.due(account, line, line.version), at: line.expiry + wait(2_000, 6_000))
        if isToday { planEarlyRenewal(of: line, account) }
        let end = line.expiry - Timestamp.day * 2
        let mayHappen = favors(.raisesPriceUnasked) || favors(.forgetsToWithdraw)
        guard account.environment == nil, now + Timestamp.day < end,
            mayHappen || rarely(isToday ? 4 : 12)
        else {
            return
        }
        let increases: Int64 = favors(.raisesPriceUnasked) ? 60 : 2
        let weights = [10, 2, 0, 2, increases, 0, 2, 2]
        guard let event = LineEvent(rawValue: Int64(choices.index(weightedBy: weights)))
        else { return }
        agenda.plan(
            .event(account, line, line.version, event),
            at: wait(max(now, line.start) + Timestamp.hour, end))
    }

    func apply(_ event: LineEvent, _ line: SimulatedLine, _ account: SimulatedAccount) {
        if event == .renewedAhead { return renewAhead(line, account) }
        if line.current.commitment != nil {
            return apply(event, duringCommitmentOf: line, account)
        }
        if line.isSeat { return apply(event, toSeat: line, account) }
        switch event {
        case .turnedOff, .turnedOffAndOn:
            line.renewsItself = false
            state(.renewalTurnedOff(original: line.original), account)
            if event == .turnedOffAndOn { planLater(.turnedOn, line, account) }
            if event == .turnedOff, isToday, choices.happens(oncePer: 3) { retain(line, account) }
        case .turnedOn:
            line.renewsItself = true
            state(.renewalTurnedOn(original: line.original), account)
        case .planChanged: changePlan(of: line, account)
        case .priceIncreased:
            line.hasPendingIncrease = true
            stateAtOnce(
                .renewalPriceIncreased(
                    RenewalPriceIncreased(original: line.original, consent: .pending)), account)
            if !favors(.raisesPriceUnasked), !choices.happens(oncePer: 4) {
                planLater(.priceAgreed, line, account)
            }
        case .priceAgreed:
            line.hasPendingIncrease = false
            line.price += 1_000
            line.priceBeforeRaise = nil
            stateAtOnce(
                .renewalPriceIncreased(
                    RenewalPriceIncreased(original: line.original, consent: .agreed)), account)
        case .extended: extend(line, account)
        case .refunded: refund(line, account)
        case .graceExpired: state(.renewalGraceExpired(original: line.original), account)
        case .renewedAhead: break
        }
    }

    func planLater(
        _ event: LineEvent, _ line: SimulatedLine, _ account: SimulatedAccount
    ) {
        let end = max(now + Timestamp.minute, line.expiry - Timestamp.hour)
        agenda.plan(
            .event(account, line, line.version, event), at: wait(now + 30_000, end))
    }

    /// Changes the plan from the next renewal on: a downgrade, or another duration at the same
    /// level (G6.5).
    private func changePlan(of line: SimulatedLine, _ account: SimulatedAccount) {
        if isToday, line.next != nil {
            // The subscriber keeps the present plan after all. Who doesn't hear it expects another.
            line.next = nil
            stateAtOnce(nextPlan(line.product, line), account)
            return
        }
        let level = SimulatedProduct.all[line.product].level ?? 1
        let others = subscriptions.filter { place in
            let product = SimulatedProduct.all[place]
            return place != line.product && product.group == line.group
                && (product.level ?? 1) >= level
        }
        guard !others.isEmpty else { return }
        let next = choices.pick(others)
        // What acts at once is bought, not planned.
        if isToday, actsAtOnce(from: line.product, to: next) { return }
        line.next = next
        if isToday, choices.happens(oncePer: 3) { return }
        state(nextPlan(next, line), account)
        if isToday, choices.happens(oncePer: 2) { planLater(.planChanged, line, account) }
    }

    private func nextPlan(_ next: Int, _ line: SimulatedLine) -> Fact<Written> {
        .renewalPlanChanged(
            RenewalPlanChanged(
                original: line.original, product: SimulatedProduct.all[line.product].id,
                next: SimulatedProduct.all[next].id, effect: .nextRenewal))
    }

    func refund(_ line: SimulatedLine, _ account: SimulatedAccount) {
        line.version += 1
        line.state = .ended
        line.isRefunded = true
        line.current.isRefunded = true
        let percent = choices.happens(oncePer: 3) ? wait(10, 90) * 1_000 : nil
        stateAtOnce(
            .cancellationRefunded(
                CancellationRefunded(
                    transaction: line.current.transaction, original: line.original,
                    cancelledAt: Timestamp(milliseconds: now / 1_000 * 1_000), reason: .other,
                    percent: percent)), account)
        changeRow(of: line.current, account) {
            $0.cancelledAt = Timestamp(milliseconds: now / 1_000 * 1_000)
        }
        if line.renewsItself {
            line.renewsItself = false
            if choices.choose(below: 2) == 1 {
                state(.renewalTurnedOff(original: line.original), account)
            }
        }
    }

    // MARK: The end of a period

    func periodEnds(_ line: SimulatedLine, _ account: SimulatedAccount) {
        switch line.state {
        case .ended: return
        case .retrying:
            if line.recovers {
                let fault: Fault? = line.retriesTooLong ? .retriesTooLong : nil
                renew(line, account, isRecovery: true, fault: fault)
            } else {
                end(line, .billing, account)
            }
        case .active:
            if !line.renewsItself {
                end(line, .cancelled, account)
            } else if line.hasPendingIncrease, line.current.offer == nil,
                fails(.raisesPriceUnasked)
            {
                line.hasPendingIncrease = false
                let before = line.priceBeforeRaise ?? line.price
                line.price += 1_000
                renew(line, account, isRecovery: false, fault: .raisesPriceUnasked)
                line.priceBeforeRaise = before
            } else if line.hasPendingIncrease {
                end(line, .priceIncrease, account)
            } else if account.environment != nil, line.renewals >= 5 {
                end(line, .cancelled, account)
            } else if account.environment == nil, favors(.retriesTooLong) || rarely(24) {
                failToRenew(line, account)
            } else if isToday, account.environment == nil, line.current.commitment == nil,
                !line.isSeat, choices.happens(oncePer: 30)
            {
                // The product is no longer sold.
                end(line, .unavailable, account)
            } else {
                renew(line, account, isRecovery: false)
            }
        }
    }

    private func end(
        _ line: SimulatedLine, _ reason: ExpirationReason, _ account: SimulatedAccount
    ) {
        line.state = .ended
        line.renewsItself = false
        line.version += 1
        let fact = Fact<Written>.renewalExpired(
            RenewalExpired(
                original: line.original, product: SimulatedProduct.all[line.product].id,
                expiresAt: Timestamp(milliseconds: line.expiry), reason: reason))
        // The end of a retry must be known before another retry can begin.
        if reason == .billing { stateAtOnce(fact, account) } else { state(fact, account) }
    }

    /// The payment fails; the store retries for up to 60 days, or 90 in a commitment, with or
    /// without a grace period.
    private func failToRenew(_ line: SimulatedLine, _ account: SimulatedAccount) {
        // If a second plan was sold by mistake, a recovery would give the account both plans again.
        let isAlone = !account.lines.contains { $0 !== line && $0.group == line.group }
        let isTooLong = isAlone && fails(.retriesTooLong)
        let hasGrace = choices.choose(below: 2) == 1
        let grace = hasGrace ? line.expiry + 16 * Timestamp.day : nil
        line.state = .retrying(graceUntil: grace)
        line.hadGrace = hasGrace
        line.recovers = isTooLong || !choices.happens(oncePer: 3) && isAlone
        line.retriesTooLong = isTooLong
        // Pages don't tell a grace period that a lapse followed.
        let latest = hasGrace && options.isToldToServers ? 15 : 30
        let limit: Int64 = line.current.commitment == nil ? 60 : 90
        let later =
            isTooLong
            ? line.expiry + Timestamp.day * (limit + 10)
            : line.recovers
                ? now + wait(Timestamp.hour, Timestamp.day * Int64(latest))
                : line.expiry + Timestamp.day * (limit - 1) + wait(0, Timestamp.hour * 20)
        agenda.plan(.due(account, line, line.version), at: later)
        if let grace, later > grace {
            agenda.plan(
                .event(account, line, line.version, .graceExpired), at: grace + 1_000)
        }
        stateAtOnce(
            .renewalFailed(
                RenewalFailed(
                    original: line.original, product: SimulatedProduct.all[line.product].id,
                    retrying: true, graceExpiresAt: grace.map { Timestamp(milliseconds: $0) })),
            account)
    }

    /// Starts the next period, paid at the end of the last period or when a retried payment
    /// succeeds.
    func renew(
        _ line: SimulatedLine, _ account: SimulatedAccount, isRecovery: Bool, fault: Fault? = nil
    ) {
        var fault = fault
        let grantedBefore = line.grantsAccess(at: now)
        // Whether the log certainly knows the line.
        let isKnown = line.current.presentations > 0
        let product = line.next ?? line.product
        // Only one renewal has the wrong price, not every later one.
        if fault != .raisesPriceUnasked { line.price = line.priceBeforeRaise ?? line.price }
        line.priceBeforeRaise = nil
        let purchase = nextPurchase(of: line, product, account)
        let keepsDate = options.isToldToServers && grantedBefore
        if isRecovery && !keepsDate { purchase.purchasedAt = now / 1_000 * 1_000 }
        // A price that rises at this renewal was agreed to before it, but perhaps not two days ago.
        let isRaised = isToday && line.price > line.current.price
        if fault == nil, !isRecovery, account.environment == nil, isKnown, !isRaised,
            product == line.product, fails(.overlapsPeriods)
        {
            fault = .overlapsPeriods
            purchase.overlaps = true
            purchase.purchasedAt -= Timestamp.day * 2
        }
        let before = line.current.commitment, endBefore = line.expiry
        // A recovery within the grace period keeps the billing date.
        let from = isRecovery && grantedBefore ? line.expiry : purchase.purchasedAt
        let expiry =
            before.map {
                continueCommitment(
                    $0, with: purchase, from: from, lateBy: from - endBefore, account)
            } ?? periodEnd(after: from, product, account)
        purchase.expiresAt = expiry
        account.arrivals.append(purchase)
        if isToday, fault == nil { applyNextOffer(of: line, to: purchase) }
        line.begin(purchase, until: expiry)
        keepRow(purchase, account)
        planPeriod(line, account)
        let fact = renewal(of: line, with: purchase, isRecovery, account)
        defer { if before != nil { endCommitment(line, account) } }
        if let fault {
            // The finding about a retry names the subscription; all others name the transaction.
            let key = fault == .retriesTooLong ? line.original : purchase.transaction
            plant(fault, at: stateAtOnce(fact, account), account, key: key.name)
        } else if isKnown, line.firstAccount == nil, fails(.renewsForStranger) {
            let otherAccount = AccountID<Written>(names.uuid())
            plant(
                .renewsForStranger, at: record(fact, of: account, as: otherAccount), account,
                key: line.original.name)
        } else if isRecovery {
            // The end of a retry must be known, as when a subscription ends.
            stateAtOnce(fact, account)
        } else {
            state(fact, account)
        }
    }
    /// The purchase of a line's next period, which starts at the end of the current one.
    private func nextPurchase(
        of line: SimulatedLine, _ product: Int, _ account: SimulatedAccount
    ) -> SimulatedPurchase {
        let quantity = line.current.quantity
        if line.next != nil || line.price == 0 || isToday && line.current.offer != nil {
            line.price = SimulatedProduct.all[product].price * quantity
        }
        let purchase = SimulatedPurchase(product: product)
        purchase.state = .bought
        purchase.line = line
        purchase.transaction = TransactionID(names.transaction(in: account.environment))
        purchase.purchasedAt = line.expiry
        purchase.originalPurchasedAt = line.originalPurchasedAt
        purchase.price = line.price
        purchase.quantity = quantity
        purchase.isShared = line.current.isShared
        purchase.isAssigned = line.current.isAssigned
        return purchase
    }

    /// The store's statement of a renewal.
    private func renewal(
        of line: SimulatedLine, with purchase: SimulatedPurchase, _ isRecovery: Bool,
        _ account: SimulatedAccount
    ) -> Fact<Written> {
        .renewalRenewed(
            RenewalRenewed(
                transaction: purchase.transaction, original: line.original,
                product: SimulatedProduct.all[purchase.product].id, group: line.group,
                purchasedAt: Timestamp(milliseconds: purchase.purchasedAt),
                expiresAt: Timestamp(milliseconds: line.expiry),
                recovered: isRecovery ? true : nil,
                price: purchase.isSeat ? nil : purchase.price,
                currency: purchase.isSeat ? nil : account.currency, offer: purchase.offer,
                terms: purchase.terms))
    }
}

extension SimulatedLine {
    /// Begins the period of a renewal.
    fileprivate func begin(_ purchase: SimulatedPurchase, until end: Int64) {
        product = purchase.product
        next = nil
        current = purchase
        start = purchase.purchasedAt
        expiry = end
        state = .active
        hadGrace = false
        renewals += 1
    }
}
