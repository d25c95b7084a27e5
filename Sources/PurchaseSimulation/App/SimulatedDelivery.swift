import PurchaseEvents

/// How the app handles a queue entry: one effect at a time, with a possible launch or crash between
/// any two.
///
/// It validates, persists, downloads, installs, delivers and finishes.
extension Simulation {
    /// Performs the first missing step for an entry, and schedules the next one.
    func process(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        // An answer that came since the launch is presented at the next one.
        guard !purchase.isFinished, purchase.presentations > 0 else { return }
        switch purchase.state {
        case .open, .deferred: return
        case .failed:
            if let payment = purchase.payment { finish(purchase, .payment(payment), account) }
            return
        case .bought: break
        }
        if mayCrash(account), rarely(250) { return crash(account) }
        if let pause = workOn(purchase, account) { account.push(after: pause, .process(purchase)) }
    }

    /// Performs one step; returns the delay before the next step, or `nil` if there is none now.
    private func workOn(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Int64? {
        let short = wait(300, 1_500)
        if purchase.isOwed, purchase.finishFault != .finishesUndelivered {
            if purchase.item.isOnServer, !purchase.isValidated {
                return validate(purchase, account)
            }
            if !purchase.isPersisted {
                persist(purchase, account)
                return short
            }
            if purchase.item.isHosted {
                if let pause = download(purchase, account) { return pause }
                if !purchase.isInstalled {
                    purchase.isInstalled = true
                    let installed = DeliveryInstalled<Written>(
                        transaction: purchase.transaction, place: .documents)
                    note(.deliveryInstalled(installed), account)
                    return short
                }
            }
            if purchase.delivered < purchase.units {
                deliver(purchase, account)
                return short
            }
            if purchase.finishFault == nil, !purchase.decidedDeliveringTwice {
                purchase.decidedDeliveringTwice = true
                if deliverTwice(purchase, account) { return short }
            }
        }
        if let subscription = purchase.subscription, withdrawOldPlan(subscription, account) {
            return short
        }
        finish(purchase, .transaction(purchase.transaction), account)
        return nil
    }

    private func validate(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Int64? {
        func note(_ outcome: ValidationOutcome, _ status: Int64?) {
            self.note(
                .deliveryValidated(
                    .init(transaction: purchase.transaction, outcome: outcome, status: status)),
                account)
        }
        if mayCrash(account), rarely(40, or: 2, for: .deliversUnvalidated) {
            // The server is unreachable: the entry waits for the next launch.
            note(.unreachable, nil)
            if fails(.deliversUnvalidated) {
                purchase.isValidated = true
                purchase.finishFault = .deliversUnvalidated
                return wait(300, 1_500)
            }
            return nil
        }
        // The App Store's documents know nothing of a purchase that it didn't sell.
        if rarely(200), !options.isToldToServers {
            purchase.isInvalid = true
            note(.invalid, 21_002)
        } else {
            purchase.isValidated = true
            note(.valid, 0)
        }
        return wait(300, 1_500)
    }

    private func persist(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        purchase.isPersisted = true
        if canPlantDeliveryFault(purchase), fails(.finishesUnpersisted) {
            purchase.finishFault = .finishesUnpersisted
            return
        }
        let isWrong =
            purchase.kind == .consumable && listed[purchase.product] && fails(.persistsInWrongStore)
        let seq = note(
            .deliveryPersisted(
                .init(
                    transaction: purchase.transaction,
                    store: isWrong ? .receipt : store(of: purchase))), account)
        if isWrong {
            plant(.persistsInWrongStore, at: seq, account, key: purchase.transaction.name)
        }
        if canPlantDeliveryFault(purchase), fails(.finishesUndelivered) {
            purchase.finishFault = .finishesUndelivered
        }
    }

    private func store(of purchase: SimulatedPurchase) -> PersistentStore {
        switch purchase.kind {
        case .consumable: .appState
        case .nonConsumable: purchase.item.isOnServer ? .server : .receipt
        case .autoRenewable: .receipt
        case .nonRenewing: .iCloud
        }
    }

    /// Advances the first download that hasn't ended, and returns the delay before the next step.
    ///
    /// Returns `nil` if every download has ended, or if a fault finishes the purchase before that.
    private func download(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) -> Int64? {
        var downloads = purchase.downloads ?? newDownloads(of: purchase)
        defer { purchase.downloads = downloads }
        guard let place = downloads.firstIndex(where: { $0.state?.isTerminal != true }) else {
            return nil
        }
        if purchase.finishFault == .finishesWhileDownloading { return nil }
        if downloads[place].state == .active, canPlantDeliveryFault(purchase),
            fails(.finishesWhileDownloading)
        {
            purchase.finishFault = .finishesWhileDownloading
            return nil
        }
        let total = downloads[place].total
        var error: ErrorWord<Written>?
        switch downloads[place].state {
        case nil: downloads[place].state = .waiting
        case .waiting, .paused: downloads[place].state = .active
        case .failed: downloads[place].state = rarely(8) ? .cancelled : .waiting
        case .active, .finished, .cancelled:
            downloads[place].bytes = min(total, downloads[place].bytes + total / 2)
            if rarely(30) {
                downloads[place].state = .paused
            } else if rarely(30) {
                downloads[place].state = .failed
                error = "connection lost"
            } else if downloads[place].bytes == total {
                downloads[place].state = .finished
            }
        }
        let download = downloads[place]
        note(
            .deliveryDownload(
                .init(
                    transaction: purchase.transaction, download: download.name,
                    state: download.state ?? .waiting, bytes: download.bytes, total: total,
                    error: error)), account)
        if download.state == .finished, fails(.restartsDownload) {
            restart(download, of: purchase, account)
        }
        return download.state == .paused || download.state == .failed
            ? wait(5_000, 90_000) : wait(1_000, 12_000)
    }

    private func newDownloads(of purchase: SimulatedPurchase) -> [SimulatedDownload] {
        let name = purchase.item.id.name.split(separator: ".").last ?? ""
        return (0...choices.choose(below: 2)).map { index in
            SimulatedDownload(
                name: DownloadID("\(name)-\(index + 1)"), total: 48_000_000 * (index + 1))
        }
    }

    // MARK: Delivering

    private func deliver(_ purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        let left = purchase.units - purchase.delivered
        if deliverWrongly(purchase, left, account) { return }
        let part = left > 1 && choices.happens(oncePer: 4) ? wait(1, left - 1) : left
        applyDelivery(part, of: purchase, account)
        let seq = note(
            .deliveryDelivered(
                .init(
                    transaction: purchase.transaction, quantity: part == left ? nil : part,
                    until: purchase.until?.time)), account)
        if purchase.finishFault == .deliversUnvalidated {
            plant(.deliversUnvalidated, at: seq, account, key: purchase.transaction.name)
        }
    }

    /// Updates the simulated state after a delivery.
    func applyDelivery(
        _ quantity: Int64, of purchase: SimulatedPurchase, _ account: SimulatedAccount
    ) {
        purchase.delivered += quantity
        if let echoed = purchase.echoed { return applyDelivery(ofEcho: purchase, echoed) }
        let grant = SimulatedGrant(
            transaction: purchase.transaction, product: purchase.product, quantity: quantity,
            isRestored: purchase.restores != nil)
        switch purchase.kind {
        case .consumable:
            if let place = SimulatedProduct.consumables.firstIndex(of: purchase.product) {
                account.balances[place] += quantity
            }
            if account.owned.contains(where: { $0 === purchase }) {
                if purchase.grants.isEmpty {
                    purchase.grants = [grant]
                } else {
                    purchase.grants[0].quantity += quantity
                }
            }
        case .nonConsumable:
            let owner = account.owned.first { $0.transaction == purchase.restores } ?? purchase
            owner.grants.add(grant)
        case .nonRenewing:
            purchase.until = purchase.purchasedAt + SimulatedProduct.seasonLength
            purchase.grants.add(grant)
        case .autoRenewable:
            guard let subscription = purchase.subscription else { return }
            subscription.deliver(grant, isCurrent: purchase === subscription.current)
        }
    }

    /// Withdraws a plan that another plan has replaced; returns `false` if there is none.
    private func withdrawOldPlan(_ subscription: SimulatedSubscription, _ account: SimulatedAccount)
        -> Bool
    {
        guard
            let place = subscription.grants.firstIndex(where: { $0.product != subscription.product }
            )
        else { return false }
        let grant = subscription.grants.remove(at: place)
        // A seat may still grant the product.
        if isCovered(grant.product, byAnotherSubscriptionThan: subscription, account) {
            return false
        }
        let levels = [grant.product, subscription.product].map {
            SimulatedProduct.all[$0].level ?? 1
        }
        note(
            .deliveryWithdrawn(
                .init(
                    transaction: grant.transaction,
                    reason: levels[1] < levels[0] || subscription.current.isUpgrade
                        ? .upgraded : .expired)), account)
        return true
    }

    // MARK: Finishing

    private func finish(
        _ purchase: SimulatedPurchase, _ entry: QueueEntry<Written>, _ account: SimulatedAccount
    ) {
        purchase.isFinished = true
        for device in account.devices { device.open.removeAll { $0 === purchase } }
        // The finish of another device ends an entry that several devices have.
        let isShown = purchase.echoed != nil || purchase.hasEchoes
        if !purchase.sharesPayment, !isShown, fails(.losesEntry) {
            let key = entry.transaction?.name ?? entry.payment?.name
            return plant(
                .losesEntry, at: note(.queueRemoved(entry: entry), account), account, key: key)
        }
        plantFinish(purchase, at: note(.queueFinished(entry: entry), account), account)
        if purchase.payment != nil || purchase.restores == nil {
            afterFinish(purchase, entry, account)
        }
        account.push(after: wait(200, 1_200), .imply(.queueRemoved(entry: entry)))
    }
}
