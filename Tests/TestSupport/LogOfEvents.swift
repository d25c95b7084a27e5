import PurchaseEvents
import PurchaseProjections

extension [Event<Written>] {
    /// The bytes of a log of these events, renumbered from 1.
    package func log() throws(WritingProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, event) in enumerated() {
            var numbered = event
            numbered.seq = Int64(index + 1)
            try LineWriter.append(numbered, to: &bytes)
        }
        return bytes
    }
}

/// The reports of rules for a log; `visit` receives each line.
package func check(
    _ log: [UInt8], _ rules: [any Rule.Type] = RuleCatalogue.all,
    visit: (ReadLine) -> Void = { _ in }
) throws -> [(rule: RuleInfo, report: Report)] {
    let reader = LogReader()
    var check = Check(rules, names: reader.decoder.names)
    try reader.read(MemorySource(log)) { line in
        visit(line)
        check.observe(line)
        return true
    }
    return check.finish()
}
