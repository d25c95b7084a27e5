import Testing

@testable import PurchaseEvents

/// The subscription of a notification that doesn't name one.
@Suite struct NotificationLineTests {
    private let own = row("t9", of: "t9", product: "small", from: "3-1", to: "4-1")
    private let old = row("t1", product: "large", from: "1-1", to: "2-1")
    private let ownPending =
        #"{"original_transaction_id":"t9","product_id":"small","auto_renew_product_id":"large","#
        + #""auto_renew_status":"1"}"#
    private let oldPending =
        #"{"original_transaction_id":"t1","product_id":"large","auto_renew_product_id":"large","#
        + #""auto_renew_status":"0"}"#

    private func facts(_ type: String, _ more: String) throws -> [Fact<Written>] {
        try imported(
            notification(type, [own, old], pending: "\(ownPending),\(oldPending)", more)
        ).facts()
    }

    @Test(arguments: ["latest_receipt_info", "latest_expired_receipt_info"])
    func `the row at the top level names the line, the next product doesn't`(key: String) throws {
        let top = #""auto_renew_product_id":"large","\#(key)":"# + own
        #expect(
            try facts("DID_RENEW", top).first
                == .renewalRenewed(
                    .init(
                        transaction: "t9", original: "t9", product: "small",
                        purchasedAt: day("3-1"), expiresAt: day("4-1"))))
        #expect(
            try facts("DID_CHANGE_RENEWAL_PREF", top).first
                == .renewalPlanChanged(
                    .init(original: "t9", product: "small", next: "large", effect: .nextRenewal)))
        #expect(
            try facts("DID_FAIL_TO_RENEW", top).first
                == .renewalFailed(.init(original: "t9", product: "small")))
        let status = try facts("DID_CHANGE_RENEWAL_STATUS", top + #","auto_renew_status":"false""#)
        #expect(status.contains(.renewalTurnedOff(original: "t9")))
    }

    @Test func `without it the subscription is the one that is to renew as the product`() throws {
        let small = oldPending.replacing("large", with: "other")
        func warnings(_ pending: String, next: String) throws -> [String] {
            try imported(
                notification(
                    "DID_CHANGE_RENEWAL_PREF", [own, old], pending: pending,
                    #""auto_renew_product_id":"\#(next)""#)
            ).remarks(.warning)
        }
        #expect(try warnings("\(ownPending),\(small)", next: "large").isEmpty)
        // Two lines, or none, are about to renew to that product: the importer doesn't guess.
        #expect(try warnings("\(ownPending),\(oldPending)", next: "large").count == 1)
        #expect(try warnings("\(ownPending),\(oldPending)", next: "small").count == 1)
    }

    @Test func `a request or a refund of a consumable is not of the only subscription`() throws {
        let coins = row("c1", of: "c1", product: "coins", from: "3-1")
        let result = try imported(
            notification("CONSUMPTION_REQUEST", [own, coins], pending: ownPending))
        #expect(!result.facts().contains(.cancellationRequested(transaction: "t9")))
        #expect(result.remarks(.warning).count == 1)
        let named = try imported(
            notification(
                "CONSUMPTION_REQUEST", [own, coins], pending: ownPending,
                #""latest_receipt_info":"# + coins))
        #expect(named.facts().first == .cancellationRequested(transaction: "c1"))
        let refund = row(
            "c1", of: "c1", product: "coins", from: "3-1",
            #""cancellation_date_ms":"\#(day("3-2").milliseconds)""#)
        let refunded = try imported(notification("REFUND", [own, refund], pending: ownPending))
        #expect(refunded.facts().first?.type == .cancellationRefunded && refunded.isComplete)
    }
}
