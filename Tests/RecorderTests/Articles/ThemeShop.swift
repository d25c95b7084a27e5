import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder

// The article "Record your first purchase" shows this file, part by part.

/// The purchase code of an app that sells a theme.
final class ThemeShop: PurchaseHandler {
    private(set) var hasTheme = false
    private(set) var messages: [String] = []
    private(set) var recorder: PaymentQueueRecorder?

    /// Opens the log, or creates it at the first launch.
    func open(
        log path: String, queue: any ObservedQueue, settings: RecorderSettings
    ) throws -> PaymentQueueRecorder {
        let ledger = try PurchaseLedger.openOrCreate(at: path, now: settings.now())
        let recorder = try PaymentQueueRecorder(
            ledger: ledger, notes: path + ".notes", queue: queue, settings: settings,
            handler: self)
        self.recorder = recorder
        return recorder
    }

    /// What the app's button does.
    func buyTheme(for account: String) throws {
        try recorder?.buy(PaymentOrder(product: "theme", account: account))
    }

    func deliver(_ purchase: DuePurchase) throws -> Timestamp? {
        hasTheme = true
        return nil
    }

    func persist(_ purchase: DuePurchase) throws -> PersistentStore { .receipt }

    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws {
        hasTheme = false
    }

    func show(_ failure: FailedPayment) {
        if failure.error != KnownError.cancelled.rawValue { messages.append(failure.error) }
    }

    func receive(_ problem: RecorderProblem) { messages.append("\(problem)") }
}
