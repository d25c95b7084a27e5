import Testing

@testable import PurchaseProjections

@Suite struct OwnedNotChargedAgainTests {
    @Test func `an owned product is not charged again`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990 currency=USD
            queue.purchased transaction=t2 product=songs account=a price=990 currency=USD ← owned-not-charged-again
            app.launched
            queue.purchased transaction=t2 product=songs account=a price=990 currency=USD
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a free purchase or one without a price is fine`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990 currency=USD
            queue.purchased transaction=t2 product=songs account=a price=0 currency=USD
            queue.purchased transaction=t3 product=songs account=a
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `rows of a receipt are purchases too`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 product=songs kind=nonConsumable account=a price=990
            receipt.listed transaction=t2 product=songs kind=nonConsumable account=a price=990 ← owned-not-charged-again
            receipt.listed transaction=t2 product=songs kind=nonConsumable account=a price=990
            receipt.listed transaction=t3 original=t1 product=songs kind=nonConsumable account=a price=990
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `an invalid purchase is not owned`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990 currency=USD
            delivery.validated transaction=t1 outcome=invalid
            queue.purchased transaction=t2 product=songs account=a price=990 currency=USD
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a refunded or family-shared purchase is not owned`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            cancellation.refunded transaction=t1
            queue.purchased transaction=t2 product=songs account=a price=990
            queue.purchased transaction=t3 product=songs account=b ownership=familyShared
            queue.purchased transaction=t4 product=songs account=b price=990
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a purchase is owned again after a reversal`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            cancellation.refunded transaction=t1
            cancellation.reversed transaction=t1
            queue.purchased transaction=t2 product=songs account=a price=990 ← owned-not-charged-again
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `what the log hears later counts by its date`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990 purchasedAt=2026-01-01
            queue.purchased transaction=t2 product=songs account=a price=990 purchasedAt=2026-01-10
            cancellation.refunded transaction=t1 cancelledAt=2026-01-09
            queue.purchased transaction=t3 product=songs account=b price=990 purchasedAt=2026-01-10 ← owned-not-charged-again
            receipt.listed transaction=t4 product=songs account=b price=990 purchasedAt=2026-01-01
            queue.purchased transaction=t5 product=songs account=c price=990 purchasedAt=2026-01-01
            queue.purchased transaction=t6 product=songs account=c price=990 purchasedAt=2026-01-10 ← owned-not-charged-again
            cancellation.refunded transaction=t5 cancelledAt=2026-01-11
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `accounts, environments and kinds are separate`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=songs account=a price=990
            queue.purchased transaction=t2 product=songs account=b price=990
            queue.purchased transaction=t3 product=songs price=990
            queue.purchased transaction=t4 product=songs account=a price=990 environment=sandbox
            queue.purchased transaction=t5 product=coins account=a price=990
            queue.purchased transaction=t6 product=coins account=a price=990
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a log that starts in the middle may have missed the refund of an old row`() throws {
        let timeline = Timeline(
            """
            unopened
            receipt.listed transaction=t1 product=songs kind=nonConsumable account=a
            queue.purchased transaction=t2 product=songs account=a price=990
            """)
        try timeline.expectPinned(OwnedNotChargedAgain.self)
        #expect(try timeline.verdict(OwnedNotChargedAgain.self) == .undetermined)
    }

    @Test func `a purchase that the log shows can't have been refunded before`() throws {
        try Timeline(
            """
            unopened
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            queue.purchased transaction=t2 product=songs account=a price=990 ← owned-not-charged-again
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a line that was not understood may have been the refund`() throws {
        let timeline = Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a
            what is this
            queue.purchased transaction=t2 product=songs account=a price=990
            """)
        try timeline.expectPinned(OwnedNotChargedAgain.self)
        #expect(try timeline.verdict(OwnedNotChargedAgain.self) == .undetermined)
    }

    @Test func `each purchase of an owned product is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            queue.purchased transaction=t2 product=songs account=a price=0
            """
        ).reports([OwnedNotChargedAgain.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    @Test func `a linked purchase is owned by its new account`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            account.linked original=t1 account=b
            queue.purchased transaction=t2 product=songs account=a price=990
            queue.purchased transaction=t3 product=songs account=b price=990 ← owned-not-charged-again
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `an older purchase is owned although a later one was refunded`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.purchased transaction=t1 product=songs account=a price=990
            queue.purchased transaction=t2 product=songs account=a price=0
            cancellation.refunded transaction=t2
            queue.purchased transaction=t3 product=songs account=a price=990 ← owned-not-charged-again
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a restored product is owned while its original is`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.restored transaction=r1 original=t0 product=songs account=a
            queue.purchased transaction=t2 product=songs account=a price=990 ← owned-not-charged-again
            queue.restored transaction=r3 original=t3 product=songs account=b
            cancellation.refunded transaction=t3
            queue.purchased transaction=t4 product=songs account=b price=990
            queue.restored transaction=r5 original=t5 product=songs account=c device=tablet
            queue.purchased transaction=t5 product=songs account=c device=phone price=990
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }

    @Test func `a restore of a refunded purchase is owned if a row attests it`()
        throws
    {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            queue.restored transaction=r1 original=t0 product=songs account=a
            receipt.listed transaction=r1 original=t0 product=songs account=a
            cancellation.refunded transaction=t0
            queue.purchased transaction=t2 product=songs account=a price=990 ← owned-not-charged-again
            """
        ).expectPinned(OwnedNotChargedAgain.self)
    }
}
