import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// The findings of a rule never outnumber the lines of the log.
struct FindingNumberTests {
    @Test func `no rule finds more than the lines of a changed history`() {
        expectHolds("no rule finds more than the lines of a changed history") { trial in
            let faults = Fault.allCases.filter { _ in trial.choices.happens(oncePer: 4) }
            let log = try GeneratedLog(trial.choices, faults: Set(faults), upTo: 120)
            var lines = log.lines.map { String(decoding: $0, as: UTF8.self) }
            for _ in 0..<trial.choices.number(in: 0...20) {
                let place = Int(trial.choices.choose(below: Int64(lines.count)))
                let other = Int(trial.choices.choose(below: Int64(lines.count)))
                switch trial.choices.choose(below: 3) {
                case 0: lines.insert(lines[place], at: other)
                case 1: lines.swapAt(place, other)
                case _: if lines.count > 1 { lines.remove(at: place) }
                }
            }
            trial.show(lines: lines)
            return try excess(lines)
        }
    }

    @Test func `no rule finds more than the lines of a log of random lines`() {
        expectHolds("no rule finds more than the lines of a log of random lines") { trial in
            let log = RandomLines(trial.choices, upTo: 200)
            trial.show(lines: log.lines)
            return try excess(log.lines)
        }
    }

    /// The first rule with more findings than the log has lines; `nil` if there is none.
    private func excess(_ lines: [String]) throws -> String? {
        let log: [UInt8] = lines.flatMap { Array($0.utf8) + [0x0A] }
        for (rule, report) in try check(log) {
            let count = report.counts.values.reduce(0, +)
            if count > lines.count {
                return "\(rule.id) has \(count) findings in \(lines.count) lines"
            }
        }
        return nil
    }
}
