import Testing

@testable import PurchaseProjections

struct TransactionFactsTests {
    @Test func `the facts of a transaction are two cache lines long`() {
        #expect(MemoryLayout<TransactionFacts>.stride == 128)
    }
}
