import PurchaseEvents

/// The results of one rule so far: tests, findings, and why the rule can't tell.
public struct Report: Sendable {
    private let rule: String
    private let level: Level
    private let limit: Int
    /// The number of times that the log put the rule to the test.
    public private(set) var tested = 0
    /// The greatest line of the findings when they were last cut.
    private var lastKept = LineNumber.max
    /// The number of findings at each level.
    public private(set) var counts: [Level: Int] = [:]
    /// The findings kept: the first by line, up to the limit.
    public private(set) var findings: [Finding] = []
    /// The distinct reasons why the rule can't tell, at most eight.
    public private(set) var because: [String] = []

    /// Creates an empty report that keeps the first `limit` findings by line; 0 keeps all.
    public init(_ rule: any Rule.Type, limit: Int) {
        self.rule = rule.id
        level = rule.level
        self.limit = limit
    }

    /// Creates an empty report of a rule with this description.
    init(_ rule: RuleInfo, limit: Int) {
        self.rule = rule.id
        level = rule.level
        self.limit = limit
    }

    /// Counts one test of the rule.
    @inline(__always)
    public mutating func test() { tested += 1 }

    /// Counts several tests of the rule.
    public mutating func test(times count: Int) { tested += count }

    /// Records why the rule can't tell; repeated reasons are kept once.
    public mutating func cannotTell(_ reason: String) {
        guard because.count < 8, !because.contains(reason) else { return }
        because.append(reason)
    }

    /// Reports a finding at the current event.
    ///
    /// - Parameters:
    ///   - event: The event at fault.
    ///   - line: The line of the event.
    ///   - facts: The facts that the log states up to the line.
    ///   - level: The level, if less severe than the rule's.
    ///   - account: The account at fault, if not that of the event.
    ///   - key: The text of the transaction, payment, original or id at fault.
    ///   - message: What was seen and what was expected: lower case, no full stop.
    ///   - notes: The earlier lines that prove the finding.
    ///   - hint: A suggested next check, if the rule has one.
    public mutating func find(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, level: Level? = nil,
        account: AccountID<Interned>? = nil, key: String?, _ message: String,
        notes: [Finding.Note] = [], hint: String? = nil
    ) {
        find(
            event.seq, at: line.number, facts.names, level: level,
            account: account ?? event.account, key: key, message, notes: notes, hint: hint)
    }

    /// Reports a finding at a given line and `seq`.
    public mutating func find(
        _ seq: Int64, at line: LineNumber, _ names: NameTable, level: Level? = nil,
        account: AccountID<Interned>?, key: String?, _ message: String,
        notes: [Finding.Note] = [], hint: String? = nil
    ) {
        keep(
            Finding(
                rule: rule, level: level ?? self.level, line: line, seq: seq,
                account: account.map { names.text(of: $0) }, key: key, message: message,
                notes: notes, hint: hint))
    }

    /// Reports a finding at an earlier line.
    public mutating func find(
        at line: LineNumber, _ facts: Facts, level: Level? = nil,
        account: AccountID<Interned>?, key: String?, _ message: String,
        notes: [Finding.Note] = [], hint: String? = nil
    ) {
        keep(
            Finding(
                rule: rule, level: level ?? self.level, line: line, seq: facts.seq(of: line),
                account: account.map { facts.names.text(of: $0) }, key: key, message: message,
                notes: notes, hint: hint))
    }

    /// Whether the report keeps a finding at a line; counts a finding beyond the limit, which needs
    /// no message.
    mutating func keeps(at line: LineNumber) -> Bool {
        guard limit > 0, findings.count == limit, line >= lastKept else { return true }
        counts[level, default: 0] += 1
        return false
    }

    private mutating func keep(_ finding: Finding) {
        counts[finding.level, default: 0] += 1
        findings.append(finding)
        guard limit > 0, findings.count >= limit * 2 else { return }
        cut()
    }

    /// Keeps only the first findings by line.
    private mutating func cut() {
        findings = findings.enumerated()
            .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map(\.element)
        guard limit > 0 else { return }
        if findings.count > limit { findings.removeLast(findings.count - limit) }
        lastKept = findings.last?.line ?? 0
    }

    /// Adds everything in another report of the rule to this one, and empties the other.
    mutating func take(_ other: inout Report) {
        tested += other.tested
        counts.merge(other.counts) { $0 + $1 }
        findings += other.findings
        for reason in other.because { cannotTell(reason) }
        (other.tested, other.counts, other.findings, other.because) = (0, [:], [], [])
        if limit > 0, findings.count >= limit * 2 { cut() }
    }

    /// Removes the findings so far and returns them; they stay counted.
    ///
    /// - Precondition: The report keeps all findings.
    mutating func takeFindings() -> [Finding] {
        precondition(limit == 0, "a report with a limit may still drop findings")
        guard !findings.isEmpty else { return [] }
        defer { findings = [] }
        return findings
    }

    /// Completes the report at the end of the log.
    mutating func close() { cut() }

    /// The rule's verdict on the log; findings that are only notes don't violate the rule.
    public var verdict: Verdict {
        if counts[.error, default: 0] > 0 || counts[.warning, default: 0] > 0 { return .violated }
        if !because.isEmpty { return .undetermined }
        return tested > 0 ? .holds : .vacuous
    }
}

/// A rule's verdict on a log.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// The rule was put to the test and never violated.
    case holds
    /// Nothing in the log puts the rule to the test.
    case vacuous
    /// The rule was violated.
    case violated
    /// The rule was not violated, but the log lacks information that the answer depends on.
    case undetermined
}
