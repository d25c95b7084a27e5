import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesDeliveredTests {
    @Test func `a purchase that is finished without it is found`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.persisted transaction=t1 store=receipt
            queue.finished transaction=t1 ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `an entry that nothing states is not judged`() throws {
        let history = Timeline(
            """
            queue.finished transaction=t1
            queue.finished payment=p1
            """)
        #expect(try history.verdict(FinishedImpliesDelivered.self) == .vacuous)
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
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a reversed or merely requested refund changes nothing`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            cancellation.refunded transaction=t1
            cancellation.reversed transaction=t1
            queue.finished transaction=t1 ← finished-implies-delivered
            queue.purchased transaction=t2
            cancellation.requested transaction=t2
            queue.finished transaction=t2 ← finished-implies-delivered
            queue.purchased transaction=t3
            delivery.validated transaction=t3 outcome=unreachable
            queue.finished transaction=t3 ← finished-implies-delivered
            cancellation.refunded transaction=t3
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a restored entry that the user left out owes nothing`() throws {
        try Timeline(
            """
            restore.requested by=user device=phone
            queue.restored transaction=r1 original=t1 product=birds device=phone
            queue.restored transaction=r2 original=t2 product=trees device=phone
            restore.selected product=birds device=phone
            queue.finished transaction=r2 device=phone
            queue.finished transaction=r1 device=phone ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a selection on another device or before the latest restore doesn't count`() throws {
        try Timeline(
            """
            restore.requested by=user device=phone
            restore.selected product=birds device=phone
            restore.requested by=user device=phone
            queue.restored transaction=r1 original=t1 product=trees device=phone
            restore.selected product=birds device=tablet
            queue.finished transaction=r1 device=phone ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
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
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `the receipt isn't enough for hosted content nor for a purchase`() throws {
        try Timeline(
            """
            catalog.listed product=birds kind=nonConsumable hosted=true
            receipt.listed transaction=t1 product=birds
            queue.restored transaction=r1 original=t1 product=birds
            queue.finished transaction=r1 ← finished-implies-delivered
            receipt.listed transaction=t2
            queue.purchased transaction=t2
            queue.finished transaction=t2 ← finished-implies-delivered
            delivery.persisted transaction=t3 store=server
            queue.restored transaction=r3 original=t3
            queue.finished transaction=r3 ← finished-implies-delivered
            queue.restored transaction=r4 original=t1
            delivery.download transaction=r4 download=d1 state=cancelled
            queue.finished transaction=r4 ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a restored entry whose purchase was refunded owes nothing`() throws {
        try Timeline(
            """
            queue.restored transaction=r1 original=t1
            cancellation.refunded transaction=t1
            queue.finished transaction=r1
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a restored subscription is owed though its first period was refunded`() throws {
        try Timeline(
            """
            queue.restored transaction=r1 original=t1 expiresAt=2026-02-01
            cancellation.refunded transaction=t1
            queue.finished transaction=r1 ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test
    func `a finish that is repeated is left to finished-once, one after a presentation is not`()
        throws
    {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1 ← finished-implies-delivered
            queue.finished transaction=t1
            queue.purchased transaction=t1
            queue.finished transaction=t1 ← finished-implies-delivered
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a log that starts in the middle can't tell`() throws {
        let history = Timeline(
            """
            unopened
            queue.purchased transaction=t1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesDelivered.self) == .undetermined)
    }

    @Test func `a line that was not understood may be the missing event`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            not a line of this log
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesDelivered.self) == .undetermined)
    }

    @Test func `a delivered purchase may be finished, even after a withdrawal`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t2
            delivery.delivered transaction=t2
            delivery.withdrawn transaction=t2 reason=expired
            queue.finished transaction=t2
            """)
        #expect(try history.verdict(FinishedImpliesDelivered.self) == .holds)
    }

    @Test func `each finish of a purchase is a test, and the finding says who lost what`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1 product=coins quantity=2 account=ada
            queue.finished transaction=t1
            queue.purchased transaction=t2
            delivery.delivered transaction=t2
            queue.finished transaction=t2
            """)
        let report = try history.reports([FinishedImpliesDelivered.self])[0].report
        #expect(report.tested == 2)
        let finding = try #require(report.findings.first)
        #expect(
            finding.message == "transaction t1 was finished, but never delivered: expected "
                + "delivery.delivered before the finish")
        #expect(finding.account == "ada")
        #expect(finding.key == "t1")
        #expect(
            finding.notes == [
                Finding.Note(
                    line: 2,
                    message: "let transaction t1 be purchased: coins ×2 for account ada")
            ])
    }

    @Test func `a purchase that may have been missed leaves its finish undetermined`() throws {
        for history in [
            "unopened\nqueue.finished transaction=t1",
            "what is this\nqueue.finished transaction=t1",
        ] {
            #expect(try Timeline(history).verdict(FinishedImpliesDelivered.self) == .undetermined)
        }
        for history in [
            "queue.finished transaction=t1",
            "unopened\ndelivery.delivered transaction=t1\nqueue.finished transaction=t1",
            "unopened\ndelivery.validated transaction=t1 outcome=invalid\n"
                + "queue.finished transaction=t1",
        ] {
            #expect(try Timeline(history).verdict(FinishedImpliesDelivered.self) == .vacuous)
        }
    }

    @Test func `a finish that names the payment finishes its transaction`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.finished payment=p1 ← finished-implies-delivered
            payment.requested payment=p2
            queue.failed payment=p2 error=interrupted
            queue.purchased transaction=t2 payment=p2
            queue.finished payment=p2
            delivery.delivered transaction=t2
            queue.finished payment=p2
            """
        ).expectPinned(FinishedImpliesDelivered.self)
    }

    @Test func `a selection that nothing was requested for leaves nothing out`() throws {
        let history = """
            restore.selected product=birds device=phone
            queue.restored transaction=r1 original=t1 product=trees device=phone
            queue.finished transaction=r1 device=phone
            """
        try Timeline("\(history) ← finished-implies-delivered")
            .expectPinned(FinishedImpliesDelivered.self)
        let middle = Timeline("unopened\n\(history)")
        #expect(try middle.verdict(FinishedImpliesDelivered.self) == .undetermined)
    }

    @Test func `a row or a renewal states a purchase, and what was upgraded is not owed`()
        throws
    {
        try Timeline(
            """
            receipt.listed transaction=t1
            queue.finished transaction=t1 ← finished-implies-delivered ← finished-implies-persisted
            renewal.renewed transaction=t2 original=t0 expiresAt=2026-03-01
            queue.finished transaction=t2 ← finished-implies-delivered ← finished-implies-persisted
            receipt.listed transaction=t3 upgraded=true expiresAt=2026-03-01
            queue.finished transaction=t3
            queue.purchased transaction=t4
            delivery.validated transaction=t4 outcome=invalid
            delivery.validated transaction=t4 outcome=unreachable
            queue.finished transaction=t4
            """
        ).expectPinned(FinishedImpliesDelivered.self, FinishedImpliesPersisted.self)
    }
}
