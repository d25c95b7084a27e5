import PurchaseEvents

/// The results of one rule so far: tests, findings, and why the rule can't tell.
public struct Report: Sendable {
    private let rule: String
    private let level: Level
    /// The number of times that the log put the rule to the test.
    public private(set) var tested = 0
    /// The number of findings at each level.
    public private(set) var counts: [Level: Int] = [:]
    /// The findings kept at the end of the log: the first by line, up to the limit.
    public private(set) var findings: [Finding] = []
    private var kept: EarliestFindings
    /// The findings by what they name; `nil` unless the limit is ``countsOnly``.
    package private(set) var named: FindingCounts?
    /// The distinct reasons why the rule can't tell, at most eight.
    public private(set) var because: [String] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&tested).visit(&counts)
        visitor.visit(&findings, empty: Finding.empty) { $0.visitFields(visitor) }
        kept.visitFields(visitor)
        named?.visitFields(visitor)
        visitor.visit(&because)
    }

    /// A limit that keeps no findings, but counts them by account and key.
    package static let countsOnly = -1

    /// Creates an empty report that keeps the first `limit` findings by line; 0 keeps all.
    public init(_ rule: any Rule.Type, limit: Int) { self.init(rule.id, rule.level, limit) }

    init(_ rule: RuleInfo, limit: Int) { self.init(rule.id, rule.level, limit) }

    private init(_ rule: String, _ level: Level, _ limit: Int) {
        self.rule = rule
        self.level = level
        kept = EarliestFindings(limit: limit)
        named = limit == Report.countsOnly ? FindingCounts() : nil
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
    /// The text is made only if the report keeps the finding.
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
        _ event: LogEvent, on line: Line, _ facts: Facts, level: Level? = nil,
        account: AccountHandle? = nil, key: @autoclosure () -> String?,
        _ message: @autoclosure () -> String, notes: @autoclosure () -> [Finding.Note] = [],
        hint: @autoclosure () -> String? = nil
    ) {
        find(
            event.seq, at: line.number, facts.names, level: level,
            account: account ?? event.account, key: key(), message(), notes: notes(), hint: hint())
    }

    /// Reports a finding at a given line and `seq`.
    public mutating func find(
        _ seq: @autoclosure () -> Int64?, at line: LineNumber, _ names: NameTable,
        level: Level? = nil, account: AccountHandle?, key: @autoclosure () -> String?,
        _ message: @autoclosure () -> String, notes: @autoclosure () -> [Finding.Note] = [],
        hint: @autoclosure () -> String? = nil
    ) {
        counts[level ?? self.level, default: 0] += 1
        if named != nil { named?.add(level ?? self.level, at: line, account: account, key: key()) }
        guard kept.accepts(line) else { return }
        kept.add(
            Finding(
                rule: rule, level: level ?? self.level, line: line, seq: seq(),
                account: account.map { names.text(of: $0) }, key: key(), message: message(),
                notes: notes(), hint: hint()))
    }

    /// Reports a finding at an earlier line.
    public mutating func find(
        at line: LineNumber, _ facts: Facts, level: Level? = nil,
        account: AccountHandle?, key: @autoclosure () -> String?,
        _ message: @autoclosure () -> String, notes: @autoclosure () -> [Finding.Note] = [],
        hint: @autoclosure () -> String? = nil
    ) {
        find(
            facts.seq(of: line), at: line, facts.names, level: level, account: account,
            key: key(), message(), notes: notes(), hint: hint())
    }

    /// Adds everything in another report of the rule to this one, and empties the other.
    mutating func take(_ other: inout Report) {
        tested += other.tested
        counts.merge(other.counts) { $0 + $1 }
        for finding in other.kept.removeAll() where kept.accepts(finding.line) { kept.add(finding) }
        if let names = other.named { named?.add(names) }
        for reason in other.because { cannotTell(reason) }
        (other.tested, other.counts, other.because) = (0, [:], [])
    }

    /// Removes the findings so far and returns them; they stay counted.
    ///
    /// - Precondition: The report keeps all findings.
    mutating func takeFindings() -> [Finding] {
        precondition(kept.limit == 0, "a report with a limit may still drop findings")
        defer { findings = [] }
        return findings + kept.removeAll()
    }

    mutating func close() { findings = kept.removeAll() }

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
