// Checks a log with the catalogue's rules and the company's own rule, then prints the rows of the
// company's projection.
import Foundation
import PurchaseEvents
import PurchaseProjections

guard let path = CommandLine.arguments.dropFirst().first else {
    fatalError("usage: own-replay LOG")
}
let reader = LogReader()
var check = Check(RuleCatalogue.all + [ThreeRefundsNoCoins.self], names: reader.decoder.names)
var show = Show([RefundsByProduct.self], names: reader.decoder.names)
try reader.read(logAt: path) { line in
    check.observe(line)
    show.observe(line)
    return true
}
var isViolated = false
for (rule, report) in check.finish() where report.verdict == .violated {
    isViolated = isViolated || rule.level == .error
    for finding in report.findings {
        print("\(path):\(finding.line): [\(rule.id)] \(finding.message)")
    }
}
for row in show.rows(of: RefundsByProduct.self) { print(RowJSON.text(of: row.fields)) }
exit(isViolated ? 1 : 0)
