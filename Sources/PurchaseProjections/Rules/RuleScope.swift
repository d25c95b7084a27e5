import PurchaseEvents

/// The lines of a log that a rule must check together to find every violation.
///
/// A log can be split into parts that are checked separately. Lines that share an account, device,
/// transaction, original, payment, receipt, notification or `id` stay in one part. Every part also
/// gets the lines that affect any account: `log.*` and `content.published`, catalogue answers that
/// change something, the first `queue.finished` of a payment, and lines that weren't understood.
public enum RuleScope: String, Hashable, Sendable, CaseIterable {
    /// Lines that share a name: checking the parts finds the same as checking the whole log.
    case part
    /// Lines of one device: like ``part``, except that lines without a device may be in several
    /// parts.
    case device
    /// All lines.
    case whole
}

extension CheckedRule {
    /// The rule in a form that can check a part of a log; `nil` if the rule needs the whole log, as
    /// rules of other packages and of rule files may.
    public var ofPart: CheckedRule? {
        switch info.scope {
        case .part: self
        case .device: (rule as? any LineRule.Type).map { CheckedRule.ofNamedDevices($0) }
        case .whole: nil
        }
    }

    private static func ofNamedDevices<R: LineRule>(_ rule: R.Type) -> CheckedRule {
        CheckedRule(NamedDevices<R>.self)
    }
}

/// A line rule restricted to the lines that name a device.
struct NamedDevices<Judge: LineRule>: LineRule {
    static var id: String { Judge.id }
    static var level: Level { Judge.level }
    static var statement: String { Judge.statement }
    static var evidence: [String] { Judge.evidence }
    static var scope: RuleScope { Judge.scope }

    private var judge = Judge()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&judge) }

    init() {}

    @inline(__always)
    mutating func observe(
        _ event: LogEvent, at line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        guard event.device != nil else { return }
        judge.observe(event, at: line, names, &report)
    }
}
