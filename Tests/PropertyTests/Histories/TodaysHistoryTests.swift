import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

/// Histories of today's store: they are as innocent as those of the guide, and reach what only
/// today's store does.
struct TodaysHistoryTests {
    @Test func `well-behaved histories of today's store have no error and no warning`() {
        expectHolds("a well-behaved history has no error and no warning") { trial in
            let log = try GeneratedLog(trial.choices, store: .today)
            trial.count("\(TodaysHistoryTests.devices(log.bytes)) devices")
            guard let found = try log.reports().findings(.error, .warning).first else { return nil }
            trial.show(log)
            return "line \(found.line): [\(found.rule)] \(found.message)"
        }
    }

    /// The most devices of one account.
    private static func devices(_ log: [UInt8]) -> Int {
        (1...3).last { log.contains("-\($0)\"") } ?? 0
    }

    /// What a line of today's store holds, and how many of the logs below have such a line.
    @Test func `long histories reach everything that today's store does`() throws {
        let words = [
            #""plan":"monthly""#, #""plan":"upfront""#, #""commitmentNumber":12"#,
            #""commitment":true"#, #""ownership":"assigned""#, #""ownership":"familyShared""#,
            #""offer":"introductory""#, #""offer":"promotional""#, #""offer":"code""#,
            #""offer":"winBack""#, #""offer":"retention""#, #""upgraded":true"#,
            #""effect":"now""#, #""effect":"nextRenewal""#, #""reason":"assignment""#,
            #""type":"renewal.extended""#, #""type":"account.linked""#, #""percent":"#,
            #""reason":"refunded","quantity":"#, #""device":"phone-1-3""#,
        ]
        var missing = Set(words)
        // These two have it all; others are tried if a change of the store moves it.
        for seed in [108, 145] + Array(1...UInt64(200)) {
            let log = try GeneratedLog(
                ordinary: [], seed: seed, events: 2_000, accounts: 12, days: 700, store: .today)
            missing = missing.filter { !log.bytes.contains($0) }
            if missing.isEmpty { break }
        }
        #expect(missing.isEmpty)
    }
}

extension [UInt8] {
    /// Whether the bytes contain a text.
    fileprivate func contains(_ text: String) -> Bool {
        Data(self).range(of: Data(text.utf8)) != nil
    }
}
