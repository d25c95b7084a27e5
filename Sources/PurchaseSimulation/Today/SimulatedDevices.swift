import PurchaseEvents

/// Customers with several devices, each of which hears of every purchase.
///
/// A device that hears of a purchase after another one delivers it for itself: its entry is an
/// *echo* of the purchase. A consumable has no echo, because it is delivered once for all devices.
extension Simulation {
    /// Gives a new customer one to three devices.
    func addDevices(to account: SimulatedAccount) {
        for _ in 0..<choices.index(weightedBy: [4, 3, 2]) { account.addDevice() }
    }

    /// Plans that the other devices of the account hear of a purchase at their next launches.
    func tellOtherDevices(of purchase: SimulatedPurchase, _ account: SimulatedAccount) {
        guard purchase.isHeardEverywhere else { return }
        let first = account.devices.first { device in device.open.contains { $0 === purchase } }
        for device in account.devices where device !== first ?? account.device {
            device.news.append(purchase)
        }
    }

    /// Adds an echo of each purchase that the device doesn't know and that still grants something.
    func hearNews(_ account: SimulatedAccount) {
        let device = account.device
        for purchase in device.news where purchase.presentations > 0 {
            // A purchase that another device will finish too early isn't delivered here before.
            let isCurrent =
                purchase.subscription.map { $0.current === purchase && $0.grantsAccess(at: now) }
                ?? purchase.grantsAccess(at: now)
            guard isCurrent, purchase.isStillGranted, purchase.finishFault == nil else { continue }
            purchase.hasEchoes = true
            device.open.append(SimulatedPurchase(echo: purchase))
        }
        device.news.removeAll { $0.presentations > 0 }
    }

    /// Updates the simulated state after a device has delivered an echo.
    func applyDelivery(ofEcho echo: SimulatedPurchase, _ purchase: SimulatedPurchase) {
        let grant = SimulatedGrant(transaction: purchase.transaction, product: purchase.product)
        switch purchase.kind {
        case .consumable: break
        case .nonConsumable: purchase.grants.add(grant)
        case .nonRenewing:
            purchase.until = purchase.purchasedAt + SimulatedProduct.seasonLength
            echo.until = purchase.until
            purchase.grants.add(grant)
        case .autoRenewable:
            guard let subscription = purchase.subscription else { return }
            subscription.deliver(grant, isCurrent: purchase === subscription.current)
        }
    }
}

extension SimulatedPurchase {
    /// An entry of another device's queue for a purchase of the same customer.
    convenience init(echo purchase: SimulatedPurchase) {
        self.init(product: purchase.product)
        echoed = purchase
        state = .bought
        transaction = purchase.transaction
        subscription = purchase.subscription
        quantity = purchase.quantity
        price = purchase.price
        purchasedAt = purchase.purchasedAt
        originalPurchasedAt = purchase.originalPurchasedAt
        expiresAt = purchase.expiresAt
        offer = purchase.offer
        isShared = purchase.isShared
        isAssigned = purchase.isAssigned
        // The server's answer is the same for every device.
        isValidated = purchase.isValidated
    }

    /// Whether every device of the customer hears of the purchase.
    fileprivate var isHeardEverywhere: Bool {
        switch kind {
        case .consumable: false
        case .nonConsumable, .autoRenewable, .nonRenewing: restores == nil
        }
    }

    /// Whether the purchase is owed, and not withdrawn or replaced since it was delivered.
    var isStillGranted: Bool {
        // What was withdrawn after a refund is owed again once the refund is reversed.
        guard isOwed, kind != .nonConsumable else { return isOwed }
        let given = subscription?.grants ?? grants
        return delivered == 0 || given.contains { $0.transaction == transaction }
    }
}

extension [SimulatedGrant] {
    /// Adds a delivery, unless another device has delivered the same transaction.
    mutating func add(_ grant: SimulatedGrant) {
        if !contains(where: { $0.transaction == grant.transaction }) { append(grant) }
    }
}
