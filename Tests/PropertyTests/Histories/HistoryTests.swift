import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

struct HistoryTests {
    /// The same histories are used for both checks, because what is never generated is never
    /// tested.
    @Test func `well-behaved histories have no error and no warning, and leave nothing untested`() {
        let result = expectHolds(
            "a well-behaved history has no error and no warning", cases: max(100, propertyCases)
        ) { trial in
            let log = try GeneratedLog(trial.choices)
            let reports = try check(log.bytes) { line in
                trial.count(line.eventPlace?.pointee.type.wireName ?? "no event")
            }
            for (rule, report) in reports where report.tested > 0 { trial.count(rule.id) }
            guard let found = reports.findings(.error, .warning).first else { return nil }
            trial.show(log)
            return "line \(found.line): [\(found.rule)] \(found.message)"
        }
        guard result.counterexample == nil else { return }
        let seen = result.statistics.counts
        // A person's remark, and events that only an app that ends its session or moves a line
        // records.
        let never: [EventType] = [.logNoted, .logRecovered, .queueUnobserved, .accountLinked]
        #expect(seen["no event"] == nil)
        #expect(EventType.allCases.filter { seen[$0.wireName] == nil } == never)
        // Some rules have little to do in most histories.
        guard propertyCases >= 1_000 else { return }
        #expect(RuleCatalogue.all.map { $0.id }.filter { seen[$0] == nil } == [])
    }
}
