import TestSigning
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Each row of the table of notification types: a document and exactly the events that it states.
@Suite struct NotificationTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var type: String
        var subtype: String?
        var transaction: Payload? = march2026
        var renewal: Payload? = plainRenewal
        var status: Int?
        /// The expected events after `notification.received`, in the form of
        /// ``ImportResult/said()``.
        var said: [String]

        /// All expected events: the transaction comes first, unless an event of the type states the
        /// same and more.
        var stated: [String] {
            let isStated = said.first.map { first in
                ["renewal.started", "renewal.renewed", "receipt.listed"].contains {
                    first.hasPrefix($0)
                }
            }
            guard transaction != nil, isStated != true else { return said }
            return [NotificationTableTests.listed + NotificationTableTests.bought] + said
        }

        var testDescription: String { "\(type) \(subtype ?? "–")" }
    }

    private static let period =
        "transaction:t2,original:t1,product:monthly,group:g,purchasedAt:2026-03-20T00:00:00.000Z,"
        + "expiresAt:2026-04-20T00:00:00.000Z"
    private static let price = ",price:4990,currency:EUR"
    fileprivate static let listed =
        "receipt.listed,transaction:t2,original:t1,product:monthly,kind:autoRenewable,group:g,"
        + "quantity:1,purchasedAt:2026-03-20T00:00:00.000Z,"
        + "originalPurchasedAt:2026-02-20T00:00:00.000Z,expiresAt:2026-04-20T00:00:00.000Z,"
    private static let listedCoins =
        "receipt.listed,transaction:c1,original:c1,product:coins,kind:consumable,quantity:3,"
        + "purchasedAt:2026-03-20T00:00:00.000Z,originalPurchasedAt:2026-03-20T00:00:00.000Z,"
    private static let paidCoins = "ownership:purchased,price:2970,currency:EUR"
    fileprivate static let bought = "ownership:purchased,price:4990,currency:EUR"
    private static let refunded = coins.with(
        ("revocationDate", day("3-24")), ("revocationReason", 1), ("revocationPercentage", 50_000))
    private static let cancelled = "cancelledAt:2026-03-24T00:00:00.000Z,"
    private static let gold = plainRenewal.with(("autoRenewProductId", "gold"))
    private static let off = plainRenewal.with(("autoRenewStatus", 0))
    private static let retrying = plainRenewal.with(("isInBillingRetryPeriod", true))

    static let rows: [Row] = subscriptions + endings + refunds + others

    private static let subscriptions = [
        Row(
            type: "SUBSCRIBED", subtype: "INITIAL_BUY",
            said: ["renewal.started,\(period)\(price)"]),
        Row(
            type: "SUBSCRIBED", subtype: "RESUBSCRIBE",
            renewal: plainRenewal.with(("autoRenewStatus", 1)),
            said: [
                "renewal.started,\(period),resubscribed:true\(price)",
                "renewal.turnedOn,original:t1",
            ]),
        Row(
            type: "DID_RENEW", transaction: march2026.with(("offerType", 3)),
            said: ["renewal.renewed,\(period)\(price),offer:code"]),
        Row(
            type: "DID_RENEW", subtype: "BILLING_RECOVERY", renewal: nil,
            said: ["renewal.renewed,\(period),recovered:true\(price)"]),
        Row(
            type: "DID_CHANGE_RENEWAL_PREF", subtype: "UPGRADE",
            said: [
                "renewal.started,\(period)\(price)",
                "renewal.planChanged,original:t1,next:monthly,effect:now",
            ]),
        Row(
            type: "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", renewal: gold,
            said: ["renewal.planChanged,original:t1,product:monthly,next:gold,effect:nextRenewal"]
        ),
        Row(
            type: "DID_CHANGE_RENEWAL_PREF",
            said: [
                "renewal.planChanged,original:t1,product:monthly,next:monthly,effect:nextRenewal"
            ]),
        Row(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_ENABLED",
            renewal: plainRenewal.with(("autoRenewStatus", 1)),
            said: ["renewal.turnedOn,original:t1"]),
        Row(
            type: "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", renewal: off,
            said: ["renewal.turnedOff,original:t1"]),
        Row(
            type: "DID_CHANGE_RENEWAL_STATUS", renewal: off,
            said: ["renewal.turnedOff,original:t1"]),
        Row(type: "OFFER_REDEEMED", said: [listed + bought]),
        Row(
            type: "OFFER_REDEEMED", subtype: "UPGRADE",
            said: [
                listed + bought, "renewal.started,\(period)\(price)",
                "renewal.planChanged,original:t1,next:monthly,effect:now",
            ]),
        Row(
            type: "OFFER_REDEEMED", subtype: "DOWNGRADE", renewal: gold,
            said: [
                listed + bought,
                "renewal.planChanged,original:t1,product:monthly,next:gold,effect:nextRenewal",
            ]),
        Row(
            type: "RENEWAL_EXTENDED",
            said: [
                "renewal.extended,original:t1,transaction:t2,expiresAt:2026-04-20T00:00:00.000Z"
            ]),
    ]

    private static let endings =
        [
            ("VOLUNTARY", "cancelled"), ("BILLING_RETRY", "billing"),
            ("PRICE_INCREASE", "priceIncrease"), ("PRODUCT_NOT_FOR_SALE", "unavailable"),
            (nil, "other"),
        ].map { subtype, reason in
            Row(
                type: "EXPIRED", subtype: subtype,
                renewal: plainRenewal.with(("expirationIntent", 1), ("autoRenewStatus", 0)),
                status: 2,
                said: [
                    "renewal.expired,original:t1,product:monthly,"
                        + "expiresAt:2026-04-20T00:00:00.000Z,reason:\(reason)",
                    "renewal.turnedOff,original:t1",
                ])
        } + [
            Row(
                type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD",
                renewal: retrying.with(("gracePeriodExpiresDate", day("4-26"))), status: 4,
                said: [
                    "renewal.failed,original:t1,product:monthly,retrying:true,"
                        + "graceExpiresAt:2026-04-26T00:00:00.000Z"
                ]),
            Row(
                type: "DID_FAIL_TO_RENEW", renewal: retrying, status: 3,
                said: ["renewal.failed,original:t1,product:monthly,retrying:true"]),
            Row(
                type: "GRACE_PERIOD_EXPIRED", renewal: retrying, status: 3,
                said: [
                    "renewal.graceExpired,original:t1",
                    "renewal.failed,original:t1,product:monthly,retrying:true",
                ]),
            Row(
                type: "PRICE_INCREASE", subtype: "PENDING",
                renewal: plainRenewal.with(("priceIncreaseStatus", 0)),
                said: ["renewal.priceIncreased,original:t1,consent:pending"]),
            Row(
                type: "PRICE_INCREASE", subtype: "ACCEPTED",
                renewal: plainRenewal.with(("priceIncreaseStatus", 1)),
                said: ["renewal.priceIncreased,original:t1,consent:agreed"]),
        ]

    private static let refunds = [
        Row(
            type: "REFUND", transaction: refunded, renewal: nil,
            said: [
                listedCoins + cancelled + paidCoins,
                "cancellation.refunded,transaction:c1,original:c1,"
                    + "cancelledAt:2026-03-24T00:00:00.000Z,reason:issue,percent:50000",
            ]),
        Row(
            type: "REFUND_REVERSED", transaction: coins, renewal: nil,
            said: [listedCoins + paidCoins, "cancellation.reversed,transaction:c1"]),
        Row(
            type: "REFUND_DECLINED", transaction: coins, renewal: nil,
            said: [listedCoins + paidCoins, "cancellation.declined,transaction:c1"]),
        Row(
            type: "CONSUMPTION_REQUEST", transaction: coins, renewal: nil,
            said: [listedCoins + paidCoins, "cancellation.requested,transaction:c1"]),
        Row(
            type: "REVOKE",
            transaction: march2026.with(
                ("revocationDate", day("3-24")), ("inAppOwnershipType", "FAMILY_SHARED")),
            said: [
                listed + cancelled + "ownership:familyShared,price:4990,currency:EUR",
                "cancellation.revoked,transaction:t2,original:t1,"
                    + "cancelledAt:2026-03-24T00:00:00.000Z",
            ]),
        Row(
            type: "ONE_TIME_CHARGE", transaction: coins, renewal: nil,
            said: [listedCoins + paidCoins]),
    ]

    private static let others =
        [
            ("RENEWAL_EXTENSION", "FAILURE"), ("METADATA_UPDATE", nil), ("MIGRATION", nil),
            ("MIGRATE", nil), ("PRICE_CHANGE", nil),
        ].map { type, subtype in
            Row(type: type, subtype: subtype, said: [])
        } + [
            Row(type: "TEST", transaction: nil, renewal: nil, said: []),
            Row(
                type: "SOMETHING_NEW", subtype: "EVEN_NEWER", renewal: off,
                said: ["renewal.turnedOff,original:t1"]),
        ]

    @Test(arguments: rows)
    func `a notification states the events of its row`(row: Row) throws {
        let payload = serverNotification(
            row.type, row.subtype, transaction: row.transaction, renewal: row.renewal,
            status: row.status)
        let result = try importedUnverified(payload.json)
        let subtype = row.subtype.map { "subtype:\($0)," } ?? ""
        let received =
            "notification.received,notification:n1,name:\(row.type),\(subtype)version:2,"
            + "signature:unchecked"
        #expect(try result.said() == [received] + row.stated)
        #expect(result.isComplete, "\(result.remarks)")
        // The facts follow their notification, by its identifier.
        let facts = result.events.dropFirst(2)
        #expect(facts.map(\.id) == facts.indices.map { "n1#\($0 - 1)" })
        #expect(facts.allSatisfy { $0.source == "n1" && $0.environment == .production })
        #expect(result.events.dropFirst().allSatisfy { $0.at == day("3-22") })
    }

    @Test func `signed by keys of the tests' own, a notification states the same`() throws {
        let (chain, rows) = (TestChain.payload, NotificationTableTests.rows)
        let roots = try chain.roots
        let step = Effort.of(whole: 1, part: 9)
        for row in stride(from: 0, to: rows.count, by: step).map({ rows[$0] }) {
            let payload = serverNotification(
                row.type, row.subtype, transaction: row.transaction, renewal: row.renewal,
                status: row.status, jws: { chain.jws($0.json) })
            let body: Payload = ["signedPayload": chain.jws(payload.json)]
            let file = ImportFile(name: "0.json", bytes: Array(body.json.utf8))
            var options = ImportOptions()
            options.roots = roots
            let result = AppStoreImporter().log(of: [file], options: options)
            let said = try result.said()
            #expect(said.first?.hasSuffix("signature:valid") == true, "\(row.testDescription)")
            #expect(Array(said.dropFirst()) == row.stated, "\(row.testDescription)")
            let signed = 1 + [row.transaction, row.renewal].count { $0 != nil }
            #expect(result.tally.signatures == [.valid: signed], "\(row.testDescription)")
        }
    }

    @Test func `every type of the App Store has a row`() {
        let tested = Set(NotificationTableTests.rows.map(\.type))
            .union(NotificationTableTests.withoutData.map(\.type))
        #expect(tested.isSuperset(of: ServerNotification.Kind.allCases.map(\.rawValue)))
    }

    /// The notifications that have something else in the place of `data`: the key, and its value.
    private static let withoutData:
        [(type: String, subtype: String?, key: String, value: Payload)] =
            ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"].map { subtype in
                (
                    "EXTERNAL_PURCHASE_TOKEN", subtype, "externalPurchaseToken",
                    [
                        "externalPurchaseId": "SANDBOX_x", "tokenCreationDate": day("3-20"),
                        "appAppleId": 7, "bundleId": "com.example.app",
                    ]
                )
            } + [
                (
                    "RENEWAL_EXTENSION", "SUMMARY", "summary",
                    [
                        "environment": "Sandbox", "appAppleId": 7, "bundleId": "com.example.app",
                        "productId": "monthly", "requestIdentifier": "r", "succeededCount": 5,
                        "failedCount": 1,
                    ]
                ),
                (
                    "RESCIND_CONSENT", nil, "appData",
                    [
                        "environment": "Sandbox", "appAppleId": 7, "bundleId": "com.example.app",
                        "signedAppTransactionInfo": unsignedJWS(download),
                    ]
                ),
            ]

    private static let download: Payload = [
        "receiptType": "Sandbox", "bundleId": "com.example.app", "appAppleId": 7,
        "originalApplicationVersion": "1", "receiptCreationDate": day("3-1"),
    ]

    @Test func `what has no data is counted and states nothing`() throws {
        for (type, subtype, key, value) in NotificationTableTests.withoutData {
            let payload = serverNotification(type, subtype).with(("data", nil), (key, value))
            let result = try importedUnverified(payload.json)
            #expect(result.events.map(\.type) == [.logOpened, .notificationReceived], "\(type)")
            #expect(result.events.last?.environment == .sandbox, "\(type)")
            let left =
                key == "appData"
                ? ImportTally.Unplaced(
                    kind: "app transactions", thing: "the download of the app itself")
                : ImportTally.Unplaced(kind: "notifications of version 2", thing: key)
            #expect(result.tally.unplaced == [left: 1], "\(type)")
            let signed = key == "appData" ? 2 : 1
            #expect(result.tally.signatures == [.unchecked: signed], "\(type)")
            #expect(result.isComplete, "\(result.remarks)")
        }
    }

    @Test func `what a type says and its records don't is told`() throws {
        for row in NotificationTableTests.rows
        where !row.said.isEmpty && row.type != "SOMETHING_NEW" {
            let payload = serverNotification(row.type, row.subtype)
            let result = try importedUnverified(payload.json)
            #expect(result.events.count == 2, "\(row.testDescription)")
            #expect(result.remarks(.warning).count >= 1, "\(row.testDescription)")
        }
    }

    @Test func `a repeated identifier adds nothing, another content under it goes on`() throws {
        let first = serverNotification("DID_RENEW", transaction: march2026)
        let again = try importedUnverified(first.json, first.json)
        #expect(try importedUnverified(first.json).log == again.log)
        #expect(again.tally.repeated == 1 && again.isComplete)
        let other = serverNotification(
            "EXPIRED", "VOLUNTARY", on: "4-21", transaction: march2026)
        let both = try importedUnverified(other.json, first.json)
        #expect(both.events.compactMap(\.id) == ["n1#1", "n1#2", "n1#3"])
        #expect(both.events.map(\.type).last == .renewalExpired)
        #expect(both.remarks(.note).count == 1 && both.isComplete)
    }

    @Test func `accounts are tokens in lower case`() throws {
        let token = "7E3FB20B-4CDB-47CC-936D-99D65F608138"
        let payload = serverNotification(
            "DID_RENEW", transaction: march2026.with(("appAccountToken", token)))
        let result = try importedUnverified(payload.json)
        let accounts = Set(result.events.dropFirst().map(\.account))
        #expect(accounts == [AccountID<Written>(token.lowercased())])
    }
}
