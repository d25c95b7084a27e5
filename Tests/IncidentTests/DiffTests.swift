import PurchaseEvents
@testable import PurchaseIncidents
import PurchaseProjections
import TestSupport
import Testing

struct DiffTests {
    /// If two rows of a log had equal keys, a change could be attributed to the wrong one.
    @Test func `the keys of rows tell them apart`() throws {
        for seed in 1...UInt64(Effort.of(whole: 300, part: 8)) {
            let bytes = try GeneratedEvents.log(seed: seed).log()
            let show = try LogLines(bytes).show()
            for projection in ProjectionCatalogue.all {
                var lines = RowLines()
                show.appendRows(of: projection, to: &lines)
                let rows = lines.text.split(separator: "\n").map { line in
                    Array(line.utf8).withUnsafeBytes {
                        RowMembers($0, RowIdentity.keys(of: projection)).identityText
                    }
                }
                #expect(Set(rows).count == rows.count, "\(projection.name), seed \(seed): \(rows)")
            }
        }
    }

    @Test func `a log doesn't differ from itself, nor from itself otherwise spelled`() throws {
        for (name, bytes) in try GeneratedEvents.samples("valid") {
            let respelled = bytes.flatMap { $0 == UInt8(ascii: ",") ? [$0, 0x20] : [$0] }
            let isText = String(decoding: bytes, as: UTF8.self).contains(", ")
            let other = isText ? bytes : respelled
            #expect(
                try LogComparison(LogParts(bytes), LogParts(other)).differences().isEmpty,
                "\(name)")
        }
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 8)) {
            let bytes = try GeneratedEvents.log(seed: seed).log()
            #expect(
                try LogComparison(LogParts(bytes), LogParts(bytes)).differences().isEmpty,
                "seed \(seed)")
        }
    }

    /// Results that follow the log's order may differ: findings about that order, and rows of a
    /// snapshot, which stay in place.
    @Test func `attested facts in another order say the same`() throws {
        let families = ["renewal.", "cancellation."]
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 10)) {
            let events = GeneratedEvents.log(seed: seed)
            var dice = Dice(seed: seed)
            let places = events.indices.filter { index in
                let name = events[index].type.wireName
                if case .receiptListed(let row) = events[index].fact { return row.receipt == nil }
                return families.contains { name.hasPrefix($0) }
            }
            var shuffled = events
            for (place, other) in zip(places, places.shuffled(using: &dice)) {
                shuffled[place] = events[other]
            }
            let comparison = try LogComparison(
                LogParts(events.log()), LogParts(shuffled.log()))
            try comparison.differences { difference in
                switch difference {
                case .row(let row):
                    let follows = [Pending.name, Restores.name, Receipt.name]
                    if !follows.contains(row.projection) {
                        Issue.record("seed \(seed): \(row)")
                    }
                case .finding: break
                case .line(let number, _, _): Issue.record("seed \(seed): line \(number)")
                }
            }
        }
    }

    @Test func `a dropped line shows in rows, findings and lines`() throws {
        let samples = try GeneratedEvents.samples("valid")
        let bytes = try #require(samples.first { $0.name == "refund.jsonl" }).bytes
        let edited = try LogEditor([.drop(14...14)]).edit(bytes)
        let all = try LogComparison(LogParts(bytes), LogParts(edited)).differences()
        var rows: [String: [LogDifference.Presence?]] = [:]
        var findings: [String] = []
        var lines: [Int] = []
        for difference in all {
            switch difference {
            case .row(let row): rows[row.projection, default: []].append(row.presence)
            case .finding(let finding, .appears): findings.append(finding.rule)
            case .finding(let finding, .vanishes): Issue.record("\(finding)")
            case .line(let number, _, let presence):
                #expect(presence == .vanishes)
                lines.append(number)
            }
        }
        #expect(
            rows == [
                "entitlements": [nil], "pending": [.appears], "restores": [.appears],
                "accounts": [nil],
            ])
        #expect(findings == ["withdrawal-has-a-reason"])
        #expect(lines == [14])
        let back = try LogComparison(LogParts(edited), LogParts(bytes)).differences()
        #expect(back.count == all.count)
    }

    @Test func `rows and lines count as often as they occur`() throws {
        let line = #"{"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"app.launched"}"#
        let later = #"{"seq":3,"at":"2026-03-05T09:00:01.000Z","type":"app.launched"}"#
        let opened = #"{"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}"#
        let once = LogParts(GeneratedEvents.bytes(lines: opened, line))
        let twice = LogParts(GeneratedEvents.bytes(lines: opened, line, later))
        let comparison = try LogComparison(once, twice)
        let lines = try comparison.differences().compactMap { difference in
            if case .line(let number, _, .appears) = difference { number } else { nil }
        }
        #expect(lines == [3])
        #expect(comparison.instant.text == "2026-03-05T09:00:01.000Z")
    }
}
