import PurchaseEvents
import PurchaseProjections

/// Explains a log's answers; for a no, also says what a yes would need.
///
/// Rows are as of one instant, whichever lines are folded: the given instant, else the greatest
/// `at` of the whole log.
public struct Reasons {
    let lines: LogLines
    let named: NamedLines
    /// The instant that the user gave; `nil` if rows are as of the greatest `at`.
    let requestedInstant: Timestamp?
    /// The instant of all rows.
    public let instant: Timestamp
    private let rules: [any Rule.Type]

    /// The number of lines that may be folded in the search for overridden and preventing lines.
    private static let effort = 1_000_000

    /// Reads the names of a log.
    ///
    /// Cost: one pass over the log, and 44 bytes a line.
    ///
    /// - Parameters:
    ///   - lines: The lines of the log.
    ///   - instant: The instant at which rows are true; `nil` means the greatest `at`.
    ///   - rules: The rules that questions about findings may name.
    ///   - threads: The number of threads to use; the result does not depend on it.
    public init(
        _ lines: LogLines, asOf instant: Timestamp? = nil,
        rules: [any Rule.Type] = RuleCatalogue.all, threads: Int = 1
    ) throws {
        (self.lines, self.rules) = (lines, rules)
        named = try NamedLines(lines, threads: threads)
        requestedInstant = instant
        self.instant = instant ?? named.greatestAt ?? .earliest
    }

    /// The rows of a projection that some lines alone give, at the instant of the whole log.
    ///
    /// - Parameters:
    ///   - projection: The name of the projection.
    ///   - kept: The lines, counted from 1.
    public func rows(of projection: String, from kept: [Int]) throws -> [ShownRow] {
        guard let type = ProjectionCatalogue.find(projection) else { return [] }
        let show = try lines.taking(kept.map { $0 - 1 }).show([type], asOf: requestedInstant)
        return ShownRow.all(show, of: projection, asOf: instant)
    }

    /// The answer that some lines alone give, at the instant of the whole log.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - kept: The lines, counted from 1; `nil` means all.
    public func answer(to question: Question, from kept: [Int]? = nil) throws -> Answer {
        let answerer = answerer(question)
        guard let kept else { return try answerer.answer(lines) }
        return try answerer.answer(lines.taking(kept.map { $0 - 1 })) { kept[$0 - 1] }
    }

    /// The answer to a question, and the reason for it.
    public func reason(for question: Question) throws -> Reason {
        var answerer = answerer(question)
        let answer = try answerer.answer(lines)
        answerer.wanted = answer.finding
        let slices = ReasonSlices(question, answer, named)
        var search = ReasonSearch(answerer, answer, [], of: lines)
        for slice in slices.all {
            search = ReasonSearch(answerer, answer, slice(), of: lines)
            if try search.isComplete() { break }
        }
        search.effort = Reasons.effort
        let (rests, without) = try search.rests()
        var parts = zip(rests, without).map { search.part($0, .rests, $1) }
        parts += try search.overridden(besides: rests, without)
        if answer.isNo, answer.finding == nil, question.projection != nil {
            let prevents = try search.prevents().filter { try isNeeded($0, answerer) }
            parts += prevents
            if prevents.isEmpty {
                parts.append(try MissingFact.find(question, answer, search, instant))
            }
        }
        return Reason(answer: answer, parts: parts)
    }

    /// Whether the whole log says yes without a line that prevents a yes in its slice; outside the
    /// slice, another line may prevent the yes too.
    private func isNeeded(_ part: Reason.Part, _ answerer: Answerer) throws -> Bool {
        guard let line = part.line else { return true }
        return try !answerer.answer(lines.taking(lines.indices.filter { $0 != line - 1 })).isNo
    }

    /// The first name in a question that no event of the log has, with its role; `nil` if there is
    /// none.
    public func unnamed(in question: Question) -> (role: String, name: String)? {
        func isNamed(_ matches: (NamedLines.Names) -> Bool) -> Bool {
            named.all.contains { $0.type != nil && matches($0) }
        }
        switch question {
        case .entitlement(let account, let product), .restore(let account, let product),
            .balance(let account, let product):
            if let account {
                let handle = named.handle(AccountID<Written>(account))
                if handle == 0 || !isNamed({ $0.names(account: handle) }) {
                    return ("account", account)
                }
            }
            let handle = named.handle(ProductID<Written>(product))
            return handle == 0 || !isNamed { $0.product == handle } ? ("product", product) : nil
        case .pending(let key):
            let transaction = named.handle(TransactionID<Written>(key))
            let payment = named.handle(PaymentID<Written>(key))
            let isKnown = isNamed {
                (transaction != 0 && ($0.transaction == transaction || $0.original == transaction))
                    || (payment != 0 && $0.payment == payment)
            }
            return isKnown ? nil : ("transaction or payment", key)
        case .subscription(let original):
            let handle = named.handle(TransactionID<Written>(original))
            let isKnown =
                handle != 0 && isNamed { $0.transaction == handle || $0.original == handle }
            return isKnown ? nil : ("original", original)
        case .finding, .row: return nil
        }
    }

    /// Whether a line, counted from 1, presents a transaction that an earlier line presented too.
    package func isPresentedAgain(at line: Int) -> Bool {
        guard named.all.indices.contains(line - 1) else { return false }
        let said = named.all[line - 1]
        guard said.type == .queuePurchased || said.type == .queueRestored else { return false }
        return named.all[..<(line - 1)].contains {
            $0.type == said.type && $0.transaction == said.transaction
        }
    }

    private func answerer(_ question: Question) -> Answerer {
        var rule: (any Rule.Type)?
        if case .finding(_, let id) = question { rule = rules.first { $0.id == id } }
        return Answerer(
            question: question, requestedInstant: requestedInstant, instant: instant, rule: rule)
    }
}
