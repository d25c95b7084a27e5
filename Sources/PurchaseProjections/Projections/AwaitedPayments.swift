import PurchaseEvents

/// The deferred and interrupted payments that a purchase without a payment may answer, oldest first
/// (event-log.md, 4).
struct AwaitedPayments: Sendable {
    /// What a purchase must share with a payment: the product and the account, or the device where
    /// neither names an account.
    private struct Place: Hashable {
        var product: ProductID<Interned>
        var account: AccountID<Interned>?
        var device: DeviceID<Interned>?

        init(
            _ product: ProductID<Interned>, _ account: AccountID<Interned>?,
            _ device: DeviceID<Interned>?
        ) {
            (self.product, self.account) = (product, account)
            self.device = account == nil ? device : nil
        }
    }

    /// Payments in order; those before `next` were answered or closed.
    private struct Line {
        var payments: [PaymentID<Interned>] = []
        var next = 0
    }

    private var lines: [Place: Line] = [:]
    private var listed: Set<PaymentID<Interned>> = []

    /// Records that a payment was deferred or interrupted.
    mutating func add(
        _ payment: PaymentID<Interned>, _ event: Event<Interned>, _ facts: Facts
    ) {
        guard let product = facts[payment].product, listed.insert(payment).inserted else { return }
        let account = facts[payment].account ?? event.account
        lines[Place(product, account, event.device), default: Line()].payments.append(payment)
    }

    /// Removes and returns the oldest payment that a purchase answers, of those still open.
    mutating func answer(
        _ purchase: QueuePurchased<Interned>, _ event: Event<Interned>,
        isOpen: (PaymentID<Interned>) -> Bool
    ) -> PaymentID<Interned>? {
        guard !lines.isEmpty else { return nil }
        let place = Place(purchase.product, event.account, event.device)
        guard var line = lines.removeValue(forKey: place) else { return nil }
        var answered: PaymentID<Interned>?
        while answered == nil, line.next < line.payments.count {
            let payment = line.payments[line.next]
            line.next += 1
            listed.remove(payment)
            if isOpen(payment) { answered = payment }
        }
        if line.next < line.payments.count { lines[place] = line }
        return answered
    }
}
