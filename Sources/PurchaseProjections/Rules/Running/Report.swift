import PurchaseEvents

/// What one rule has found so far: tests, findings, and why it can't tell.
public struct Report: Sendable {
    private let rule: String
    private let level: Level
    private let limit: Int
    /// How often the rule was put to the test.
    public private(set) var tested = 0
    /// How many findings there are, by level.
    public private(set) var counts: [Level: Int] = [:]
    /// The findings that were kept: the first by line, at most the limit.
    public private(set) var findings: [Finding] = []
    /// Why the rule can't tell, where it can't: each reason once.
    public private(set) var because: [String] = []

    /// An empty report of a rule that keeps the first `limit` findings by line; 0 keeps all.
    public init(_ rule: any Rule.Type, limit: Int) {
        self.rule = rule.id
        level = rule.level
        self.limit = limit
    }

    /// Counts that the rule was put to the test.
    @inline(__always)
    public mutating func test() { tested += 1 }

    /// Counts that the rule was put to the test so often.
    public mutating func test(times count: Int) { tested += count }

    /// Says that the log can't answer, and why; a reason is kept once.
    public mutating func cannotTell(_ reason: String) {
        guard because.count < 8, !because.contains(reason) else { return }
        because.append(reason)
    }

    /// Reports a finding at the event being read.
    ///
    /// - Parameters:
    ///   - level: the level, where it is less grave than the rule's.
    ///   - key: the text of the transaction, payment, original or id at fault.
    public mutating func find(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, level: Level? = nil,
        account: AccountID<Interned>? = nil, key: String?, _ message: String,
        notes: [Finding.Note] = [], hint: String? = nil
    ) {
        find(
            event.seq, at: line.number, facts.names, level: level,
            account: account ?? event.account, key: key, message, notes: notes, hint: hint)
    }

    /// Reports a finding at the event of a line and a seq.
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

    /// Reports a finding at a line that was read before.
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

    private mutating func keep(_ finding: Finding) {
        counts[finding.level, default: 0] += 1
        findings.append(finding)
        guard limit > 0, findings.count >= limit * 2 else { return }
        cut()
    }

    /// Keeps the first findings by line.
    private mutating func cut() {
        findings = findings.enumerated()
            .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
            .map(\.element)
        if limit > 0, findings.count > limit { findings.removeLast(findings.count - limit) }
    }

    /// The report at the end of the log.
    mutating func close() { cut() }

    /// What the rule answers for the log.
    public var verdict: Verdict {
        let graveEnough = level == .note ? Level.allCases : [.warning, .error]
        if graveEnough.contains(where: { counts[$0, default: 0] > 0 }) { return .violated }
        if !because.isEmpty { return .undetermined }
        return tested > 0 ? .holds : .vacuous
    }
}

/// What a rule answers for a log.
public enum Verdict: String, CaseIterable, Hashable, Sendable {
    /// It was put to the test and never broken.
    case holds
    /// Nothing in the log puts it to the test.
    case vacuous
    /// Something was found.
    case violated
    /// Nothing was found, but the log leaves out what the answer depends on.
    case undetermined
}
