import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// What signed records say since 2025: seats, plans with a commitment, revocations that pay nobody
/// back, items of the Advanced Commerce API.
@Suite struct StatedTests {
    private let revoked = march2026.with(("revocationDate", day("3-24")))
    private let cancelled = "transaction:t2,original:t1,cancelledAt:2026-03-24T00:00:00.000Z"

    private func last(_ payload: Payload) throws -> (said: String?, result: ImportResult) {
        let result = try importedUnverified(payload.json)
        return (try result.said().last, result)
    }

    @Test func `a seat is assigned, and taken back without a refund`() throws {
        let seat = march2026.with(("inAppOwnershipType", "ASSIGNED"))
        let held = try importedUnverified(seat.json)
        #expect(held.rows.first?.ownership == .assigned && held.isComplete)
        for payload in [
            revoked.with(("inAppOwnershipType", "ASSIGNED")),
            revoked.with(("revocationType", "ASSIGNMENT_REVOKE")),
        ] {
            let (said, result) = try last(payload)
            #expect(said == "cancellation.revoked,\(cancelled),reason:assignment")
            #expect(result.isComplete)
        }
    }

    @Test func `a refund is never recorded on a guess`() throws {
        let (moved, result) = try last(
            revoked.with(("revocationType", "MOVED_TO_SUITE"), ("revocationReason", 1)))
        #expect(moved == "cancellation.revoked,\(cancelled),reason:MOVED_TO_SUITE")
        #expect(result.isComplete && result.remarks(.note).count == 1)
        let (unknown, _) = try last(revoked.with(("revocationReason", 7)))
        #expect(unknown == "cancellation.revoked,\(cancelled),reason:7")
        let (bundled, told) = try last(
            revoked.with(("revocationReason", 7), ("bundleTransactionID", "b1")))
        #expect(bundled == "cancellation.revoked,\(cancelled),reason:bundle")
        #expect(told.isComplete)
        let (whole, _) = try last(
            revoked.with(("revocationReason", 7), ("revocationType", "REFUND_FULL")))
        #expect(whole == "cancellation.refunded,\(cancelled)")
    }

    @Test func `a new number of an offer leaves the row as it is`() throws {
        let retention = try importedUnverified(march2026.with(("offerType", 5)).json)
        #expect(retention.rows.first?.offer == .retention && retention.isComplete)
        let newer = try importedUnverified(march2026.with(("offerType", 6)).json)
        #expect(newer.rows.count == 1 && newer.isComplete && newer.remarks(.note).count == 1)
    }

    private let monthly = march2026.with(
        ("billingPlanType", "MONTHLY"),
        (
            "commitmentInfo",
            [
                "billingPeriodNumber": 2, "totalBillingPeriods": 12,
                "commitmentExpiresDate": day("12-20"), "commitmentPrice": 59_880,
            ] as Payload
        ))
    private let terms =
        "plan:monthly,commitmentNumber:2,commitmentOf:12,"
        + "commitmentUntil:2026-12-20T00:00:00.000Z,commitmentPrice:59880"

    @Test func `a monthly plan states its period and its commitment`() throws {
        let listed = try importedUnverified(monthly.json)
        #expect(try listed.said().last?.contains(",\(terms),price:4990") == true)
        let renewed = try importedUnverified(
            serverNotification("DID_RENEW", transaction: monthly).json)
        #expect(try renewed.said().last?.hasSuffix(",currency:EUR,\(terms)") == true)
        #expect(listed.isComplete && renewed.isComplete)
    }

    @Test func `turning off ends the renewal of the commitment, not the billing`() throws {
        let off: Payload = ["commitmentAutoRenewStatus": 0]
        let renewal = plainRenewal.with(("autoRenewStatus", 1), ("commitmentInfo", off))
        let result = try importedUnverified(
            serverNotification(
                "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: monthly,
                renewal: renewal
            ).json)
        #expect(
            try result.said().suffix(2) == [
                "renewal.turnedOn,original:t1", "renewal.turnedOff,original:t1,commitment:true",
            ])
        // Without a renewal info, the subtype is about the commitment too.
        let alone = try importedUnverified(
            serverNotification(
                "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: monthly
            ).json)
        #expect(try alone.said().last == "renewal.turnedOff,original:t1,commitment:true")
    }

    @Test func `a refund told in passing is stated`() throws {
        let payload = serverNotification(
            "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", transaction: revoked,
            renewal: plainRenewal.with(("autoRenewStatus", 0)))
        let types = try importedUnverified(payload.json).events.map(\.type).dropFirst(2)
        #expect(types == [.receiptListed, .renewalTurnedOff, .cancellationRefunded])
    }

    @Test func `a renewal event leaves no seat and no quantity out`() throws {
        for payload in [
            march2026.with(("inAppOwnershipType", "ASSIGNED")), march2026.with(("quantity", 25)),
        ] {
            let result = try importedUnverified(
                serverNotification("SUBSCRIBED", "INITIAL_BUY", transaction: payload).json)
            #expect(
                result.events.map(\.type).dropFirst(2) == [.receiptListed, .renewalStarted])
        }
    }

    private func item(_ sku: String, _ changes: (key: String, value: (any Sendable)?)...) -> Payload
    {
        changes.reduce(["SKU": sku, "price": 990]) { $0.with($1) }
    }

    private func purchase(_ items: [Payload]) -> Payload {
        march2026.with(("advancedCommerceInfo", ["items": items as [any Sendable]] as Payload))
    }

    @Test func `a transaction is refunded once each of its items is`() throws {
        let full: Payload = ["refundType": "FULL", "refundDate": day("3-22")]
        let all = purchase([
            item("a", ("revocationDate", day("3-24"))),
            item("b", ("refunds", [full] as [any Sendable])),
        ])
        #expect(try last(all).said == "cancellation.refunded,\(cancelled)")
        let some = try importedUnverified(
            purchase([item("a", ("revocationDate", day("3-24"))), item("b")]).json)
        #expect(some.events.last?.type == .receiptListed && some.isComplete)
        #expect(some.remarks(.note).first?.contains("1 of 2 items") == true)
    }

    @Test func `accounts are what was chosen`() throws {
        let token = "6F1C2B1E-3D47-4A90-8C55-2B7E90D1F3A8"
        let customer = march2026.with(("appTransactionId", "704"))
        let both = customer.with(("appAccountToken", token))
        func accounts(_ choice: AccountKey?) throws -> [String?] {
            let files = [customer, both].map { ImportFile(name: "a", bytes: Array($0.json.utf8)) }
            let result = try imported(files) {
                $0.account = choice
                $0.verifies = false
            }
            #expect(result.tally.unnamedCustomers == (choice == nil ? 1 : 0))
            return result.events.dropFirst().map { $0.account?.name }
        }
        #expect(try accounts(nil) == [nil, token.lowercased()])
        #expect(try accounts(.token) == [nil, token.lowercased()])
        #expect(try accounts(.customer) == ["704", "704"])
        #expect(try accounts(.tokenOrCustomer) == ["704", token.lowercased()])
    }

    @Test func `the log's environment is that of all facts, if it isn't production`() throws {
        let test = march2026.with(("environment", "Sandbox"))
        let other = coins.with(("environment", "Sandbox"))
        #expect(try importedUnverified(test.json, other.json).events.first?.environment == .sandbox)
        #expect(try importedUnverified(test.json, coins.json).events.first?.environment == nil)
        #expect(try importedUnverified(coins.json).events.first?.environment == nil)
    }
}
