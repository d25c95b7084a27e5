import Foundation
import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import TestSupport
import Testing

/// `replay diff` of each valid sample and its mutants agrees with the mutation matrix.
struct DiffMutationTests {
    @Test func `diff of a log with a mutant says what the matrix says`() throws {
        // Places are counted across all mutations of a log, so that parts differ by mutation.
        let step = Effort.of(whole: 12, part: 240)
        var (place, compared) = (0, 0)
        for file in Folders.files(in: Folders.events.appending(path: "valid"), "jsonl") {
            let bytes = try Folders.bytes(of: file)
            let log = try rows(bytes)
            let fold = try SampleFold(log)
            let valid = try fold.counts(of: log)
            let before = LogParts(log.enumerated().flatMap { $1.line($0 + 1) })
            let instant = try LogComparison(before, before).instant
            for mutation in Mutation.all {
                for index in log.indices {
                    let mutants = mutation.mutants(log, index).filter { $0 != log }
                    guard !mutants.isEmpty else { continue }
                    place += 1
                    guard place % step == 0 else { continue }
                    for mutant in mutants {
                        compared += 1
                        try compare(
                            before, mutant, fold, valid, instant,
                            "\(file.lastPathComponent):\(index + 1), \(mutation.name)")
                    }
                }
            }
        }
        #expect(compared > 50)
    }

    private func rows(_ bytes: [UInt8]) throws -> [MutableRow] {
        let decoder = LineDecoder()
        return try bytes.split(separator: 0x0A).compactMap { line in
            try decoder.event(on: line).map { try MutableRow($0) }
        }
    }

    private func compare(
        _ before: LogParts, _ mutant: [MutableRow], _ fold: SampleFold, _ valid: SampleFold.Counts,
        _ instant: Timestamp, _ words: String
    ) throws {
        let counts = try fold.counts(of: mutant)
        let after = LogParts(mutant.enumerated().flatMap { $1.line($0 + 1) })
        let comparison = try LogComparison(before, after)
        var rows = 0
        var grave: [String: Int] = [:]
        var notes: [String: Int] = [:]
        try comparison.differences { difference in
            switch difference {
            case .row: rows += 1
            case .line: break
            case .finding(let finding, let presence):
                let change = presence == .appears ? 1 : -1
                if finding.level == .note {
                    notes[finding.rule, default: 0] += change
                } else {
                    grave[finding.rule, default: 0] += change
                }
            }
        }
        for (index, rule) in RuleCatalogue.all.enumerated() {
            #expect(
                grave[rule.id, default: 0] == counts.grave[index] - valid.grave[index],
                "\(words): \(rule.id)")
            #expect(
                notes[rule.id, default: 0] == counts.notes[index] - valid.notes[index],
                "\(words): \(rule.id), notes")
        }
        // The matrix compares rows as of the end of the sample.
        if comparison.instant == instant {
            #expect((rows == 0) == fold.isIdle(counts), "\(words): \(rows) rows")
        }
    }
}
