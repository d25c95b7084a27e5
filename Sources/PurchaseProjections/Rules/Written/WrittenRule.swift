import PurchaseEvents

/// A rule of a rule file: text that a ``Check`` runs beside the rules written in Swift.
///
/// A rule file has one rule a paragraph, lines of at most 100 columns, and comments after `#`;
/// `docs/own-rules.md` has the grammar. A rule is compiled to tables indexed by handle, so reading
/// a log compares each distinct name with the rule's texts only once.
public struct WrittenRule: Sendable {
    /// The description of the rule; its evidence is the file and line of the rule.
    public let info: RuleInfo
    private let phrases: RulePhrases
    private var syntax: RuleSyntax { phrases.syntax }

    /// Parses the rules of a rule file.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The file's name, used in errors and as the evidence of the rules.
    ///   - taken: The ids that the rules must not use, such as those of the catalogue.
    /// - Throws: ``RuleFileError`` for the first error in the file.
    public static func rules(
        of bytes: [UInt8], file: String,
        taken: some Sequence<String> = RuleCatalogue.all.map { $0.id }
    ) throws(RuleFileError) -> [WrittenRule] {
        do throws(RuleProblem) {
            var ids = Set(taken)
            var rules: [WrittenRule] = []
            for parsed in try RuleParser.rules(of: bytes) {
                guard ids.insert(parsed.id).inserted else {
                    throw RuleProblem(
                        parsed.idPosition, seen: "`\(parsed.id)`, the id of another rule",
                        expected: "an id that no other rule has")
                }
                rules.append(WrittenRule(parsed, file))
            }
            return rules
        } catch {
            throw RuleFileError(
                file: file, line: error.position.line, column: error.position.column,
                seen: error.seen, expected: error.expected, nearest: error.nearest)
        }
    }

    private init(_ parsed: ParsedRule, _ file: String) {
        let origin = "\(file):\(parsed.idPosition.line)"
        phrases = RulePhrases(parsed.syntax, origin: origin)
        info = RuleInfo(
            id: parsed.id, level: parsed.level, statement: parsed.syntax.statement,
            evidence: [origin])
    }

    /// Creates the runner of the rule at the beginning of a log, which keeps `limit` findings; 0
    /// keeps all.
    func runner(limit: Int) -> RuleRunner {
        let other = syntax.other ?? syntax.each
        switch syntax.template {
        case .followed: return runner(ResponseRun(phrases, other: other), limit)
        case .notFollowed, .preceded, .notPreceded:
            return runner(PrecedenceRun(phrases, other: other), limit)
        case .never: return runner(AbsenceRun(phrases), limit)
        case .atMost(let most):
            guard let relation = syntax.relation else {
                return runner(AtMostRun(phrases, most: most), limit)
            }
            return runner(AtMostDifferentRun(phrases, most: most, relation), limit)
        }
    }

    private func runner(_ run: some WrittenRun, _ limit: Int) -> RuleRunner {
        guard let log = syntax.log else { return plainRunner(run, limit) }
        return plainRunner(LogRun(run, log, Report(info, limit: limit)), limit)
    }

    private func plainRunner(_ run: some RunningRule, _ limit: Int) -> RuleRunner {
        var reads = syntax.reads
        if syntax.within?.isOfLaunches == true { reads.insert(EventTypes(.appLaunched)) }
        return RuleRunner(run, Report(info, limit: limit), info, reads)
    }
}

protocol WrittenRun: RunningRule {}

extension WrittenRun {
    /// The default: does nothing.
    package mutating func finish(facts: Facts, report: inout Report) {}
}

extension CheckedRule {
    /// Creates a checked rule from a rule of a rule file.
    public init(_ rule: WrittenRule) {
        info = rule.info
        (self.rule, isSnapshotted) = (nil, true)
        runner = { rule.runner(limit: $0) }
    }
}
