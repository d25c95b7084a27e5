import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// The rule `presented-until-finished` agrees with a slow implementation.
struct MissedLaunchesTests {
    @Test func `each entry that launches miss is one finding with their number`() throws {
        let rule = try #require(RuleCatalogue.find("presented-until-finished"))
        expectHolds("each entry that launches miss is one finding with their number") { trial in
            let queues = RandomQueues(trial.choices, upTo: 60)
            try trial.show(queues.events)
            let slow = SlowLaunches(events: queues.events)
            let report = try check(queues.events.log(), [rule])[0].report
            let found = report.findings.map { finding in
                let count = MissedLaunchesTests.count(finding)
                return SlowLaunches.Missed(
                    key: finding.key ?? "", line: Int(finding.line), count: count,
                    last: count == 1 ? Int(finding.line) : Int(finding.notes.last?.line ?? 0),
                    level: finding.level)
            }
            if !found.isEmpty { trial.count("missed") }
            if Set(found) != Set(slow.missed) || found.count != slow.missed.count {
                return "the rule finds \(found), the slow checker \(slow.missed)"
            }
            if report.tested != slow.tested {
                return "the rule was tested \(report.tested) times, expected \(slow.tested)"
            }
            return nil
        }
    }

    /// The number of launches that a finding states.
    private static func count(_ finding: Finding) -> Int {
        guard let note = finding.notes.last, note.message.hasPrefix("then this was the last of")
        else { return 1 }
        return note.message.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
