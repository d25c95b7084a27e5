import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// A truncated log and a log with a changed byte are read and folded to the end: each line is an
/// event, a diagnostic or blank, and nothing traps.
struct DamagedLogTests {
    @Test func `every prefix of a log is read and folded`() {
        expectHolds("every prefix of a log is read and folded") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 40)
            trial.show(log)
            let end = Int(trial.choices.choose(below: Int64(log.bytes.count + 1)))
            let bytes = Array(log.bytes[..<end])
            let counts = try fold(bytes)
            let whole = bytes.count { $0 == UInt8(ascii: "\n") }
            let isTorn = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
            if counts.events + counts.others != whole + (isTorn ? 1 : 0) {
                return "byte \(end): \(counts)"
            }
            // Only the last line can be torn; a line cut just before its newline is whole.
            return counts.others > (isTorn ? 1 : 0) ? "byte \(end): \(counts)" : nil
        }
    }

    @Test func `a log with a changed byte is read and folded`() {
        expectHolds("a log with a changed byte is read and folded") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 40)
            trial.show(log)
            var bytes = log.bytes
            let place = Int(trial.choices.choose(below: Int64(bytes.count)))
            let value = UInt8(trial.choices.choose(below: 256))
            bytes[place] = value
            let counts = try fold(bytes)
            trial.count(counts.others > 0 ? "not understood or blank" : "all events")
            let lines = bytes.split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let expected = lines.count - (bytes.last == UInt8(ascii: "\n") ? 1 : 0)
            guard counts.events + counts.others == expected else {
                return "byte \(place) as \(value): \(counts), lines \(expected)"
            }
            return try differenceAtOnce(bytes)
        }
    }

    /// The difference between line rules that read one line at a time and many at once, or `nil`.
    private func differenceAtOnce(_ bytes: [UInt8]) throws -> String? {
        let rules = RuleCatalogue.all.filter { $0 is any LineRule.Type }
        let reader = LogReader()
        var atOnce = Check(rules, names: reader.decoder.names)
        try reader.readLines(MemorySource(bytes)) { lines in
            atOnce.observe(lines)
            return lines.count
        }
        return Folding.difference(atOnce.finish(), try check(bytes, rules))
    }

    /// The numbers of lines that are events and that aren't; all of them are folded.
    private func fold(_ bytes: [UInt8]) throws -> (events: Int, others: Int) {
        let reader = LogReader()
        var show = Show(ProjectionCatalogue.all, names: reader.decoder.names)
        var rules = Check(names: reader.decoder.names)
        var counts = (events: 0, others: 0)
        try reader.read(MemorySource(bytes)) { line in
            show.observe(line)
            rules.observe(line)
            if line.event == nil { counts.others += 1 } else { counts.events += 1 }
            return true
        }
        _ = Folding.rows(show)
        _ = rules.finish()
        return counts
    }
}
