import PurchaseEvents
import PurchaseProjections
import Testing

@Suite struct HistoryTests {
    /// What a generator never makes is never tested: the same histories are held to both.
    @Test func `well-behaved histories have no error and no warning, and leave nothing untested`() {
        let result = expectHolds("a well-behaved history has no error and no warning") { trial in
            let history = try History(trial.choices)
            for event in history.events { trial.count(event.type.wireName) }
            let reports = try history.reports()
            for (rule, report) in reports where report.tested > 0 { trial.count(rule.id) }
            guard let found = reports.findings(.error, .warning).first else { return nil }
            try trial.show(history.events)
            return "line \(found.line): [\(found.rule)] \(found.message)"
        }
        guard result.counterexample == nil else { return }
        let seen = result.statistics.counts
        // A person's remark, and what only an app that ends its session or moves a line records.
        let never: [EventType] = [.logNoted, .logRecovered, .queueUnobserved, .accountLinked]
        #expect(EventType.allCases.filter { seen[$0.wireName] == nil } == never)
        #expect(RuleCatalogue.all.map { $0.id }.filter { seen[$0] == nil } == [])
    }
}
