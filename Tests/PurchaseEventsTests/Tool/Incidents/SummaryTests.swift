import PurchaseIncidents
import PurchaseProjections
import Testing

struct SummaryTests {
    @Test func `each rule of the catalogue says whether it is about money`() {
        for rule in RuleCatalogue.all { #expect(MoneySide.of(rule: rule.id) != nil, "\(rule.id)") }
        #expect(MoneySide.of(rule: "no-such-rule") == nil)
    }
}
