import Testing

@testable import PurchaseProjections

@Suite struct GrantedImpliesOwedTests {
    private func report(_ text: String) throws -> Report {
        try Timeline(text).reports([GrantedImpliesOwed.self])[0].report
    }

    @Test func `content is not opened by an account that bought nothing`() throws {
        try Timeline(
            """
            content.opened account=a content=c ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a period is half open`() throws {
        try Timeline(
            """
            renewal.started account=a transaction=t original=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            content.opened account=a content=c at=2026-02-19T23:59:59.999Z ← granted-implies-owed
            content.opened account=a content=c at=2026-02-20
            content.opened account=a content=c at=2026-03-19T23:59:59.999Z
            content.opened account=a content=c at=2026-03-20 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a period attested later counts`() throws {
        try Timeline(
            """
            content.opened account=a content=c at=2026-02-21
            receipt.listed account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-03-20
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a grace period and an extension count`() throws {
        try Timeline(
            """
            renewal.started account=a transaction=t original=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            renewal.extended account=a original=t expiresAt=2026-03-25 at=2026-03-01
            renewal.failed account=a original=t graceExpiresAt=2026-04-01 at=2026-03-25
            content.opened account=a content=c at=2026-03-24
            content.opened account=a content=c at=2026-03-31
            content.opened account=a content=c at=2026-04-01 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `each extension counts, whatever was extended after it`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-02-01 expiresAt=2026-03-01
            renewal.extended original=t expiresAt=2026-03-05 at=2026-02-15
            content.opened account=a content=c at=2026-03-03
            receipt.listed account=a transaction=u original=t purchasedAt=2026-03-05 \
                expiresAt=2026-04-05 at=2026-03-05
            renewal.extended original=t expiresAt=2026-04-10 at=2026-03-15
            content.opened account=a content=c at=2026-04-09
            content.opened account=a content=c at=2026-04-10 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
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

    @Test func `a grace period follows the failed period, not a later short one`()
        throws
    {
        try Timeline(
            """
            renewal.started account=a transaction=t original=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            renewal.failed account=a original=t graceExpiresAt=2026-04-05 at=2026-03-20
            renewal.renewed account=a transaction=u original=t purchasedAt=2026-03-28 \
                expiresAt=2026-04-04
            content.opened account=a content=c at=2026-03-25
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `an upgraded period ends with its successor's start`() throws {
        try Timeline(
            """
            renewal.started account=a transaction=t original=t purchasedAt=2026-02-20 \
                expiresAt=2026-04-20
            receipt.listed account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-04-20 \
                cancelledAt=2026-03-01 upgraded=true
            renewal.renewed account=a transaction=u original=t purchasedAt=2026-03-01 \
                expiresAt=2026-04-01
            content.opened account=a content=c at=2026-03-15
            content.opened account=a content=c at=2026-04-10 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a permanent purchase opens content, a consumable doesn't`() throws {
        try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            catalog.listed product=season kind=nonRenewing
            catalog.listed product=coins kind=consumable
            queue.purchased account=a transaction=t product=pro
            queue.purchased account=b transaction=u product=season
            queue.purchased account=c transaction=v product=coins
            queue.restored account=d transaction=w original=x product=pro
            content.opened account=a content=c
            content.opened account=b content=c
            content.opened account=c content=c ← granted-implies-owed
            content.opened account=d content=c
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a purchase shared by the family counts`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-02-20 expiresAt=2026-03-20 \
                ownership=familyShared
            content.opened account=a content=c at=2026-02-21
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `environments never mix`() throws {
        try Timeline(
            """
            receipt.listed account=a environment=sandbox transaction=t purchasedAt=2026-02-20 \
                expiresAt=2026-03-20
            content.opened account=a content=c at=2026-02-21 ← granted-implies-owed
            content.opened account=a environment=sandbox content=c at=2026-02-21
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a line that was linked belongs to its new account`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-03-20
            content.opened account=a content=c
            account.linked account=b original=t
            content.opened account=b content=c
            content.opened account=a content=c ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a restored purchase moves with its original`() throws {
        try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            queue.restored account=a transaction=r original=t product=pro
            account.linked account=b original=t
            content.opened account=b content=c
            content.opened account=a content=c ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a permanent purchase belongs to its account until it is linked`()
        throws
    {
        try Timeline(
            """
            catalog.listed product=pro kind=nonConsumable
            content.opened account=a content=c at=2026-02-02
            queue.purchased account=a transaction=t product=pro purchasedAt=2026-02-01
            queue.restored account=a transaction=r original=t product=pro purchasedAt=2026-02-02
            content.opened account=a content=c
            account.linked account=b original=t
            content.opened account=b content=c
            content.opened account=a content=c ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a refund is left to its own rule, whether known or not`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-03-20
            cancellation.refunded transaction=t
            content.opened account=a content=c
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a purchase that the server found invalid grants nothing`() throws {
        try Timeline(
            """
            receipt.listed account=a transaction=t purchasedAt=2026-01-01 expiresAt=2026-03-20
            content.opened account=a content=c
            content.opened content=c
            delivery.validated transaction=t outcome=invalid
            content.opened account=a content=c ← granted-implies-owed
            content.opened content=c ← granted-implies-owed
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

    @Test func `a test statement doesn't set the owner of a production line`() throws {
        try Timeline(
            """
            renewal.started transaction=t1 original=t1 product=monthly account=ada at=2026-02-01 expiresAt=2026-03-01
            receipt.listed transaction=s2 original=t1 product=monthly kind=autoRenewable account=bob environment=sandbox purchasedAt=2026-01-10 expiresAt=2026-01-11 at=2026-02-10
            content.opened content=daily account=ada at=2026-02-20
            content.opened content=daily account=bob at=2026-02-20 ← granted-implies-owed
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }

    @Test func `a non-renewing subscription opens until the latest end that the app gave it`()
        throws
    {
        try Timeline(
            """
            catalog.listed product=season kind=nonRenewing
            queue.purchased account=a transaction=t product=season
            delivery.delivered account=a transaction=t until=2026-02-01
            content.opened account=a content=c at=2026-01-31
            content.opened account=a content=c at=2026-02-05
            content.opened account=a content=c at=2026-02-11 ← granted-implies-owed
            delivery.delivered account=a transaction=t until=2026-02-10
            queue.purchased account=b transaction=u product=season
            content.opened account=b content=c at=2026-04-01
            """
        ).expectPinned(GrantedImpliesOwed.self)
    }
}
