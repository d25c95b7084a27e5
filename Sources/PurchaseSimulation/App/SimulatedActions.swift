import PurchaseEvents

/// An action of the user in the open app.
enum UserAction: Int, CaseIterable {
    case nothing, redeemCode, buyConsumable, open, buyNonConsumable, subscribe, consume, upgrade
    case buySeason, shareInFamily, restore, refresh, buyTwice
    // What only today's store offers.
    case takeSeat

    /// The actions that some faults depend on, more frequent in every mix that favors the faults.
    static let needed: [(fault: Fault, action: UserAction)] = [
        (.restoresConsumable, .restore), (.restoresForStranger, .restore),
        (.leavesRestoreOpen, .restore), (.restoresConsumable, .buyConsumable),
        (.consumesTooMuch, .consume), (.deliversTooLittle, .buyConsumable),
        (.restoresForStranger, .buyNonConsumable), (.deliversUnvalidated, .buyNonConsumable),
        (.receiptChanges, .refresh), (.validatesInOneEnvironment, .refresh),
        (.restartsDownload, .buyNonConsumable), (.deliversRefunded, .buyNonConsumable),
        (.requestsTooMany, .buyConsumable),
        (.sellsSecondPlan, .subscribe), (.raisesPriceUnasked, .subscribe),
        (.retriesTooLong, .subscribe), (.forgetsToWithdraw, .subscribe),
        (.overlapsPeriods, .subscribe), (.opensUnpaid, .open), (.opensUnpublished, .open),
    ]

    /// The actions that further faults depend on, more frequent only in an ordinary mix.
    static let neededMore: [(fault: Fault, action: UserAction)] = [
        (.finishesWhileDownloading, .buyNonConsumable), (.requestsUnlisted, .buyNonConsumable),
        (.deliversRefunded, .buyNonConsumable), (.endsBeforeStart, .subscribe),
        (.withdrawsTooEarly, .subscribe), (.renewsForStranger, .subscribe),
        (.believesWrongSecret, .subscribe), (.reusesIdentifier, .subscribe),
        (.losesAnswer, .buyConsumable), (.consumesTooMuch, .buyConsumable),
    ]
}

extension Simulation {
    /// Performs a random action of the user that is possible now.
    func act(_ account: SimulatedAccount) {
        var weights: [Int64] =
            options.mix == .ordinary
            ? [2, 1, 60, 6, 14, 8, 6, 2, 2, 1, 1, 2, 1] : [4, 4, 4, 4, 4, 6, 4, 4, 4, 4, 4, 4, 2]
        addTodaysWeights(to: &weights)
        for (fault, needed) in UserAction.needed where favors(fault) {
            weights[needed.rawValue] += options.mix == .ordinary ? 60 : 30
        }
        if options.mix == .ordinary {
            for (fault, needed) in UserAction.neededMore where favors(fault) {
                weights[needed.rawValue] += 60
            }
        }
        if account.isRestricted, fails(.requestsWhileRestricted) {
            return requestRestricted(account)
        }
        if account.isSkewed || account.isRestricted {
            for action in UserAction.allCases where !isHarmless(action, account) {
                weights[action.rawValue] = 0
            }
        }
        switch UserAction(rawValue: choices.index(weightedBy: weights)) ?? .nothing {
        case .nothing: break
        case .buyConsumable: buyConsumable(account)
        case .redeemCode: redeemCode(account)
        case .open: open(account)
        case .buyNonConsumable: buyNonConsumable(account)
        case .subscribe: subscribe(account)
        case .consume: consume(Int(choices.choose(below: Int64(account.balances.count))), account)
        case .upgrade: upgrade(account)
        case .buySeason: buy(SimulatedProduct.season, account)
        case .shareInFamily: share(account)
        case .restore: account.push(after: wait(500, 3_000), .restore)
        case .refresh: account.push(after: wait(500, 3_000), .refresh)
        case .buyTwice: buyTwice(account)
        case .takeSeat: takeSeat(account)
        }
    }

    /// Whether an action is possible while payments are restricted or the clock is wrong.
    private func isHarmless(_ action: UserAction, _ account: SimulatedAccount) -> Bool {
        switch action {
        case .nothing, .consume: true
        case .buyConsumable, .buyTwice: !account.isRestricted
        case .redeemCode, .open, .buyNonConsumable, .subscribe, .upgrade, .buySeason,
            .shareInFamily, .restore, .refresh, .takeSeat:
            false
        }
    }

    // MARK: Buying

    /// Whether a product is in one of the account's queues or will arrive there, so that it can't
    /// be bought again now.
    func isOpen(_ product: Int, _ account: SimulatedAccount) -> Bool {
        account.devices.contains { device in device.open.contains { $0.product == product } }
            || account.arrivals.contains { $0.product == product }
    }

    private func buy(_ product: Int, _ account: SimulatedAccount) {
        ask(for: SimulatedPurchase(product: product, payment: names.uuid()), account)
    }

    private func buyConsumable(_ account: SimulatedAccount) {
        let purchase = SimulatedPurchase(
            product: choices.pick(SimulatedProduct.consumables), payment: names.uuid())
        if choices.happens(oncePer: favors(.deliversTooLittle) ? 2 : 8) {
            purchase.quantity = wait(2, 10)
            purchase.price *= purchase.quantity
        }
        if showsCatalogue, fails(.requestsTooMany) {
            purchase.quantity = wait(11, 99)
            purchase.price = purchase.item.price * purchase.quantity
            purchase.requestFault = .requestsTooMany
        }
        ask(for: purchase, account)
    }

    /// The user adds one payment object to the queue twice, so the user pays twice (G3.2).
    private func buyTwice(_ account: SimulatedAccount) {
        let product = choices.pick(SimulatedProduct.consumables), payment = names.uuid()
        let purchases = (1...2).map { _ in SimulatedPurchase(product: product, payment: payment) }
        for purchase in purchases { purchase.sharesPayment = true }
        ask(for: purchases[0], and: purchases[1], account)
    }

    private func buyNonConsumable(_ account: SimulatedAccount) {
        var wanted: [Int] = []
        if favors(.deliversUnvalidated) { wanted.append(SimulatedProduct.archive) }
        if favors(.restartsDownload) { wanted.append(SimulatedProduct.hosted) }
        let product = choices.pick(wanted.isEmpty ? SimulatedProduct.nonConsumables : wanted)
        guard !account.owns(product), !isOpen(product, account) else { return }
        buy(product, account)
    }

    private func share(_ account: SimulatedAccount) {
        let product = SimulatedProduct.family
        guard !account.owns(product), !isOpen(product, account) else { return }
        let purchase = SimulatedPurchase(product: product)
        purchase.isShared = true
        account.push(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
        if choices.happens(oncePer: 3) {
            agenda.plan(
                .unsharing(account, purchase), at: now + wait(Timestamp.day, Timestamp.day * 60))
        }
    }

    private func redeemCode(_ account: SimulatedAccount) {
        let product = Int(choices.choose(below: Int64(productCount)))
        let group = SimulatedProduct.all[product].group
        switch SimulatedProduct.all[product].kind {
        case .consumable, .nonRenewing: break
        case .nonConsumable: guard !isOpen(product, account) else { return }
        case .autoRenewable:
            guard maySubscribe(to: group, account) else {
                return redeemForNextRenewal(of: group, account)
            }
        }
        let purchase = SimulatedPurchase(product: product)
        purchase.price = 0
        purchase.offer = .code
        account.push(after: wait(5_000, 9_000), .arrive(purchase))
        list(purchase, account)
    }

    // MARK: Subscribing

    private func maySubscribe(to group: GroupID<Written>?, _ account: SimulatedAccount) -> Bool {
        let isTaken = account.subscriptions.contains {
            $0.group == group && !$0.isSeat && !$0.isEnded
        }
        return !isTaken && !isAsked(group, account)
    }

    /// Whether a plan of the group is in one of the account's queues.
    private func isAsked(_ group: GroupID<Written>?, _ account: SimulatedAccount) -> Bool {
        SimulatedProduct.subscriptions.contains {
            SimulatedProduct.all[$0].group == group && isOpen($0, account)
        }
    }

    private func subscribe(_ account: SimulatedAccount) {
        let product = choices.pick(subscriptionProducts)
        guard maySubscribe(to: SimulatedProduct.all[product].group, account) else {
            return subscribeTwice(product, account)
        }
        let purchase = SimulatedPurchase(product: product, payment: names.uuid())
        chooseBilling(of: purchase)
        chooseOffer(for: purchase, account)
        chooseSeats(of: purchase)
        ask(for: purchase, account)
    }

    /// The user upgrades to a better plan.
    private func upgrade(_ account: SimulatedAccount) {
        let subscription = account.subscriptions.first {
            $0.grantsAccess(at: now) && $0.group == "magazine" && !$0.isSeat
        }
        guard let subscription, !isAsked(subscription.group, account), account.environment == nil
        else { return }
        let better = subscriptionProducts.filter { actsAtOnce(from: subscription.product, to: $0) }
        guard !better.isEmpty else { return }
        change(to: choices.pick(better), account)
    }

    // MARK: Using

    /// The user opens content that is paid for: the newest issue, or undated content.
    private func open(_ account: SimulatedAccount) {
        if openWrongly(account) { return }
        let subscription = account.subscriptions.first { $0.isUsable(at: now) }
        if let subscription {
            let issue = issues.last
            let isIssue =
                issue != nil && subscription.group == "magazine" && choices.choose(below: 2) == 1
            let content: ContentID<Written> =
                isIssue ? issue?.content ?? "daily-reading" : "daily-reading"
            note(.contentOpened(content: content), account)
            return
        }
        let isOwner = account.owned.contains { purchase in
            purchase.kind == .nonConsumable && !purchase.grants.isEmpty && purchase.isOwed
        }
        if isOwner { note(.contentOpened(content: "extra-chapter"), account) }
    }

    /// The user uses up some units of a consumable.
    private func consume(_ place: Int, _ account: SimulatedAccount) {
        let product = SimulatedProduct.all[SimulatedProduct.consumables[place]].id
        let balance = max(0, account.balances[place])
        let isTooMuch = fails(.consumesTooMuch)
        guard isTooMuch || balance > 0 else { return }
        let quantity = isTooMuch ? balance + wait(1, 5) : wait(1, balance)
        account.balances[place] -= min(quantity, balance)
        let seq = note(
            .deliveryConsumed(.init(product: product, quantity: quantity == 1 ? nil : quantity)),
            account)
        if isTooMuch { plant(.consumesTooMuch, at: seq, account, key: product.name) }
    }
}
