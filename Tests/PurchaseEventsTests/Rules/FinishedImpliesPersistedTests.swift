import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesPersistedTests {
    @Test func `a purchase that is finished without it is found`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.finished transaction=t1 ← finished-implies-persisted
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `an entry that the queue never named is not judged`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1
            queue.finished transaction=t1
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishedImpliesPersisted.self) == .vacuous)
    }

    @Test func `a refunded, revoked, invalid or foreign purchase owes nothing`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            cancellation.refunded transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t2
            cancellation.revoked transaction=t2
            queue.finished transaction=t2
            queue.purchased transaction=t3
            delivery.validated transaction=t3 outcome=invalid
            queue.finished transaction=t3
            queue.purchased transaction=t4 environment=sandbox
            queue.finished transaction=t4
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `a reversed or merely requested refund changes nothing`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            cancellation.refunded transaction=t1
            cancellation.reversed transaction=t1
            queue.finished transaction=t1 ← finished-implies-persisted
            queue.purchased transaction=t2
            cancellation.requested transaction=t2
            queue.finished transaction=t2 ← finished-implies-persisted
            queue.purchased transaction=t3
            delivery.validated transaction=t3 outcome=unreachable
            queue.finished transaction=t3 ← finished-implies-persisted
            cancellation.refunded transaction=t3
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `a restored entry that the user left out owes nothing`() throws {
        try Timeline(
            """
            restore.requested by=user device=phone
            queue.restored transaction=r1 original=t1 product=birds device=phone
            queue.restored transaction=r2 original=t2 product=trees device=phone
            restore.selected product=birds device=phone
            queue.finished transaction=r2 device=phone
            queue.finished transaction=r1 device=phone ← finished-implies-persisted
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `a selection on another device or before the latest restore doesn't count`() throws {
        try Timeline(
            """
            restore.requested by=user device=phone
            restore.selected product=birds device=phone
            restore.requested by=user device=phone
            queue.restored transaction=r1 original=t1 product=trees device=phone
            restore.selected product=birds device=tablet
            queue.finished transaction=r1 device=phone ← finished-implies-persisted
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `a purchase persisted in any store may be finished`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.persisted transaction=t1 store=iCloud
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesPersisted.self) == .holds)
    }

    @Test func `a restored entry that the receipt grants owes nothing`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1
            queue.restored transaction=r1 original=t1
            queue.finished transaction=r1
            queue.restored transaction=r2 original=t2
            receipt.listed transaction=r2
            queue.finished transaction=r2
            delivery.persisted transaction=t3 store=receipt
            queue.restored transaction=r3 original=t3
            queue.finished transaction=r3
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test
    func `a finish that is repeated is left to finished-once, one after a presentation is not`()
        throws
    {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1 ← finished-implies-persisted
            queue.finished transaction=t1
            queue.purchased transaction=t1
            queue.finished transaction=t1 ← finished-implies-persisted
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }

    @Test func `a log that starts in the middle can't tell`() throws {
        let history = Timeline(
            """
            unopened
            queue.purchased transaction=t1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesPersisted.self) == .undetermined)
    }

    @Test func `a line that was not understood may be the missing event`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            not a line of this log
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesPersisted.self) == .undetermined)
    }

    @Test func `a purchase that may have been missed leaves its finish undetermined`() throws {
        for history in [
            "unopened\nqueue.finished transaction=t1",
            "what is this\nqueue.finished transaction=t1",
        ] {
            #expect(try Timeline(history).verdict(FinishedImpliesPersisted.self) == .undetermined)
        }
        for history in [
            "queue.finished transaction=t1",
            "unopened\ndelivery.persisted store=receipt transaction=t1\n"
                + "queue.finished transaction=t1",
            "unopened\ndelivery.validated transaction=t1 outcome=invalid\n"
                + "queue.finished transaction=t1",
        ] {
            #expect(try Timeline(history).verdict(FinishedImpliesPersisted.self) == .vacuous)
        }
    }

    @Test func `a finish that names the payment finishes its transaction`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.finished payment=p1 ← finished-implies-persisted
            payment.requested payment=p2
            queue.failed payment=p2 error=interrupted
            queue.purchased transaction=t2 payment=p2
            queue.finished payment=p2
            delivery.persisted transaction=t2 store=receipt
            queue.finished payment=p2
            """
        ).expectPinned(FinishedImpliesPersisted.self)
    }
}
