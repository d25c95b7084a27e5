import Foundation
import PurchaseImport
import PurchaseProjections
import PurchaseRecorder
import TestSupport
import Testing

@testable import PurchaseEvents

/// Each case of StoreKit 2, and which events it gives (appstore.md, 2.9).
struct SignedTests {
    // MARK: Product.PurchaseResult

    @Test func `success, verified: the statement, the purchase, what the app does, the finish`()
        async throws
    {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        let transaction = bench.transaction("t1")
        await bench.recorder.end(key, .success(transaction))
        #expect(
            bench.events == [
                "payment.requested p1 coins", "queue.purchasing p1", "receipt.listed t1",
                "queue.purchased t1 p1",
            ] + TestLog.given("t1"))
        #expect(transaction.finishCount == 1)
        #expect(bench.app.calls == ["deliver t1", "persist t1"])
        #expect(try bench.log.findings() == [])
    }

    @Test(arguments: Distrust.allCases)
    func `success, unverified: the payment fails with the reason, nothing is delivered`(
        _ distrust: Distrust
    ) async throws {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        let transaction = bench.transaction("t1", distrust: distrust)
        await bench.recorder.end(key, .success(transaction))
        #expect(
            bench.events.suffix(2) == ["queue.failed p1 \(distrust.rawValue)", "queue.finished p1"]
        )
        #expect(bench.app.calls == ["show \(distrust.rawValue)"])
        #expect(transaction.finishCount == 0)
        #expect(try bench.log.findings() == [])
    }

    @Test func `userCancelled: the payment fails and is closed`() async throws {
        let bench = try await SignedBench()
        await bench.recorder.end(try await bench.begin(), .userCancelled)
        #expect(bench.events.suffix(2) == ["queue.failed p1 cancelled", "queue.finished p1"])
        #expect(try bench.log.findings() == [])
    }

    @Test func `pending: deferred, and approved at a later launch through updates`() async throws {
        let bench = try await SignedBench()
        await bench.recorder.end(try await bench.begin(), .pending)
        #expect(bench.events.last == "queue.deferred p1")
        #expect(bench.app.calls == ["wait coins"])
        try await bench.relaunch()
        await bench.update(bench.transaction("t1"))
        #expect(bench.events.suffix(4) == ["queue.purchased t1 p1"] + TestLog.given("t1"))
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

    @Test func `a payment that may not be made is refused before purchase is called`() async throws
    {
        let bench = try await SignedBench()
        await #expect(throws: RecorderProblem.ledger(.refused(.quantityNotSane))) {
            _ = try await bench.recorder.begin(PaymentOrder(product: "coins", quantity: 11))
        }
        #expect(bench.events == [])
    }

    // MARK: Transaction.unfinished, .updates, .currentEntitlements

    @Test func `unfinished: presented at the launch, delivered and finished`() async throws {
        let bench = try await SignedBench()
        _ = try await bench.begin()
        // The app ended during the purchase.
        let transaction = bench.transaction("t1")
        try await bench.relaunch([transaction])
        #expect(bench.events.suffix(4) == ["queue.purchased t1 p1"] + TestLog.given("t1"))
        #expect(transaction.finishCount == 1)
        #expect(try bench.log.findings() == [])
    }

    @Test func `a purchase that ended with the app and isn't unfinished has failed`() async throws {
        let bench = try await SignedBench()
        _ = try await bench.begin()
        try await bench.relaunch()
        #expect(bench.events.suffix(2) == ["queue.failed p1 appEnded", "queue.finished p1"])
        #expect(try bench.log.findings() == [])
    }

    @Test func `updates: a renewal is presented, a refund is a statement and withdraws`()
        async throws
    {
        let bench = try await SignedBench()
        let end = bench.log.clock.now.advanced(byMilliseconds: 30 * Timestamp.day)
        let period = #","expiresDate":\#(end.milliseconds),"subscriptionGroupIdentifier":"press""#
        await bench.update(bench.transaction("t1", "news", period))
        #expect(bench.events == ["receipt.listed t1", "queue.purchased t1"] + TestLog.given("t1"))
        bench.log.clock.advance(hours: 1)
        await bench.update(bench.transaction("t1", "news", period + bench.refunded(1)))
        #expect(
            bench.events.suffix(3) == [
                "receipt.listed t1", "cancellation.refunded t1", "delivery.withdrawn t1 refunded",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test(arguments: [(0, "other"), (1, "issue")])
    func `a refund has its reason`(_ number: Int, _ word: String) async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme", bench.refunded(number)))
        #expect(bench.events == ["receipt.listed t1", "cancellation.refunded t1"])
        #expect(bench.log.lines.last?.contains(#""reason":"\#(word)""#) == true)
    }

    @Test(arguments: [33_000, 100_000])
    func `revocationPercentage: a refund of a part is stated with its share, and ends the grant`(
        _ percent: Int
    ) async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme"))
        bench.log.clock.advance(hours: 1)
        let part = #","revocationPercentage":\#(percent)"#
        await bench.update(bench.transaction("t1", "theme", bench.refunded(0) + part))
        #expect(
            bench.events.suffix(4) == [
                "queue.finished t1", "receipt.listed t1", "cancellation.refunded t1",
                "delivery.withdrawn t1 refunded",
            ])
        let refund = bench.log.lines.first { $0.contains("cancellation.refunded") }
        #expect(refund?.contains(#""percent":\#(percent)"#) == true)
        #expect(try bench.log.findings() == [])
    }

    @Test func `what a refund of a part leaves is what the app is asked to deliver`() async throws {
        let bench = try await SignedBench()
        bench.app.during("deliver t1 ×9") { throw SignedStoreError.networkError }
        await bench.update(bench.transaction("t1", "coins", #","quantity":9"#))
        bench.log.clock.advance(hours: 1)
        let part = #","quantity":9,"revocationPercentage":44000"#
        await bench.update(bench.transaction("t1", "coins", bench.refunded(0) + part))
        #expect(bench.app.calls.suffix(3) == ["deliver t1 ×9", "deliver t1 ×5", "persist t1"])
        #expect(bench.events.last == "queue.finished t1")
        #expect(try bench.log.findings() == [])
    }

    @Test func `what the family shares is delivered, and withdrawn when sharing ends`() async throws
    {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme", ownership: "FAMILY_SHARED"))
        #expect(bench.events == ["receipt.listed t1", "queue.purchased t1"] + TestLog.given("t1"))
        #expect(bench.log.lines.filter { $0.contains(#""ownership":"familyShared""#) }.count == 2)
        bench.log.clock.advance(hours: 1)
        let now = bench.log.clock.now.milliseconds
        let revoked = #","revocationDate":\#(now)"#
        await bench.update(bench.transaction("t1", "theme", revoked, ownership: "FAMILY_SHARED"))
        #expect(
            bench.events.suffix(2) == ["cancellation.revoked t1", "delivery.withdrawn t1 revoked"])
        #expect(try bench.log.findings() == [])
    }

    @Test func `a test purchase is of its environment`() async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme", environment: "Sandbox"))
        #expect(
            bench.log.lines.contains { $0.contains("receipt.listed") && $0.contains("sandbox") })
    }

    @Test func `updates: one that was upgraded is a statement alone`() async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "news", #","isUpgraded":true"#))
        #expect(bench.events == ["receipt.listed t1"])
    }

    @Test func `the same transaction from two places is recorded and delivered once`() async throws
    {
        let bench = try await SignedBench()
        let key = try await bench.begin()
        let transaction = bench.transaction("t1")
        await bench.recorder.end(key, .success(transaction))
        await bench.recorder.received(update: transaction)
        #expect(bench.events.filter { $0 == "receipt.listed t1" }.count == 1)
        #expect(bench.events.filter { $0 == "delivery.delivered t1" }.count == 1)
    }

    @Test func `currentEntitlements: a statement, and delivered where it never was`() async throws {
        let bench = try await SignedBench()
        try await bench.recorder.beginRestore(account: SignedBench.account)
        let owned = bench.transaction("t1", "theme")
        await bench.recorder.received(entitlements: [owned])
        await bench.recorder.endRestore(nil)
        #expect(
            bench.events == [
                "restore.requested", "receipt.listed t1", "delivery.delivered t1",
                "restore.completed",
            ])
        #expect(owned.finishCount == 0)
        #expect(try bench.log.findings() == [])
    }

    @Test func `a failed sync fails the restore`() async throws {
        let bench = try await SignedBench()
        try await bench.recorder.beginRestore()
        await bench.recorder.endRestore(.userCancelled)
        #expect(bench.events == ["restore.requested", "restore.failed cancelled"])
    }

    @Test func `unverified updates state nothing and are told to the app`() async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", distrust: .invalidSignature))
        #expect(bench.events == [])
        #expect(
            bench.app.problems == [.unverified("a transaction", reason: "invalidSignature")])
    }

    @Test func `unverified entitlements and unfinished ones state nothing either`() async throws {
        let bench = try await SignedBench()
        let one = bench.transaction("t1", "theme", distrust: .revokedCertificate)
        await bench.recorder.received(entitlements: [one])
        try await bench.relaunch([one])
        #expect(!bench.events.contains { $0.contains("t1") })
        #expect(bench.app.problems.count == 2)
        #expect(one.finishCount == 0)
    }

    // MARK: Product.SubscriptionInfo.Status

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

    @Test func `several statuses of a group: each line has its own, one's own and the family's`()
        async throws
    {
        let bench = try await SignedBench()
        func status(_ id: String, _ state: Int, isShared: Bool) -> StatusStub {
            let end = bench.log.clock.now.milliseconds + Timestamp.day
            let transaction = bench.transaction(
                id, "news", #","expiresDate":\#(end),"subscriptionGroupIdentifier":"press""#,
                ownership: isShared ? "FAMILY_SHARED" : "PURCHASED")
            return bench.status(state, of: transaction, id, renews: state == 1)
        }
        let own = status("t1", 2, isShared: false)
        bench.log.clock.advance(hours: 25)
        await bench.recorder.received(status: own)
        await bench.recorder.received(status: status("t2", 1, isShared: true))
        let stated = bench.events.filter { !$0.hasPrefix("delivery") }
        #expect(
            stated == [
                "receipt.listed t1", "renewal.turnedOff", "renewal.expired news",
                "receipt.listed t2", "renewal.turnedOn",
            ])
        #expect(try bench.log.findings() == [])
    }

    @Test func `an unverified renewal info states nothing`() async throws {
        let bench = try await SignedBench()
        let status = StatusStub(
            observedState: 1, observedTransaction: bench.transaction("t1"),
            observedRenewalInfo: SignedBench.jws("{}"), observedRenewalDistrust: .invalidEncoding)
        await bench.recorder.received(status: status)
        #expect(bench.events == ["receipt.listed t1"])
        #expect(bench.app.problems.count == 1)
    }

    // MARK: Statements

    @Test func `a JWS and an import of it are the same event, with the same id`() async throws {
        let bench = try await SignedBench()
        await bench.update(bench.transaction("t1", "theme"))
        let signedAt = bench.log.clock.now.milliseconds
        #expect(bench.log.lines.contains { $0.contains(#""id":"tx:t1:\#(signedAt)#1""#) })
    }

    @Test func `jsonRepresentation alone is read too`() async throws {
        let bench = try await SignedBench()
        let json = SignedTransactionStub(bench.payload("t1", "theme"))
        await bench.recorder.received(update: json)
        #expect(bench.events.prefix(2) == ["receipt.listed t1", "queue.purchased t1"])
    }

    @Test func `products are listed with their kinds, the missing ones are invalid`() async throws {
        let bench = try await SignedBench()
        let product = TestProduct(observedProduct: "shelf", observedKind: .nonConsumable)
        await bench.recorder.received([product], askedFor: ["shelf", "lost"])
        #expect(
            bench.events == [
                "catalog.requested shelf", "catalog.listed shelf", "catalog.requested lost",
                "catalog.invalid lost",
            ])
    }

    @Test func `a product of unknown kind is told to the app, and others are listed`() async throws
    {
        let bench = try await SignedBench()
        let products = [
            TestProduct(observedProduct: "riddle", observedKind: nil),
            TestProduct(observedProduct: "shelf", observedKind: .nonConsumable),
        ]
        await bench.recorder.received(products, askedFor: ["riddle", "shelf"])
        #expect(bench.events == ["catalog.requested shelf", "catalog.listed shelf"])
        #expect(
            bench.app.problems == [.notRecorded("a product of unknown kind", product: "riddle")])
    }

    @Test func `unreadable lines of the notes are told to the app at the launch`() async throws {
        let bench = try await SignedBench()
        bench.log.files[TestLog.notesPath] = Array("no note\n".utf8)
        try await bench.relaunch()
        #expect(
            bench.app.problems == [
                .notRecorded("unreadable lines of the recorder's notes: 1", product: nil)
            ])
    }
}
