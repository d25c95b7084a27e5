import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Each kind of page and of signed record alone: a document and exactly its events.
@Suite struct PageTests {
    private let listed = "receipt.listed,transaction:t2,original:t1"

    @Test func `a transaction is a statement by its own identifier, wherever it stands`() throws {
        let jws = unsignedJWS(march2026)
        let key = "tx:t2:\(day("3-21").milliseconds)#1"
        let page: Payload = [
            "revision": "r", "hasMore": false, "bundleId": "com.example.app", "appAppleId": 7,
            "environment": "Production", "signedTransactions": [jws] as [any Sendable],
        ]
        let lookUp: Payload = ["signedTransactionInfo": jws]
        let alone = try importedUnverified(jws)
        #expect(alone.events.dropFirst().map(\.id) == [key])
        #expect(alone.events.last?.signedAt == day("3-21"))
        #expect(alone.events.allSatisfy { $0.source == nil })
        for text in [page.json, lookUp.json, "[\"\(jws)\"]", "\(jws)\n\(jws)\n"] {
            #expect(try importedUnverified(text).log == alone.log, "\(text.prefix(40))")
        }
        let notification = serverNotification("ONE_TIME_CHARGE", transaction: march2026)
        let all = try importedUnverified(page.json, notification.json, lookUp.json)
        #expect(all.rows.count == 1)
        #expect(all.tally.repeated == 2)
    }

    @Test func `kinds are counted by what each document was taken for`() throws {
        let decoded = try importedUnverified(march2026.json, plainRenewal.json)
        #expect(decoded.tally.kinds == [.transaction: 1, .renewalInfo: 1])
        #expect(decoded.tally.signatures == [.unchecked: 2])
        // An unsigned record is identified by the hash of its bytes.
        #expect(decoded.rows.count == 1)
        #expect(decoded.events.dropFirst().allSatisfy { $0.id?.hasPrefix("tx:") == false })
    }

    @Test func `a revocation is a refund, of a family member the end of sharing`() throws {
        func said(_ changes: (key: String, value: (any Sendable)?)...) throws -> String? {
            var payload = march2026.with(("revocationDate", day("3-24")))
            for change in changes { payload = payload.with(change) }
            let said = try importedUnverified(payload.json).said()
            return said.count == 2 ? said.last : nil
        }
        let date = "cancelledAt:2026-03-24T00:00:00.000Z"
        let names = "transaction:t2,original:t1"
        #expect(try said() == "cancellation.refunded,\(names),\(date)")
        #expect(
            try said(("revocationReason", 0), ("revocationType", "REFUND_FULL"))
                == "cancellation.refunded,\(names),\(date),reason:other")
        #expect(
            try said(("inAppOwnershipType", "FAMILY_SHARED"))
                == "cancellation.revoked,\(names),\(date)")
        #expect(
            try said(("revocationType", "FAMILY_REVOKE")) == "cancellation.revoked,\(names),\(date)"
        )
        #expect(try said(("isUpgraded", true)) == nil)
    }

    @Test func `a renewal info states what is renewed next`() throws {
        let payload = plainRenewal.with(
            ("autoRenewStatus", 1), ("autoRenewProductId", "gold"),
            ("isInBillingRetryPeriod", true), ("gracePeriodExpiresDate", day("4-26")),
            ("priceIncreaseStatus", 1), ("offerType", 2), ("renewalPrice", 990))
        let result = try importedUnverified(unsignedJWS(payload))
        #expect(
            try result.said() == [
                "renewal.turnedOn,original:t1",
                "renewal.planChanged,original:t1,product:monthly,next:gold,effect:nextRenewal",
                "renewal.priceIncreased,original:t1,consent:agreed",
                "renewal.failed,original:t1,product:monthly,retrying:true,"
                    + "graceExpiresAt:2026-04-26T00:00:00.000Z",
            ])
        let key = "ri:t1:\(day("3-21").milliseconds)"
        #expect(result.events.compactMap(\.id) == (1...4).map { "\(key)#\($0)" })
        #expect(
            result.tally.unplaced == [
                .init(kind: "renewal infos", thing: "offerType"): 1,
                .init(kind: "renewal infos", thing: "renewalPrice"): 1,
            ])
    }

    private func statusPage(_ status: Int, _ renewal: Payload?, _ transaction: Payload) -> String {
        let item: Payload = [
            "status": status, "originalTransactionId": "t1",
            "signedTransactionInfo": unsignedJWS(transaction),
        ]
        let group: Payload = [
            "subscriptionGroupIdentifier": "g",
            "lastTransactions": [item.with(("signedRenewalInfo", renewal.map(unsignedJWS)))]
                as [any Sendable],
        ]
        let page: Payload = [
            "environment": "Production", "bundleId": "com.example.app", "appAppleId": 7,
            "data": [group] as [any Sendable],
        ]
        return page.json
    }

    @Test(
        arguments: [
            (1, []), (2, ["renewal.expired"]), (3, ["renewal.failed"]), (4, ["renewal.failed"]),
            (5, []),
        ] as [(Int, [String])])
    func `the status of a line settles what its records leave open`(
        status: Int, types: [String]
    ) throws {
        let grace = status == 4 ? day("4-26") : nil
        let text = statusPage(
            status, plainRenewal.with(("gracePeriodExpiresDate", grace)), march2026)
        let result = try importedUnverified(text)
        #expect(result.events.dropFirst(2).map(\.type.wireName) == types)
        #expect(result.isComplete && result.rows.count == 1)
        let said = try result.said()
        if status == 4 {
            #expect(said.last?.hasSuffix("graceExpiresAt:2026-04-26T00:00:00.000Z") == true)
        }
        if status == 3 { #expect(said.last?.hasSuffix("retrying:true") == true) }
    }

    @Test func `a reason for an expiry counts once the line is over`() throws {
        let expired = plainRenewal.with(("expirationIntent", 2))
        func reasons(_ status: Int, signed: String = "3-21") throws -> [String] {
            let renewal = expired.with(("signedDate", day(signed)))
            return try importedUnverified(statusPage(status, renewal, march2026)).said()
                .filter { $0.hasPrefix("renewal.expired") }
        }
        #expect(try reasons(1).isEmpty)
        #expect(try reasons(2).first?.hasSuffix("reason:billing") == true)
        let notification = serverNotification(
            "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", on: "4-22",
            transaction: march2026, renewal: expired.with(("signedDate", day("4-21"))))
        let late = try importedUnverified(notification.json)
        #expect(late.events.last?.type == .renewalExpired)
        let early = serverNotification(
            "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: march2026,
            renewal: expired)
        #expect(try importedUnverified(early.json).events.last?.type == .renewalTurnedOff)
    }

    @Test func `a page of notifications is what its notifications are`() throws {
        let notification = unsignedJWS(serverNotification("DID_RENEW", transaction: march2026))
        let attempt: Payload = ["attemptDate": day("3-22"), "sendAttemptResult": "SUCCESS"]
        let item: Payload = [
            "signedPayload": notification, "sendAttempts": [attempt] as [any Sendable],
        ]
        let page: Payload = [
            "paginationToken": "p", "hasMore": true,
            "notificationHistory": [item] as [any Sendable],
        ]
        let body: Payload = ["signedPayload": notification]
        let alone = try importedUnverified(body.json)
        let result = try importedUnverified(page.json)
        #expect(result.log == alone.log)
        #expect(
            result.remarks(.note).contains { $0.contains("more notification history pages follow") }
        )
        #expect(result.tally.kinds == [.notificationHistory: 1])
    }

    @Test func `a webhook's envelope holds the body as text`() throws {
        let body: Payload = [
            "signedPayload": unsignedJWS(serverNotification("DID_RENEW", transaction: march2026))
        ]
        let alone = try importedUnverified(body.json)
        for key in ["body", "payload", "message", "Message"] {
            let envelope: Payload = ["receivedAt": "2026-03-22", "headers": [:] as Payload]
            let text = envelope.with((key, body.json)).json
            #expect(try importedUnverified("\(text)\n\(text)\n").log == alone.log, "\(key)")
        }
        let nested: Payload = ["message": (["body": body.json] as Payload).json]
        #expect(try importedUnverified(nested.json).log == alone.log)
    }

    @Test func `an app transaction states nothing and is counted`() throws {
        let payload: Payload = [
            "receiptType": "Production", "bundleId": "com.example.app", "appAppleId": 7,
            "applicationVersion": "1", "originalApplicationVersion": "1",
            "receiptCreationDate": day("3-1"),
            "originalPurchaseDate": RawJSON(text: "-62135769600000"),
        ]
        let result = try importedUnverified(payload.json)
        #expect(result.events.isEmpty && result.isComplete)
        #expect(result.tally.kinds == [.appTransaction: 1] && result.tally.unplaced.count == 1)
    }
}
