import PurchaseProjections
import PurchaseRecorder
import Shop

@testable import PurchaseEvents
@testable import PurchaseProjections

/// A mistake that apps make, and the rule that detects it.
enum Mistake: String, CaseIterable {
    /// Finishes the transaction before its delivery (I1).
    case finishesFirst
    /// Registers the observer after the queue has presented entries.
    case observesLate
    /// Delivers a consumable in two parts of the app (I4).
    case deliversTwice
    /// Ignores refunds (I8).
    case ignoresRefund
    /// Delivers one account's purchase to whoever is signed in (I7).
    case deliversToWrongAccount

    /// The rule that detects the mistake.
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

/// The shop with one mistake, which bypasses the ledger: the ledger would refuse it.
final class CarelessShop: Shop {
    private let mistake: Mistake
    private let queue: ShopQueue
    private let clockNow: @Sendable () -> Timestamp
    /// Whether an earlier process registered the observer.
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

    /// Writes what a ledger would refuse.
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
