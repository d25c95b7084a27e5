import PurchaseProjections
import PurchaseRecorder
import Shop

@testable import PurchaseEvents
@testable import PurchaseProjections

/// A mistake that apps make, and the rules that find it.
enum Mistake: String, CaseIterable {
    /// The transaction is finished before it is delivered (I1).
    case finishesFirst
    /// The observer is registered after the queue spoke.
    case observesLate
    /// A consumable is delivered by two parts of the app (I4).
    case deliversTwice
    /// A refund changes nothing (I8).
    case ignoresRefund
    /// What one account paid for goes to whoever is signed in (I7).
    case deliversToWrongAccount

    /// The rule that finds it.
    var rule: String {
        switch self {
        case .finishesFirst: "finished-implies-delivered"
        case .observesLate: "observed-from-launch"
        case .deliversTwice: "delivered-once"
        case .ignoresRefund: "refund-grants-nothing"
        case .deliversToWrongAccount: "delivered-to-payer"
        }
    }
}

/// The shop with one mistake, which it makes around the ledger: the ledger would refuse it.
final class CarelessShop: Shop {
    private let mistake: Mistake
    private let queue: ShopQueue
    private let clockNow: @Sendable () -> Timestamp
    /// Whether an earlier process had registered the observer.
    private let wasObserved: Bool

    init(
        _ mistake: Mistake, _ log: TestLog, _ ledger: PurchaseLedger,
        _ settings: RecorderSettings, _ queue: ShopQueue
    ) {
        self.mistake = mistake
        self.queue = queue
        clockNow = settings.now
        wasObserved = log.events.contains("queue.observed")
        super.init(ledger: ledger, settings: settings)
    }

    /// Writes what no ledger would.
    private func write(_ fact: Fact<Written>, _ account: String?) throws {
        _ = try ledger.log.append([
            Draft(
                at: clockNow(), account: account.map { AccountID($0) }, device: "phone", fact)
        ])
    }

    override func open(
        _ recorder: PaymentQueueRecorder, hearing server: () throws -> Void
    ) throws {
        if mistake == .observesLate, wasObserved {
            try write(.appLaunched, nil)
            queue.beginObserving()
            queue.store.present(queue)
        }
        try super.open(recorder, hearing: server)
    }

    override func deliver(_ purchase: DuePurchase) throws -> Timestamp? {
        let transaction = TransactionID<Written>(purchase.transaction)
        switch mistake {
        case .finishesFirst:
            try write(.queueFinished(entry: .transaction(transaction)), purchase.account)
        case .deliversTwice where purchase.kind == .consumable:
            try write(
                .deliveryDelivered(DeliveryDelivered(transaction: transaction)), purchase.account)
        case .deliversToWrongAccount where purchase.account != account:
            try write(.deliveryDelivered(DeliveryDelivered(transaction: transaction)), account)
        case .observesLate, .ignoresRefund, .deliversTwice, .deliversToWrongAccount: break
        }
        return try super.deliver(purchase)
    }

    override func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws {
        if mistake == .ignoresRefund {
            try write(.contentOpened(content: "daily"), purchase.account)
        }
        try super.withdraw(purchase, because: reason)
    }
}
