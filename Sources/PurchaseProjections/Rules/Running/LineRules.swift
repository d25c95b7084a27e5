import PurchaseEvents

/// The line rules of a check, which ``Check/takeLineRules()`` returns.
///
/// Only one thread at a time may pass lines to these rules, in log order, and none after the check
/// is finished.
package final class LineRules: @unchecked Sendable {
    private let runners: [RuleRunner]
    private let names: NameTable

    init(of rules: [RuleRunner], _ names: NameTable) {
        runners = rules.filter { $0.observeLines != nil }
        self.names = names
    }

    /// Reads lines of the log, including those not understood.
    @Sendable
    package func observe(_ lines: ReadLines) {
        for runner in runners { runner.observeLines?(lines, names) }
    }

    /// Passes an event to the rules that read its type.
    func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        for runner in runners where runner.reads.contains(event.type) {
            runner.call.observe(event, on: line, facts)
        }
    }

    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        for runner in runners { runner.observeNotUnderstood(line, facts) }
    }
}
