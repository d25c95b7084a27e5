import PurchaseEvents
import PurchaseRecorder

/// A queue that only records the recorder's calls.
final class TestQueue: ObservedQueue {
    var mayPay = true
    var observedTransactions: [any ObservedTransaction] = []
    private(set) var calls: [String] = []
    /// Runs when a transaction is finished.
    var onFinish: () -> Void = {}

    func beginObserving() { calls.append("begin") }
    func endObserving() { calls.append("end") }
    func requestProducts(_ products: [String]) {
        calls.append("products \(products.joined(separator: ","))")
    }
    func add(_ order: PaymentOrder) { calls.append("add \(order.product)") }
    func finish(_ transaction: any ObservedTransaction) {
        let product = transaction.observedPayment.observedProduct
        calls.append("finish \(transaction.observedIdentifier ?? product)")
        onFinish()
    }
    func restore(account: String?) { calls.append("restore \(account ?? "-")") }
    func refreshReceipt() { calls.append("receipt") }
    func control(_ downloads: [any ObservedDownload], _ control: DownloadControl) {
        let names = downloads.map(\.observedContent).joined(separator: ",")
        calls.append("\(control.rawValue) \(names)")
    }
}

/// An app that does everything at once, and records its calls.
final class TestApp: PurchaseHandler {
    private(set) var calls: [String] = []
    private(set) var problems: [RecorderProblem] = []
    /// The kinds of calls that throw.
    var failing: Set<String> = []
    var validation: ValidationOutcome?
    var chosen: [String] = []
    var mayPay = true

    struct Failure: Error, CustomStringConvertible { let description: String }

    private func call(_ word: String, _ about: String) throws {
        calls.append("\(word) \(about)")
        if failing.contains(word) { throw Failure(description: "\(word) fails") }
    }

    func validate(_ purchase: DuePurchase) throws -> ValidationOutcome? {
        guard let validation else { return nil }
        try call("validate", purchase.transaction)
        return validation
    }
    func persist(_ purchase: DuePurchase) throws -> PersistentStore {
        try call("persist", purchase.transaction)
        return purchase.kind == .consumable ? .appState : .receipt
    }
    func deliver(_ purchase: DuePurchase) throws -> Timestamp? {
        let date = purchase.purchasedAt?.text ?? "no date"
        try call("deliver", "\(purchase.transaction) ×\(purchase.quantity) of \(date)")
        return nil
    }
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws {
        try call("withdraw", "\(purchase.transaction) \(reason)")
    }
    func install(
        _ download: any ObservedDownload, of purchase: DuePurchase
    ) throws -> InstallPlace {
        try call("install", download.observedContent)
        return .documents
    }
    func choose(among restored: [DuePurchase]) -> [String] {
        calls.append("choose \(restored.map(\.product).joined(separator: ","))")
        return chosen
    }
    func show(_ failure: FailedPayment) { calls.append("show \(failure.error)") }
    func showWaiting(product: String, isDeferred: Bool) {
        calls.append("\(isDeferred ? "deferred" : "purchasing") \(product)")
    }
    func showStore(valid: [any ObservedProduct], invalid: [String]) {
        let names = valid.map(\.observedProduct).joined(separator: ",")
        calls.append("store \(names)\(invalid.map { ", not \($0)" }.joined())")
    }
    func mayPayNow(_ order: PaymentOrder) -> Bool { mayPay }
    func receive(_ problem: RecorderProblem) { problems.append(problem) }
}
