import PurchaseEvents

/// Content with a publication date is opened only by those who subscribed at the right time (G6.3,
/// G6.4).
///
/// The content must have been published in an attested period of one of the account's lines, for
/// its product or group, or have been the newest when a period started, and the period must have
/// begun. Content stays readable after the period. A permanent purchase of a product opens the
/// content published for it. Periods attested later in the log count too.
struct ContentWithinPeriods: CatalogueRule {
    static let level = Level.error
    static let statement = """
        Content with a publication date is opened only where it was published in an attested \
        period of a subscription of the account, or was the newest at the start of one; it stays \
        readable after the period.
        """
    static let evidence = ["G6.3", "G6.4"]
    static let reads = EventTypes(.contentOpened)

    private var waiting = UncoveredUses()

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .contentOpened(let content) = event.fact,
            let use = facts.use(event, line.number)
        else { return }
        if facts[content] != nil { report.test() }
        waiting.keep(use, facts)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for (use, coverage) in zip(waiting.uses, facts.coverages(of: waiting.uses)) {
            guard case .content(let id) = use.target, let content = facts[id] else { continue }
            if content.publishedLine > use.line { report.test() }
            guard !coverage.isCovered, coverage.refunded.isEmpty else { continue }
            if let doubt = coverage.doubt("the period in which content was published", facts) {
                report.cannotTell(doubt)
            } else {
                find(use, content, coverage, facts, &report)
            }
        }
    }

    private func find(
        _ use: Use, _ content: ContentFacts, _ coverage: Coverage, _ facts: Facts,
        _ report: inout Report
    ) {
        report.find(
            at: use.line, facts, account: use.account, key: facts.contentText(use),
            "\(facts.describe(use.target)) was opened by \(facts.describe(use.account)), which has "
                + "no period that holds \(content.publishedAt.text) or starts while this was the "
                + "newest: expected one that had begun by \(use.at.text)",
            notes: Finding.note(
                content.publishedLine,
                "let \(facts.describe(use.target)) be published at \(content.publishedAt.text)")
                + facts.notes(onEnded: coverage.lastEnded),
            hint: "an issue was given away: compare the app's list of readable issues with the "
                + "periods of the receipt")
    }
}
