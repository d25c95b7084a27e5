import PurchaseEvents

/// Which lines of a log must be checked together for a rule to find what the log breaks.
///
/// A log may be cut into parts that are checked apart. Lines that share an account, device,
/// transaction, original, payment, receipt, notification or `id` are in one part. Every part has
/// what lines of any account are judged by: `log.*` and `content.published`, the catalogue's
/// answers that are new, the first `queue.finished` of a payment, and lines not understood.
public enum RuleScope: String, Hashable, Sendable, CaseIterable {
    /// Lines that share a name: what a rule finds in a log is what it finds in the log's parts.
    case part
    /// Lines of one device: as ``part``, but the lines that name no device may be in several parts.
    case device
    /// All lines.
    case whole
}

extension CheckedRule {
    /// The rule as a part of a log can be checked by it; `nil` if it needs the whole log, as a rule
    /// of another package or of a rule file may.
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

/// A line rule that judges only the lines that name a device.
struct NamedDevices<Judge: LineRule>: LineRule {
    static var id: String { Judge.id }
    static var level: Level { Judge.level }
    static var statement: String { Judge.statement }
    static var evidence: [String] { Judge.evidence }
    static var scope: RuleScope { Judge.scope }

    private var judge = Judge()

    init() {}

    @inline(__always)
    mutating func observe(
        _ event: Event<Interned>, at line: LineNumber, _ names: NameTable,
        _ report: inout Report
    ) {
        guard event.device != nil else { return }
        judge.observe(event, at: line, names, &report)
    }
}
