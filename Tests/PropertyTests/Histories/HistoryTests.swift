import PurchaseEvents
import PurchaseProjections
import Testing

@Suite struct HistoryTests {
    /// What a generator never makes is never tested.
    @Test func `histories put every rule to the test and have almost every type of event`() {
        let seen = Property("everything comes", cases: propertyCases, seed: propertySeed) { trial in
            let history = try History(trial.choices)
            for event in history.events { trial.count(event.type.wireName) }
            for (rule, report) in try history.reports() where report.tested > 0 {
                trial.count(rule.id)
            }
            return nil
        }.run().statistics.counts
        // A person's remark, and what only an app that ends its session or moves a line records.
        let never: [EventType] = [.logNoted, .queueUnobserved, .accountLinked]
        #expect(EventType.allCases.filter { seen[$0.wireName] == nil } == never)
        #expect(RuleCatalogue.all.map { $0.id }.filter { seen[$0] == nil } == [])
    }
}
