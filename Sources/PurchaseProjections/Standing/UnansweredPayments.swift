import PurchaseEvents

/// The deferred and interrupted payments that a purchase without a payment may answer, oldest first
/// (event-log.md, 4).
struct UnansweredPayments: Sendable, Snapshotted {
    /// A product and the account that pays for it; without an account, the device.
    struct Key: Hashable, Sendable {
        private let product: ProductHandle
        private let account: AccountHandle?
        private let device: DeviceHandle?

        init(_ product: ProductHandle, _ account: AccountHandle?, _ device: DeviceHandle?) {
            (self.product, self.account) = (product, account)
            self.device = account == nil ? device : nil
        }
    }

    private struct Queue: SnapshottedElement {
        var payments: [PaymentHandle] = []
        /// The number of payments that were removed.
        var first = 0

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&payments).visit(&first)
        }
    }

    private var queues: [Key: Queue] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&queues) }

    mutating func add(_ payment: PaymentHandle, of key: Key) {
        queues[key, default: Queue()].payments.append(payment)
    }

    /// Removes and returns the oldest payment, or `nil` if there is none.
    mutating func popFirst(of key: Key) -> PaymentHandle? {
        guard let place = queues.index(forKey: key) else { return nil }
        let queue = queues.values[place]
        let payment = queue.payments[queue.first]
        if queue.first + 1 == queue.payments.count {
            queues.remove(at: place)
        } else {
            queues.values[place].first += 1
        }
        return payment
    }
}

extension Event where S == Interned {
    /// Whether a purchase that names no payment may answer one: what a family member or an
    /// organization paid for answers none of the account's.
    var mayAnswerPayment: Bool {
        guard type == .queuePurchased, case .queuePurchased(let purchase) = fact else {
            return false
        }
        return purchase.ownership ?? .purchased == .purchased
    }

    /// Whether the store interrupted a payment, which may still be purchased (I2).
    var isInterruption: Bool {
        guard type == .queueFailed, case .queueFailed(let failed) = fact else { return false }
        return failed.error.known == .interrupted
    }
}
