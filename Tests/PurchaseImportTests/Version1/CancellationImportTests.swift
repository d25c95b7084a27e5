import Testing

@testable import PurchaseEvents

/// Refunds, revocations and upgrades, and how the importer distinguishes them.
@Suite struct CancellationImportTests {
    private let cancelled = #""cancellation_date_ms":"\#(day("3-1").milliseconds)""#
    private let refund = CancellationRefunded<Written>(
        transaction: "t1", original: "t1", cancelledAt: day("3-1"))

    @Test(arguments: ["CANCEL", "REFUND"])
    func `a cancelled row is a refund with its reason`(type: String) throws {
        let text = row("t1", from: "2-20", to: "3-20", cancelled + #","cancellation_reason":"1""#)
        var expected = refund
        expected.reason = .issue
        let result = try imported(notification(type, [text]))
        #expect(result.facts() == [.cancellationRefunded(expected)])
        #expect(result.rows.first?.cancelledAt == day("3-1"))
        #expect(result.remarks.isEmpty)
    }

    @Test func `a cancellation at the top level is that of the period that ran`() throws {
        let result = try imported(notification("CANCEL", [february, march], cancelled))
        #expect(result.facts() == [.cancellationRefunded(refund)])
    }

    @Test func `a cancellation at the top level finds its order item`() throws {
        let item = #""web_order_line_item_id":"77""#
        let result = try imported(
            notification(
                "CANCEL", [row("t1", from: "2-20", to: "3-20", item), march],
                #""web_order_line_item_id":77,"cancellation_date":"2026-04-01 00:00:00 Etc/GMT""#))
        var expected = refund
        expected.cancelledAt = day("4-1")
        #expect(result.facts() == [.cancellationRefunded(expected)])
    }

    @Test func `a cancellation that fits no row is remarked on, not guessed`() throws {
        let late = #""cancellation_date_ms":"\#(day("9-1").milliseconds)""#
        let result = try imported(notification("CANCEL", [february, march], late))
        #expect(result.facts().isEmpty)
        #expect(result.remarks(.warning).count == 1 && !result.isComplete)
    }

    @Test func `a cancellation whose date can't be read is left out and said to be`() throws {
        let soon = row("t1", from: "2-20", to: "3-20", #""cancellation_date_ms":"soon""#)
        for type in ["REFUND", "CANCEL", "REVOKE"] {
            let result = try imported(notification(type, [soon]))
            #expect(result.facts().isEmpty && !result.isComplete)
            #expect(result.remarks(.warning).last?.hasSuffix("ignored the type") == true)
        }
        let legacy = #"{"notification_type":"CANCEL","cancellation_date":"soon"}"#
        #expect(try !imported(legacy).isComplete)
    }

    @Test(arguments: ["REFUND", "REVOKE", "CANCEL"])
    func `what another line lost is not what the notification says`(type: String) throws {
        let other = row("c1", of: "c1", product: "coins", from: "2-1", cancelled)
        let own = row("c2", of: "c2", product: "coins", from: "3-1")
        let line = #""original_transaction_id":"c2""#
        let result = try imported(notification(type, [other, own], line))
        #expect(result.rows.count == 2)
        #expect(result.remarks(.warning).count == 1 && !result.isComplete)
        let late = #","cancellation_date_ms":"\#(day("3-1").milliseconds)""#
        let told = try imported(notification(type, [other, own], line + late))
        #expect(told.facts().count == 2 && told.isComplete)
    }

    @Test func `an upgraded row with a cancellation date is no refund`() throws {
        let upgraded = row("t1", from: "2-20", to: "3-20", cancelled + #","is_upgraded":"true""#)
        let result = try imported(notification("CANCEL", [upgraded]))
        #expect(result.facts().isEmpty)
        #expect(result.rows.first?.upgraded == true && result.rows.first?.cancelledAt != nil)
    }

    @Test func `a revocation ends family sharing`() throws {
        let expected = CancellationRevoked<Written>(
            transaction: "t1", original: "t1", cancelledAt: day("3-1"))
        let plain = row("t1", from: "2-20", to: "3-20", cancelled)
        #expect(
            try imported(notification("REVOKE", [plain])).facts()
                == [.cancellationRevoked(expected)])
        let shared = row(
            "t1", from: "2-20", to: "3-20",
            cancelled + #","in_app_ownership_type":"FAMILY_SHARED""#)
        let result = try imported(response(latest: [shared]))
        #expect(result.facts().contains(.cancellationRevoked(expected)))
        #expect(result.rows.first?.ownership == .familyShared)
    }

    @Test func `a response tells its refunds too, once for each transaction`() throws {
        let text = row("t1", from: "2-20", to: "3-20", cancelled)
        let result = try imported(response(inApp: [text], latest: [text]))
        #expect(result.facts().filter { $0 == .cancellationRefunded(refund) }.count == 1)
        #expect(result.rows.count == 1)
    }
}
