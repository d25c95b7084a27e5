import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// Two independent implementations of a rule agree.
struct TwoCheckersTests {
    /// Half of the cases of other properties: in a debug build, a case takes long.
    private static let cases = Effort.of(whole: propertyCases, part: propertyCases / 2)
    private static let rules = RuleCatalogue.all.filter { rule in
        SlowChecker.rules.contains { $0.id == rule.id }
    }

    @Test func `the slow checker knows rules of the catalogue`() {
        #expect(TwoCheckersTests.rules.count == SlowChecker.rules.count)
        #expect(SlowChecker.rules.count >= 39)
    }

    @Test(arguments: SimulationOptions.Store.allCases)
    func `the slow checker and the rules agree on every history`(
        _ store: SimulationOptions.Store
    ) {
        expectHolds(
            "the slow checker and the rules agree", cases: TwoCheckersTests.cases
        ) { trial in
            let faults = Fault.allCases.filter { _ in trial.choices.happens(oncePer: 4) }
            let history = try History(
                trial.choices, faults: Set(faults), upTo: 120, store: store)
            trial.show(history.log)
            return try difference(history.bytes, history.events, trial)
        }
    }

    @Test func `the slow checker and the rules agree on random lines`() {
        expectHolds(
            "the slow checker and the rules agree on random lines", cases: TwoCheckersTests.cases
        ) { trial in
            let log = RandomLines(trial.choices, upTo: 40)
            trial.show(lines: log.lines)
            let events = log.events
            if events.count != log.lines.count { return "some lines are no events" }
            return try difference(log.bytes, events, trial)
        }
    }

    /// The rules about types that meet too rarely among all types.
    private static let meeting: Set<String> = [
        "withdrawn-when-over", "restore-grants-all", "finished-implies-downloaded",
        "installed-after-download",
    ]

    /// The rules that follow the owner of a line, of whose chains no sentence tells.
    private static let following: Set<String> = ["one-plan-per-group", "granted-implies-owed"]

    /// Types that meet too rarely among all types.
    private static let themes: [[EventType]] = [
        [
            .queuePurchased, .queueRestored, .receiptListed, .renewalRenewed, .renewalFailed,
            .renewalExpired, .renewalExtended, .cancellationRefunded, .cancellationReversed,
            .deliveryValidated, .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked,
            .contentOpened, .accountLinked,
        ],
        [
            .queuePurchased, .queueRestored, .queueFinished, .receiptListed, .renewalRenewed,
            .cancellationRefunded, .deliveryValidated, .deliveryDelivered, .deliveryWithdrawn,
            .deliveryUnlocked, .restoreRequested, .restoreSelected, .restoreCompleted,
            .accountLinked, .catalogListed,
        ],
        [
            .queuePurchased, .queueRestored, .queueFinished, .receiptListed, .cancellationRefunded,
            .deliveryDelivered, .deliveryDownload, .deliveryInstalled,
        ],
    ]

    @Test(arguments: themes)
    func `the slow checker and the rules agree on random lines of few types`(
        _ types: [EventType]
    ) {
        expectHolds(
            "the slow checker and the rules agree on few types",
            cases: Effort.of(whole: propertyCases, part: propertyCases / 5)
        ) { trial in
            let log = RandomLines(trial.choices, upTo: 40, types: types)
            trial.show(lines: log.lines)
            return try findingDifference(
                SlowChecker(events: log.events), log.bytes, trial, only: TwoCheckersTests.meeting)
        }
    }

    @Test func `the slow checker and the rules agree on mutants of the samples`() throws {
        let samples = try TwoCheckersTests.samples()
        expectHolds(
            "the slow checker and the rules agree on mutants", cases: TwoCheckersTests.cases
        ) { trial in
            var lines = trial.choices.pick(samples)
            for _ in 0..<trial.choices.number(in: 1...6) where lines.count > 2 {
                let place = Int(trial.choices.number(in: 1...Int64(lines.count - 1)))
                let other = Int(trial.choices.number(in: 1...Int64(lines.count - 1)))
                switch trial.choices.choose(below: 3) {
                case 0: lines.remove(at: place)
                case 1: lines.swapAt(place, other)
                case _: lines.insert(lines[place], at: other)
                }
            }
            let texts = lines.map { String(decoding: $0, as: UTF8.self) }
            trial.show(lines: texts)
            let decoder = LineDecoder()
            let events = lines.compactMap { decoder.event(on: $0[...]) }
            return try difference(lines.flatMap { $0 + [0x0A] }, events, trial)
        }
    }

    /// The lines of the samples that name one environment and consist of events.
    private static func samples() throws -> [[[UInt8]]] {
        let decoder = LineDecoder()
        return try ["valid", "violations"].flatMap { folder in
            try Folders.files(in: Folders.events.appending(path: folder), "jsonl").map {
                try Folders.bytes(of: $0).split(separator: 0x0A).map { Array($0) }
            }
        }.filter { lines in
            let events = lines.compactMap { decoder.event(on: $0[...]) }
            let isPlain = events.allSatisfy {
                $0.environment == nil || $0.environment == events.first?.environment
            }
            return isPlain && events.count == lines.count && events.first?.type == .logOpened
                && events.first?.environment != .xcode
        }
    }

    /// The difference between the findings and rows of the rules and projections and those of the
    /// slow checker, or `nil`.
    private func difference(
        _ bytes: [UInt8], _ events: [Event<Written>], _ trial: Trial
    ) throws -> String? {
        let slow = SlowChecker(events: events)
        return try findingDifference(slow, bytes, trial) ?? rowDifference(bytes, slow, trial)
    }

    /// The difference between the findings of rules and of the slow checker, or `nil`; of all rules
    /// or of some.
    private func findingDifference(
        _ slow: SlowChecker, _ bytes: [UInt8], _ trial: Trial, only some: Set<String>? = nil
    ) throws -> String? {
        let rules = TwoCheckersTests.rules.filter {
            isAsked($0.id) && some?.contains($0.id) ?? true
        }
        for (rule, report) in try check(bytes, rules) {
            // What is open at the end is left to the examples.
            let found = report.findings.filter {
                rule.id != "everything-finished" || $0.level != .note
            }.map { SlowChecker.Mark(line: Int($0.line), level: $0.level) }
            if rule.id == "restore-grants-all", slow.isContradictory { continue }
            let expected = SlowChecker.rules.first { $0.id == rule.id }?.marks(slow) ?? []
            if !found.isEmpty { trial.count("\(rule.id) violated") }
            if Set(found) != Set(expected) {
                if TwoCheckersTests.following.contains(rule.id), slow.isChained { continue }
                return "\(rule.id): the rule finds \(found), the slow checker \(expected)"
            }
        }
        return nil
    }

    /// Whether to compare a rule or projection: all, or the one that `SLOW_ONLY` names.
    private func isAsked(_ name: String) -> Bool {
        ProcessInfo.processInfo.environment["SLOW_ONLY"].map { $0 == name } ?? true
    }

    /// The difference between the rows of projections at the end of the log, or `nil`.
    private func rowDifference(
        _ bytes: [UInt8], _ slow: SlowChecker, _ trial: Trial
    ) throws -> String? {
        let show = try Folding.show(bytes)
        // A projection shows the facts of the log's own environment alone (event-log.md, 4).
        let lines = SlowLines(slow.only(production: slow.isProduction))
        for (projection, rows) in SlowLines.projections where isAsked(projection.name) {
            var shown = RowLines()
            show.appendRows(of: projection, to: &shown)
            let (found, expected) = (shown.text, rows(lines).map { $0 + "\n" }.joined())
            if !expected.isEmpty { trial.count("\(projection.name) with rows") }
            if found != expected {
                return "\(projection.name): shown\n\(found)expected\n\(expected)"
            }
        }
        return nil
    }
}
