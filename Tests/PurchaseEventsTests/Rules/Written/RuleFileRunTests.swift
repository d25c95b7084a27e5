import PurchaseProjections
import Testing

@testable import replay

/// Rule files, passed to the tool; the other tests are in `rule-files.stories`.
struct RuleFileRunTests {
    @Test func `rules lists the rules of a file behind the catalogue's`() {
        let rules = "rule few-purchases: error\n  at most 1 queue.purchased of the same product\n"
        let list = replay("rules", "--rules=own.rules", on: TestHost(["own.rules": rules]))
        #expect(list.status == .well)
        #expect(list.lines.count == RuleCatalogue.all.count + 1)
        #expect(list.lines.last?.hasPrefix("few-purchases") == true)
    }
}
