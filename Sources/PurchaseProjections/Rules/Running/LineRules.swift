import PurchaseEvents

/// The rules of a check that are about lines alone; ``Check/takeLineRules()`` takes them out of it.
///
/// One thread at a time gives them lines, in the order of the log, and none any more when the
/// check is finished.
public final class LineRules: @unchecked Sendable {
    private let runners: [RuleRunner]
    private let names: NameTable

    /// Those of some rules that are about lines alone; the lines' names are in a table.
    init(of rules: [RuleRunner], _ names: NameTable) {
        runners = rules.filter { $0.observeLines != nil }
        self.names = names
    }

    /// Reads lines of the log, whatever they are.
    @Sendable
    public func observe(_ lines: ReadLines) {
        for runner in runners { runner.observeLines?(lines, names) }
    }

    /// Hands an event to the rules that read its type.
    func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        for runner in runners where runner.reads.contains(event.type) {
            runner.call.observe(event, on: line, facts)
        }
    }

    /// Hands over a line that was not understood.
    func observeNotUnderstood(_ line: LineNumber, _ facts: Facts) {
        for runner in runners { runner.observeNotUnderstood(line, facts) }
    }
}
