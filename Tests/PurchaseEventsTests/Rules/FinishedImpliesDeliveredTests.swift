import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesDeliveredTests {
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
}
