import Foundation
import PurchaseProjections
import PurchaseRecorder

@testable import PurchaseEvents

/// A transaction of StoreKit 2 in a test.
final class SignedTransactionStub: ObservedSignedTransaction {
    let observedStatement: String
    let observedDistrust: Distrust?
    private let finish: @Sendable () -> Void

    init(_ statement: String, _ distrust: Distrust?, finish: @escaping @Sendable () -> Void) {
        (observedStatement, observedDistrust, self.finish) = (statement, distrust, finish)
    }

    func finishObserved() async { finish() }
}

struct StatusStub: ObservedStatus {
    var observedState: Int
    var observedTransaction: any ObservedSignedTransaction
    var observedRenewalInfo: String
    var observedRenewalDistrust: Distrust?
}

/// An app with StoreKit 2 that does everything at once, unless a test says what happens meanwhile.
final class SignedApp: TransactionHandler {
    typealias Meanwhile = @Sendable () async throws -> Void

    private let state = Protected(
        (calls: [String](), problems: [RecorderProblem](), meanwhile: [String: Meanwhile]()))
    var calls: [String] { state.withLock { $0.calls } }
    var problems: [RecorderProblem] { state.withLock { $0.problems } }
    func call(_ words: String) { state.withLock { $0.calls.append(words) } }

    /// Sets what happens during each call of these words, before it ends.
    func during(_ words: String, _ meanwhile: Meanwhile?) {
        state.withLock { $0.meanwhile[words] = meanwhile }
    }

    private func work(_ words: String) async throws {
        call(words)
        try await state.withLock { $0.meanwhile[words] }?()
    }

    func persist(_ purchase: DuePurchase) async throws -> PersistentStore {
        try await work("persist \(purchase.transaction)")
        return purchase.kind == .consumable ? .appState : .receipt
    }
    func deliver(_ purchase: DuePurchase) async throws -> Timestamp? {
        let units = purchase.quantity == 1 ? "" : " ×\(purchase.quantity)"
        try await work("deliver \(purchase.transaction)\(units)")
        return nil
    }
    func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) async throws {
        try await work("withdraw \(purchase.transaction) \(reason)")
    }
    func show(_ failure: FailedPayment) async { call("show \(failure.error)") }
    func showWaiting(product: String) async { call("wait \(product)") }
    func receive(_ problem: RecorderProblem) async {
        state.withLock { $0.problems.append(problem) }
    }
}

/// A recorder of StoreKit 2 between a test and a test's app.
final class SignedBench {
    let log: TestLog
    let app = SignedApp()
    private(set) var recorder: TransactionRecorder

    init(launching: Bool = true) async throws {
        log = try TestLog()
        recorder = try TransactionRecorder(
            ledger: log.open(), notes: log.notes, settings: log.clock.settings, handler: app)
        if launching { try await recorder.launch(unfinished: []) }
    }

    /// Ends the process and starts another one, which doesn't launch the recorder yet.
    func restart() throws {
        recorder.ledger.close()
        log.files.loseProcess()
        recorder = try TransactionRecorder(
            ledger: log.open(), notes: log.notes, settings: log.clock.settings, handler: app)
    }

    var events: [String] {
        Array(log.events.drop { $0 == "app.launched" || $0 == "queue.observed" })
    }

    static let account = Bench.account
    private static let kinds = [
        "coins": "Consumable", "theme": "Non-Consumable", "news": "Auto-Renewable Subscription",
    ]
    /// The purchase date of each transaction, which doesn't change.
    private let purchaseDates = Protected<[String: Int64]>([:])
    private var now: Int64 { log.clock.now.milliseconds }

    /// A JWS that nobody signed: the device has verified it.
    static func jws(_ payload: String) -> String {
        [#"{"alg":"ES256","x5c":[]}"#, payload, "signature"].map { part in
            Data(part.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }.joined(separator: ".")
    }

    /// The payload of a transaction.
    func payload(
        _ id: String, _ product: String = "coins", _ more: String = "",
        ownership: String = "PURCHASED", environment: String = "Production"
    ) -> String {
        let kind = SignedBench.kinds[product] ?? ""
        let bought = purchaseDates.withLock { dates in
            let bought = dates[id] ?? now
            dates[id] = bought
            return bought
        }
        return #"{"transactionId":"\#(id)","originalTransactionId":"\#(id)","#
            + #""bundleId":"com.example","productId":"\#(product)","purchaseDate":\#(bought),"#
            + #""originalPurchaseDate":\#(bought),"quantity":1,"type":"\#(kind)","#
            + #""appAccountToken":"\#(SignedBench.account.uppercased())","signedDate":\#(now)"#
            + #","environment":"\#(environment)","inAppOwnershipType":"\#(ownership)"\#(more)}"#
    }

    func transaction(
        _ id: String, _ product: String = "coins", _ more: String = "",
        ownership: String = "PURCHASED", environment: String = "Production",
        distrust: Distrust? = nil, isSigned: Bool = true
    ) -> SignedTransactionStub {
        let payload = payload(id, product, more, ownership: ownership, environment: environment)
        return SignedTransactionStub(isSigned ? SignedBench.jws(payload) : payload, distrust) {
            [app] in app.call("finish \(id)")
        }
    }

    /// The members that state that a transaction is refunded now.
    func refunded(_ reason: Int) -> String {
        #","revocationDate":\#(now),"revocationReason":\#(reason)"#
    }

    /// A status of a subscription of `news`.
    func status(
        _ state: Int, of transaction: SignedTransactionStub, _ id: String, renews: Bool,
        _ more: String = ""
    ) -> StatusStub {
        let renewal =
            #"{"originalTransactionId":"\#(id)","autoRenewProductId":"news","productId":"news","#
            + #""autoRenewStatus":\#(renews ? 1 : 0),"signedDate":\#(now)"#
            + #","environment":"Production"\#(more)}"#
        return StatusStub(
            observedState: state, observedTransaction: transaction,
            observedRenewalInfo: SignedBench.jws(renewal))
    }

    /// Begins a purchase.
    func begin(_ product: String = "coins") async throws -> String {
        try await recorder.begin(PaymentOrder(product: product, account: SignedBench.account))
    }
}
