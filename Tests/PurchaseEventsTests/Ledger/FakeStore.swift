import PurchaseEvents

@testable import PurchaseProjections

/// Stops a run in the middle, like a crash.
struct Crash: Error {}

/// An App Store for one app: a queue that keeps unfinished entries, and a clock that advances by an
/// hour at each reading.
final class FakeStore: PurchaseQueue {
    struct Entry {
        var key: QueueEntry<Written>
        /// What the observer is told.
        var fact: Fact<Written>
    }

    private(set) var queue: [Entry] = []
    /// The transactions made so far.
    private(set) var made: Set<TransactionID<Written>> = []
    /// The notifications that the app's server keeps until they are recorded; retries use the same
    /// `id`.
    private(set) var letters: [(id: String, fact: Fact<Written>)] = []
    /// The number of steps that the app may still take; `nil` means no limit.
    var stepsToCrash: Int?
    private(set) var steps = 0
    private var hours = 0

    /// The time; the app reads it before each of its steps, any of which may be its last.
    func tick() throws -> Timestamp {
        try step()
        return now
    }

    var now: Timestamp { History.hour(hours) }

    private func step() throws {
        steps += 1
        hours += 1
        guard let left = stepsToCrash else { return }
        stepsToCrash = left - 1
        if left == 0 {
            stepsToCrash = nil
            throw Crash()
        }
    }

    // MARK: What the app asks

    func observe() throws -> [Fact<Written>] {
        try step()
        return queue.map(\.fact)
    }

    func add(_ payment: PaymentID<Written>, _ product: ProductID<Written>) throws {
        try step()
        queue.append(Entry(key: .payment(payment), fact: .queuePurchasing(payment: payment)))
        products[payment] = product
    }

    func download(_ id: TransactionID<Written>) throws -> [DeliveryDownload<Written>] {
        try step()
        return [Say.download(id, .active), Say.download(id, .finished)]
    }

    func finish(_ entry: QueueEntry<Written>) throws {
        try step()
        queue.removeAll { $0.key == entry }
    }

    // MARK: What happens at the store

    private var products: [PaymentID<Written>: ProductID<Written>] = [:]

    /// Makes a payment wait for approval (G4.2); returns what the observer is told.
    func delay(_ payment: PaymentID<Written>) -> [Fact<Written>] {
        change(payment, to: .payment(payment), .queueDeferred(payment: payment))
    }

    func fail(_ payment: PaymentID<Written>) -> [Fact<Written>] {
        change(
            payment, to: .payment(payment),
            .queueFailed(.init(payment: payment, error: "cancelled", code: 2)))
    }

    func approve(
        _ payment: PaymentID<Written>, _ id: TransactionID<Written>
    ) -> [Fact<Written>] {
        guard let product = products[payment] else { return [] }
        made.insert(id)
        return change(
            payment, to: .transaction(id),
            .queuePurchased(
                .init(
                    transaction: id, payment: payment, product: product, purchasedAt: now)))
    }

    func restore(
        _ id: TransactionID<Written>, of original: TransactionID<Written>,
        _ product: ProductID<Written>
    ) -> [Fact<Written>] {
        let fact = Fact<Written>.queueRestored(
            .init(
                transaction: id, original: original, product: product, purchasedAt: now,
                originalPurchasedAt: History.hour(0)))
        queue.append(Entry(key: .transaction(id), fact: fact))
        return [fact]
    }

    func refund(_ id: TransactionID<Written>) {
        letters.append(
            ("refund of \(id)", .cancellationRefunded(.init(transaction: id, cancelledAt: now))))
    }

    func forgetLetters() { letters = [] }

    private func change(
        _ payment: PaymentID<Written>, to key: QueueEntry<Written>, _ fact: Fact<Written>
    ) -> [Fact<Written>] {
        guard let index = queue.firstIndex(where: { $0.key == .payment(payment) }) else {
            return []
        }
        queue[index] = Entry(key: key, fact: fact)
        return [fact]
    }
}
