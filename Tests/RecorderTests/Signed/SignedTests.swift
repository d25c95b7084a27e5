import Foundation
import PurchaseImport
import PurchaseProjections
import PurchaseRecorder
import TestSupport
import Testing

@testable import PurchaseEvents

/// What no story says of StoreKit 2, and which events it gives (appstore.md, 2.9).
struct SignedTests {
    @Test(arguments: Distrust.allCases)
    func `success, unverified: the payment fails with the reason, nothing is delivered`(
        _ distrust: Distrust
    ) async throws {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        await bench.recorder.end(key, .success(bench.transaction("t1", distrust: distrust)))
        #expect(
            bench.events.suffix(2) == ["queue.failed p1 \(distrust.rawValue)", "queue.finished p1"]
        )
        #expect(bench.app.calls == ["show \(distrust.rawValue)"])
        #expect(try bench.log.findings() == [])
    }

    @Test(arguments: SignedStoreError.allCases)
    func `an error that purchase throws fails the payment with its word`(
        _ error: SignedStoreError
    ) async throws {
        let bench = try await SignedBench()
        await bench.recorder.end(try await bench.begin(), .failed(error))
        #expect(bench.events.suffix(2) == ["queue.failed p1 \(error.word)", "queue.finished p1"])
    }

    @Test func `the errors of StoreKit 2 have the words of the log`() {
        let words = SignedStoreError.allCases.map(\.word)
        #expect(
            words.prefix(5) == [
                "unknown", "cancelled", "network", "systemError", "productUnavailable",
            ]
        )
    }

    @Test(arguments: 1...5)
    func `each state of a status states what a status page does`(_ state: Int) async throws {
        let bench = try await SignedBench()
        let end = bench.log.clock.now.milliseconds + 30 * Timestamp.day
        let signed = bench.transaction("t1", "news", #","expiresDate":\#(end)"#)
        let status = bench.status(
            state, of: signed, "t1", renews: false, #","expirationIntent":1"#)
        await bench.recorder.received(status: status)
        let own = bench.events.filter { !$0.hasPrefix("delivery") }
        let expected: [[String]] = [
            [], ["renewal.expired news"], ["renewal.failed news"], ["renewal.failed news"],
            ["renewal.expired news"],
        ]
        #expect(own == ["receipt.listed t1", "renewal.turnedOff"] + expected[state - 1])
        let jws = signed.observedStatement
        // The same transaction in an App Store page from the server.
        let page =
            #"{"environment":"Production","bundleId":"com.example","data":[{"#
            + #""subscriptionGroupIdentifier":"1","lastTransactions":[{"status":\#(state),"#
            + #""originalTransactionId":"t1","signedTransactionInfo":"\#(jws)""#
            + #","signedRenewalInfo":"\#(status.observedRenewalInfo)"}]}]}"#
        var options = ImportOptions()
        options.verifies = false
        let imported = AppStoreImporter().log(
            of: [ImportFile(name: "page", bytes: Array(page.utf8))], options: options)
        for event in imported.events.dropFirst() {
            var line = String(
                decoding: try LineWriter.line(of: event), as: UTF8.self)
            line = String(line[(line.range(of: #""type""#)?.lowerBound ?? line.startIndex)...])
            #expect(bench.log.lines.contains { $0.contains(line.dropLast()) }, "\(line)")
        }
        #expect(imported.events.count == own.count + 1)
    }

    @Test func `an account is written in lower case`() async throws {
        let bench = try await SignedBench()
        let account = SignedBench.account.uppercased()
        _ = try await bench.recorder.begin(PaymentOrder(product: "coins", account: account))
        try await bench.recorder.beginRestore(account: account)
        let text = bench.log.lines.joined()
        #expect(!text.contains(account) && text.contains(SignedBench.account))
        #expect(try bench.recorder.ledger.entitlements(account: AccountID(account)).isEmpty)
    }

    @Test func `work asked for while other work goes on is tried again`() async throws {
        let bench = try await SignedBench()
        let recorder = bench.recorder
        bench.app.during("deliver t1") { throw SignedStoreError.networkError }
        await recorder.received(update: bench.transaction("t1"))
        let app = bench.app
        app.during("deliver t2") {
            // The handler's own question doesn't repeat its failure.
            await recorder.workOnDueTasks()
            app.during("deliver t1", nil)
            await Task.detached { await recorder.workOnDueTasks() }.value
        }
        await recorder.received(update: bench.transaction("t2"))
        #expect(
            bench.events.filter { $0.hasSuffix("t1") }.suffix(3) == [
                "delivery.delivered t1", "delivery.persisted t1", "queue.finished t1",
            ])
        #expect(app.calls.filter { $0 == "deliver t1" }.count == 3)
    }
}
