import Testing

@testable import PurchaseProjections

@Suite struct GrantedImpliesOwedTests {
    private func report(_ text: String) throws -> Report {
        try Timeline(text).reports([GrantedImpliesOwed.self])[0].report
    }

    @Test func `a grace period counts until a statement ends it, if that was known`() throws {
        let failed = """
            renewal.started account=a transaction=t original=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            renewal.failed account=a original=t graceExpiresAt=2026-04-05 at=2026-03-20
            """
        try Timeline(
            """
            \(failed)
            content.opened account=a content=c at=2026-03-24
            renewal.graceExpired account=a original=t at=2026-03-25
            content.opened account=a content=c at=2026-03-26 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
        try Timeline(
            """
            \(failed)
            content.opened account=a content=c at=2026-03-26
            renewal.graceExpired account=a original=t signedAt=2026-03-25 at=2026-03-27
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `content with a publication date is left to its own rule`() throws {
        let text = """
            content.opened account=a content=c at=2026-03-10
            content.published content=c publishedAt=2026-03-01
            content.opened account=a content=c
            """
        try Timeline(text).expectPinned(GrantedImpliesOwed.self)
        #expect(try report(text).tested == 1)
    }

    @Test func `a missing account may be anyone, for uses and purchases`() throws {
        let purchase = "receipt.listed transaction=t purchasedAt=2026-01-01 expiresAt=2026-03-20"
        #expect(
            try Timeline("\(purchase)\ncontent.opened account=a content=c")
                .verdict(GrantedImpliesOwed.self) == .undetermined)
        #expect(
            try Timeline("\(purchase) account=a\ncontent.opened content=c")
                .verdict(GrantedImpliesOwed.self) == .holds)
        try Timeline(
            """
            \(purchase)
            content.opened content=c
            content.opened content=c at=2026-03-20 ← granted-implies-owed
            content.opened account=a content=c ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test(arguments: [
        "queue.purchased account=a transaction=t product=p",
        "catalog.listed product=p kind=autoRenewable\n"
            + "queue.purchased account=a transaction=t product=p",
        "catalog.listed product=p kind=autoRenewable\n"
            + "queue.restored account=a transaction=t original=o product=p expiresAt=2026-09-01",
    ])
    func `the rule can't tell if the kind or end of a purchase is unknown`(
        _ purchase: String
    ) throws {
        let verdict = try Timeline("\(purchase)\ncontent.opened account=a content=c")
            .verdict(GrantedImpliesOwed.self)
        #expect(verdict == .undetermined)
    }

    @Test func `a log that starts in the middle, or a line not understood, can't tell`() throws {
        #expect(
            try Timeline("unopened\ncontent.opened account=a content=c")
                .verdict(GrantedImpliesOwed.self) == .undetermined)
        #expect(
            try Timeline("what is this\ncontent.opened account=a content=c")
                .verdict(GrantedImpliesOwed.self) == .undetermined)
    }

    @Test func `each opening of content without a date is a test`() throws {
        let text = """
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-03-20
            content.opened account=a content=c
            content.opened account=a content=d
            """
        #expect(try report(text).tested == 2)
        #expect(try Timeline("app.launched").verdict(GrantedImpliesOwed.self) == .vacuous)
    }

    @Test func `a line belongs to the account that it names, whatever keys it`() throws {
        try Timeline(
            """
            receipt.listed account=b transaction=n original=t product=other \
                purchasedAt=2026-01-01 expiresAt=2026-01-02
            renewal.started account=a transaction=u original=n product=p \
                purchasedAt=2026-01-01 expiresAt=2026-02-01
            content.opened account=a content=daily at=2026-01-10
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }
}
