import TestSigning
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Each kind of page with records that keys of the tests sign: exactly the events of the records.
@Suite struct SignedPageTests {
    private struct Page {
        var kind: ImportKind
        var document: Payload
        /// How many records on it are signed, and what they say.
        var signed: Int
        var said: [String]
    }

    private static func jws(_ payload: Payload) -> String { TestChain.payload.jws(payload.json) }

    private static let listed =
        "receipt.listed,transaction:t2,original:t1,product:monthly,kind:autoRenewable,group:g,"
        + "quantity:1,purchasedAt:2026-03-20T00:00:00.000Z,"
        + "originalPurchasedAt:2026-02-20T00:00:00.000Z,expiresAt:2026-04-20T00:00:00.000Z,"
        + "ownership:purchased,price:4990,currency:EUR"

    private static let refundedCoins = [
        "receipt.listed,transaction:c1,original:c1,product:coins,kind:consumable,quantity:3,"
            + "purchasedAt:2026-03-20T00:00:00.000Z,"
            + "originalPurchasedAt:2026-03-20T00:00:00.000Z,"
            + "cancelledAt:2026-03-24T00:00:00.000Z,ownership:purchased,price:2970,currency:EUR",
        "cancellation.refunded,transaction:c1,original:c1,"
            + "cancelledAt:2026-03-24T00:00:00.000Z,reason:issue",
    ]

    private static var pages: [Page] {
        let refund = coins.with(("revocationDate", day("3-24")), ("revocationReason", 1))
        let app: Payload = [
            "bundleId": "com.example.app", "appAppleId": 7, "environment": "Production",
        ]
        let download: Payload = [
            "receiptType": "Production", "bundleId": "com.example.app", "appAppleId": 7,
            "originalApplicationVersion": "1", "receiptCreationDate": day("3-1"),
        ]
        let notification = serverNotification("DID_RENEW", transaction: march2026, jws: jws)
        let attempt: Payload = ["attemptDate": day("3-22"), "sendAttemptResult": "SUCCESS"]
        let sent: Payload = [
            "signedPayload": jws(notification), "sendAttempts": [attempt] as [any Sendable],
        ]
        return [
            Page(
                kind: .history,
                document: app.with(
                    ("revision", "r"), ("hasMore", false),
                    ("signedTransactions", [jws(march2026), jws(refund)] as [any Sendable])),
                signed: 2, said: [listed] + refundedCoins),
            // A refund history, and the look-up of an order.
            Page(
                kind: .history,
                document: [
                    "signedTransactions": [jws(refund)] as [any Sendable], "revision": "r",
                    "hasMore": false,
                ], signed: 1, said: refundedCoins),
            Page(
                kind: .history,
                document: ["status": 0, "signedTransactions": [jws(march2026)] as [any Sendable]],
                signed: 1, said: [listed]),
            Page(
                kind: .status, document: app.with(("data", [expiredGroup] as [any Sendable])),
                signed: 2,
                said: [
                    listed,
                    "renewal.expired,original:t1,product:monthly,"
                        + "expiresAt:2026-04-20T00:00:00.000Z,reason:cancelled",
                ]),
            Page(
                kind: .notificationHistory,
                document: [
                    "notificationHistory": [sent] as [any Sendable], "hasMore": false,
                ], signed: 2,
                said: [
                    "notification.received,notification:n1,name:DID_RENEW,version:2,"
                        + "signature:valid",
                    "renewal.renewed,transaction:t2,original:t1,product:monthly,group:g,"
                        + "purchasedAt:2026-03-20T00:00:00.000Z,"
                        + "expiresAt:2026-04-20T00:00:00.000Z,price:4990,currency:EUR",
                ]),
            Page(
                kind: .transactionInfo, document: ["signedTransactionInfo": jws(march2026)],
                signed: 1, said: [listed]),
            Page(
                kind: .transactionInfo,
                document: [
                    "signedRenewalInfo": jws(plainRenewal.with(("autoRenewStatus", 0)))
                ], signed: 1, said: ["renewal.turnedOff,original:t1"]),
            Page(
                kind: .transactionInfo, document: ["signedAppTransactionInfo": jws(download)],
                signed: 1, said: []),
        ]
    }

    private static var expiredGroup: Payload {
        let item: Payload = [
            "status": 2, "originalTransactionId": "t1", "signedTransactionInfo": jws(march2026),
            "signedRenewalInfo": jws(plainRenewal.with(("expirationIntent", 1))),
        ]
        return [
            "subscriptionGroupIdentifier": "g", "lastTransactions": [item] as [any Sendable],
        ]
    }

    @Test func `a page states exactly what the records on it state`() throws {
        let roots = try TestChain.payload.roots
        for page in SignedPageTests.pages {
            let file = ImportFile(name: "0.json", bytes: Array(page.document.json.utf8))
            var options = ImportOptions()
            options.roots = roots
            let result = AppStoreImporter().log(of: [file], options: options)
            #expect(try result.said() == page.said)
            #expect(result.tally.kinds == [page.kind: 1])
            #expect(result.tally.signatures == [.valid: page.signed])
            #expect(result.isComplete, "\(result.remarks)")
        }
    }

    @Test func `every kind of page is tried`() {
        let tried = Set(SignedPageTests.pages.map(\.kind))
        #expect(tried == [.history, .status, .notificationHistory, .transactionInfo])
    }
}
