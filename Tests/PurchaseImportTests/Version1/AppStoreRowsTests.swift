import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The combined meaning of a document's rows, for histories of any length.
struct AppStoreRowsTests {
    private func period(
        _ transaction: String, of original: String? = nil, from: String, lasting days: Int64
    ) -> AppStoreRow {
        let start = day(from)
        return AppStoreRow(
            transaction: transaction, original: original, product: "monthly", purchasedAt: start,
            expiresAt: start.advanced(byMilliseconds: days * Timestamp.day))
    }

    @Test func `equal rows are one, whatever lies between them`() {
        let rows = AppStoreRows([
            period("t1", from: "2-1", lasting: 30), period("t1", from: "2-1", lasting: 31),
            period("t1", from: "2-1", lasting: 30),
        ])
        #expect(rows.all.map(\.expiresAt) == [day("3-3"), day("3-4")])
        #expect(rows.lastEnd(of: "t1") == day("3-4") && rows.soleLine == "t1")
    }

    @Test func `the newest period and the account are of the subscription that is asked for`() {
        var first = period("t1", from: "2-1", lasting: 28)
        first.account = "anna"
        var refunded = period("t2", of: "t1", from: "3-1", lasting: 31)
        refunded.cancelledAt = day("3-5")
        var other = period("u1", from: "4-1", lasting: 30)
        other.product = "yearly"
        let rows = AppStoreRows([other, refunded, first])
        #expect(rows.all.map(\.transaction) == ["t1", "t2", "u1"])
        #expect(rows.newest(of: "t1")?.transaction == "t2")
        #expect(rows.lastEnd(of: "t1") == day("3-5"))
        #expect(rows.account(of: "t1") == "anna" && rows.account(of: "u1") == nil)
        #expect(rows.newest(of: "t2") == nil && rows.soleLine == nil)
        #expect(rows.soleLine(ofProduct: "monthly") == "t1")
        #expect(rows.soleLine(ofProduct: "none") == nil)
        other.product = "monthly"
        #expect(AppStoreRows([first, other, refunded]).soleLine(ofProduct: "monthly") == nil)
    }

    @Test func `of very many lines each is found, and of very many rows of one each is kept`() {
        let count = 10_000
        let lines = AppStoreRows(
            (0..<count).map { period("t\($0)", from: "2-1", lasting: 30) })
        #expect((0..<count).allSatisfy { lines.lastEnd(of: "t\($0)") == day("3-3") })
        let rows = AppStoreRows(
            (0..<count).map { period("t1", from: "2-1", lasting: Int64($0) + 1) })
        #expect(rows.all.count == count)
    }
}
