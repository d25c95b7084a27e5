import Foundation
import PurchaseIncidents
import PurchaseProjections
import PurchaseRecorder
import PurchaseSimulation
import Shop
import TestSupport
import Testing

@testable import PurchaseEvents

/// The example's purchase code in every history that a store, two users and crashes can make.
///
/// `SHOP_HISTORIES=20000 swift test --filter ShopPropertyTests` tries that many, those of the seed
/// `SHOP_SEED`.
struct ShopPropertyTests {
    private static let cases =
        number("SHOP_HISTORIES") ?? Effort.of(whole: 20_000, part: 25)
    private static let seed = number("SHOP_SEED") ?? 7

    private static func number(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    @Test func `every rule holds in every history, whatever crashes`() throws {
        let result = ShopPropertyTests.wholeShop.run()
        print("seed \(ShopPropertyTests.seed): \(result.statistics.cases) histories")
        print(result.statistics)
        if let found = result.counterexample { Issue.record("\(found)") }
        let vacuous = ShopPropertyTests.vacuousRules(result.statistics)
        #expect(vacuous.filter { ShopPropertyTests.unreachable[$0] == nil } == [])
    }

    private static var wholeShop: Property {
        Property("the shop breaks no rule", cases: cases, seed: UInt64(seed), shrinks: 400) {
            trial in
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
        #expect(found.problem.contains(mistake.rule))
        // The store lists all products at each launch, and no choice leaves that out: the log is
        // shrunk too.
        let log = LogLines(Array(found.lines.joined(separator: "\n").utf8))
        let findings = try log.findings()
        let finding = try #require(
            findings.first { $0.rule == mistake.rule && $0.level == .error })
        let small = try #require(
            try LogShrinker.shrink(log, to: finding, of: findings)?.lines)
        print("\(mistake): \(found.problem), shrunk to \(small.count) lines")
        #expect(small.count <= 15)
        let place = try #require(try small.findings().first { $0.rule == mistake.rule }?.line)
        let reason = try Reasons(small).reason(
            for: .finding(line: Int(place), rule: mistake.rule))
        #expect(reason.answer.finding?.key == finding.key)
        #expect(reason.parts.contains { $0.line == Int(place) })
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
