import PurchaseEvents

/// Content is opened only by accounts that are owed access at that time (G6.1, I8).
///
/// Concerns content without a known publication date. It may be opened in an attested period of one
/// of the account's lines, including grace, or after a non-consumable purchase, or after a
/// non-renewing one until the latest end that the app ever set for it (G1.4). Periods attested
/// later in the log count too: an account is not blamed for a statement that arrived late.
/// ``RefundGrantsNothing`` reports uses that only a refunded purchase would allow.
struct GrantedImpliesOwed: CatalogueRule {
    static let level = Level.error
    static let statement = """
        Content without a known publication date is opened only in an attested period of a \
        subscription of the account, grace included, or where the account holds a non-consumable, \
        or a non-renewing purchase until the latest end that the app gave it; what was attested \
        later in the log counts too.
        """
    static let evidence = ["G6.1", "I8"]
    static let reads = EventTypes(.contentOpened)

    private var waiting = UncoveredUses()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .contentOpened(let content) = event.fact,
            facts[content] == nil,
            let use = facts.use(event, line.number)
        else { return }
        report.test()
        waiting.keep(use, facts)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for (use, coverage) in zip(waiting.uses, facts.coverages(of: waiting.uses)) {
            // Other rules judge content that turned out to have a publication date.
            guard case .content(let content) = use.target, facts[content] == nil else { continue }
            guard !coverage.isCovered, coverage.refunded.isEmpty else { continue }
            let doubt = coverage.doubt("what entitled an account to open content", facts)
            if let reason = coverage.unclear ?? facts.reuseHides(use) ?? doubt {
                report.cannotTell(reason)
            } else {
                find(use, coverage, facts, &report)
            }
        }
    }

    private func find(_ use: Use, _ coverage: Coverage, _ facts: Facts, _ report: inout Report) {
        let notes = facts.notes(onEnded: coverage.lastEnded)
        report.find(
            at: use.line, facts, account: use.account, key: facts.contentText(use),
            "\(facts.describe(use.target)) was opened at \(use.at.text) by "
                + "\(facts.describe(use.account)), which had "
                + "\(notes.isEmpty ? "bought nothing" : "no access left") by then: expected a "
                + "period or a purchase that allows it",
            notes: notes,
            hint:
                "content was given away: look at how the app decides that a subscription is active"
        )
    }
}

extension Facts {
    /// The identifier of the used content or product.
    func contentText(_ use: Use) -> String {
        switch use.target {
        case .content(let content): names.text(of: content)
        case .product(let product): names.text(of: product)
        }
    }
}
