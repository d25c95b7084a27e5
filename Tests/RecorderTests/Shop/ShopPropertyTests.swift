import PurchaseProjections
import PurchaseRecorder
import PurchaseSimulation
import Shop
import TestSupport
import Testing

@testable import PurchaseEvents

/// The example's purchase code, in every history that a store, two users and crashes can cause.
@Suite struct ShopPropertyTests {
    /// 20,000 histories if all tests run (own.md, 4).
    private static let cases = Effort.of(whole: 20_000, part: 40)

    @Test func `every rule holds in every history, whatever crashes`() throws {
        let result = ShopPropertyTests.wholeShop.run()
        print("seed 7\n\(result.statistics)")
        if let found = result.counterexample { Issue.record("\(found)") }
        let vacuous = ShopPropertyTests.vacuousRules(result.statistics)
        #expect(vacuous.filter { ShopPropertyTests.unreachable[$0] == nil } == [])
    }

    private static var wholeShop: Property {
        Property("the shop breaks no rule", cases: cases, seed: 7, shrinks: 400) { trial in
            let history = try ShopHistory(trial.choices, ShopPropertyTests.careful)
            return try ShopPropertyTests.run(history, trial, only: nil)
        }
    }

    private static func careful(
        _ log: TestLog, _ ledger: PurchaseLedger, _ settings: RecorderSettings, _ queue: ShopQueue
    ) -> Shop {
        Shop(ledger: ledger, settings: settings)
    }

    private static func vacuousRules(_ statistics: Statistics) -> [String] {
        let seen = Set(statistics.counts.keys)
        return RuleCatalogue.all.map { $0.id }.filter { !seen.contains("tested \($0)") }.sorted()
    }

    @Test(arguments: Mistake.allCases)
    func `a mistake in the shop is found`(_ mistake: Mistake) throws {
        let property = Property("the shop \(mistake)", cases: 400, seed: 11, shrinks: 150) {
            trial in
            let history = try ShopHistory(trial.choices) { log, ledger, settings, queue in
                CarelessShop(mistake, log, ledger, settings, queue)
            }
            return try ShopPropertyTests.run(history, trial, only: mistake.rule)
        }
        let found = try #require(property.run().counterexample)
        // The store lists all products at each launch; show only the other lines.
        let lines = found.lines.filter { !$0.contains(#""type":"catalog."#) }
        print("\(mistake): \(found.problem), shrunk to \(lines.count) lines beside the catalogue's")
        #expect(found.problem.contains(mistake.rule))
        #expect(lines.count <= 15)
    }

    /// Runs a history to its end; returns the first finding, or `nil`.
    private static func run(
        _ history: ShopHistory, _ trial: Trial, only rule: String?
    ) throws -> String? {
        trial.choices.mark()
        while trial.choices.choose(below: 32) > 0 { try history.step() }
        if rule == nil { try history.settle() }
        for word in history.outcomes { trial.count(word) }
        trial.show(lines: history.lines)
        let rules = RuleCatalogue.all.filter { rule == nil || $0.id == rule }
        for (found, report) in try history.reports(rules) {
            if report.tested > 0 { trial.count("tested \(found.id)") }
            if let finding = report.findings.first(where: { rule == nil || $0.level == .error }) {
                return "line \(finding.line): [\(finding.rule)] \(finding.message)"
            }
            if rule == nil, let reason = report.because.first {
                return "[\(found.id)] undetermined: \(reason)"
            }
        }
        return rule == nil ? history.failure : nil
    }

    /// The rules that no history of the shop can test, and why.
    static let unreachable: [String: String] = [
        "validated-before-server-content": "the shop has no server that validates",
        "one-payer-per-account": "one Apple ID pays, and the shop names no payer",
        "refresh-changes-nothing": noReceipt,
        "receipt-keeps-its-own": noReceipt,
        "purchase-in-receipt": noReceipt,
        "validated-in-both": noReceipt,
        "owned-not-charged-again": "the shop doesn't sell again what the account has",
        "content-within-periods": "the shop's reading has no publication dates",
        "renewal-before-lapse": "the simulated store renews when the period ends, not before",
        "retry-is-bounded": noSuchChange,
        "plan-change-in-time": noSuchChange,
        "price-consented": noSuchChange,
        "sandbox-renews-little": "all is bought in production",
        "secret-right": noNotification,
        "notification-once": noNotification,
    ]
    private static let noReceipt = "the simulated store has no receipt file"
    private static let noSuchChange = "the simulated store has one plan, at one price, no retry"
    private static let noNotification = "the shop's server says facts, not notifications"
}
