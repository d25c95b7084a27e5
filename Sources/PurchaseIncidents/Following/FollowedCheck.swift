import PurchaseEvents
import PurchaseProjections

/// Checks a log while a writer appends to it.
///
/// Each call of ``read(_:)`` checks the lines that were added since the last call. Together, the
/// calls and ``finish(threads:_:)`` report the findings of a check of the whole log, each finding
/// once, as soon as its rule is certain. The log is a file or a folder of segments, including
/// segments created later; its end may be torn, and recovery may cut the torn end off. No call
/// waits for new lines: the caller decides when to read. Memory doesn't grow with the findings
/// already reported.
public final class FollowedCheck {
    /// Lines that were read together, and the findings that they made certain.
    public struct Batch {
        /// The lines, valid only during the visit; `nil` at the end of the log.
        public let lines: ReadLines?
        /// The findings that are new, each with the index of its rule, in the order of the rules.
        ///
        /// A finding may be about an earlier line.
        public let findings: [(rule: Int, finding: Finding)]
    }

    /// The reader of the log, which counts its lines.
    public let reader: LogReader
    /// The check of the lines so far.
    public private(set) var check: Check
    package let log: GrowingLog

    /// Opens a log; nothing is read yet.
    ///
    /// Throws an `EventLogError` if there is no log at the path or it can't be opened.
    public convenience init(
        of rules: [CheckedRule] = RuleCatalogue.all.map { CheckedRule($0) }, logAt path: String
    ) throws(EventLogError) {
        self.init(of: rules, try GrowingLog(at: path))
    }

    /// Checks an open log, from the state on that ``write(to:)`` wrote, if `known` reads one.
    package init(of rules: [CheckedRule], _ log: GrowingLog, after known: FieldVisitor? = nil) {
        self.log = log
        let names = known.map { NameTable(reading: $0, of: NameRole.allCases) } ?? NameTable()
        reader = LogReader(decoder: LineDecoder(names: names))
        check = Check(of: rules, names: names)
        guard let known else { return }
        log.visitFields(known)
        reader.visitFields(known)
        check.visitFields(known)
    }

    /// Writes the state after the lines read so far.
    package func write(to visitor: FieldVisitor) {
        reader.decoder.names.write(to: visitor)
        log.visitFields(visitor)
        reader.visitFields(visitor)
        check.visitFields(visitor)
    }

    /// Reads the whole lines that were added since the last call, a block at a time.
    ///
    /// Throws `ReadProblem` or an `EventLogError` if the log can't be read, is gone, or became
    /// shorter than the part already read; a `ReplacedLog` if another log took its place; and
    /// whatever `visit` throws. After an error, the check can't continue.
    public func read(_ visit: (Batch) throws -> Void) throws { try read(toTheEnd: false, visit) }

    /// Ends the log and returns the report of each rule, in the order of the rules.
    ///
    /// Reads what was added, including a last line without a line ending. The last batch has the
    /// findings that only the end of the log makes certain. The reports hold only these findings,
    /// but count all findings.
    ///
    /// Throws the same errors as ``read(_:)``.
    ///
    /// - Parameters:
    ///   - threads: The number of threads to use; the result does not depend on it.
    ///   - visit: Receives each batch.
    public func finish(
        threads: Int = 1, _ visit: (Batch) throws -> Void
    ) throws -> [(rule: RuleInfo, report: Report)] {
        try read(toTheEnd: true, visit)
        let answers = check.finish(threads: threads)
        try visit(Batch(lines: nil, findings: check.takeFindings()))
        return answers
    }

    private func read(toTheEnd: Bool, _ visit: (Batch) throws -> Void) throws {
        try log.readLines(reader, toTheEnd: toTheEnd) { lines in
            check.observe(lines)
            try visit(Batch(lines: lines, findings: check.takeFindings()))
        }
    }
}
