import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesPersistedTests {
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
}
