import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct NothingAfterFinishTests {
    @Test func `each action after the finish is reported`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            delivery.delivered transaction=t1 ← nothing-after-finish
            delivery.persisted transaction=t1 store=receipt ← nothing-after-finish
            delivery.download transaction=t1 download=d1 state=active ← nothing-after-finish
            delivery.installed transaction=t1 place=caches ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `validating, withdrawing, refunds and statements are fine`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            delivery.validated transaction=t1 outcome=valid
            receipt.listed transaction=t1
            cancellation.refunded transaction=t1
            delivery.withdrawn transaction=t1 reason=refunded
            queue.removed transaction=t1
            delivery.delivered transaction=t2
            """)
        #expect(try history.verdict(NothingAfterFinish.self) == .holds)
    }

    @Test func `a delivery after a withdrawal restarts the quantity`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 quantity=2
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            delivery.withdrawn transaction=t1 reason=refunded
            delivery.delivered transaction=t1 quantity=1
            delivery.delivered transaction=t1 quantity=1
            delivery.delivered transaction=t1 quantity=1 ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `another device may still deliver what it is told of`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            delivery.delivered transaction=t1 device=phone
            queue.finished transaction=t1 device=phone
            receipt.listed transaction=t1 device=tablet
            delivery.delivered transaction=t1 device=tablet
            delivery.persisted transaction=t1 store=server device=tablet
            delivery.persisted transaction=t1 store=server device=phone ← nothing-after-finish
            delivery.persisted transaction=t1 store=server ← nothing-after-finish
            queue.finished transaction=t1 device=tablet
            delivery.persisted transaction=t1 store=server device=tablet ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `a withdrawal allows no persisting`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            delivery.withdrawn transaction=t1 reason=expired
            delivery.persisted transaction=t1 store=server ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `a consumable delivered once too often is left to delivered-once`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            delivery.delivered transaction=t1 ← delivered-once
            """
        ).expectPinned(NothingAfterFinish.self, DeliveredOnce.self)
    }

    @Test func `a new presentation after the finish allows no further work`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t1
            delivery.persisted transaction=t1 store=receipt ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `each finished transaction is one test`() throws {
        let history = Timeline(
            """
            queue.finished transaction=t1
            queue.finished transaction=t1
            queue.finished transaction=t2
            queue.finished payment=p1
            """)
        let report = try history.reports([NothingAfterFinish.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `a log that starts in the middle may miss the withdrawal, not the finish`() throws {
        try Timeline(
            """
            unopened
            queue.finished transaction=t1
            delivery.delivered transaction=t1
            delivery.persisted transaction=t1 store=server ← nothing-after-finish
            """
        ).expectPinned(NothingAfterFinish.self)
    }

    @Test func `a missed withdrawal leaves a delivery undetermined`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.delivered transaction=t1
            queue.finished transaction=t1
            not a line of this log
            delivery.delivered transaction=t1
            """)
        #expect(try history.verdict(NothingAfterFinish.self) == .undetermined)
    }
}
