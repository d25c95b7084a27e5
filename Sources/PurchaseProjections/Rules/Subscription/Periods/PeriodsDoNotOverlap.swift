import PurchaseEvents

/// The periods of a line follow one another.
///
/// A period starts where its neighbour has ended, by its own end, a refund or a revocation, save
/// where it takes the neighbour's place by an upgrade. In sandbox and Xcode renewals are known to
/// start early (G6.2). It is judged at the end of the log, when every extension and upgrade is
/// known.
struct PeriodsDoNotOverlap: Rule {
    static let id = "periods-do-not-overlap"
    static let level = Level.warning
    static let statement = """
        Periods of one line don't overlap, save by an upgrade; in sandbox and xcode it is a note.
        """
    static let evidence = ["G6.2"]
    static let reads = EventTypes(
        .renewalPlanChanged, .renewalExtended, .queuePurchased, .receiptListed, .renewalStarted,
        .renewalRenewed)

    private struct Extension {
        var said: RenewalExtended<Interned>
        var line: LineNumber
    }

    private var changes = ChangesAtOnce()
    /// What was extended, by the original of the line.
    private var extensions: [TransactionID<Interned>: [Extension]] = [:]
    /// The transactions whose environment is said, where the log's own isn't known.
    private var said = TransactionSet()

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .renewalPlanChanged { return changes.observe(event) }
        if event.type == .renewalExtended, case .renewalExtended(let said) = event.fact {
            extensions[said.original, default: []].append(
                Extension(said: said, line: line.number))
            return
        }
        guard facts.startsInTheMiddle, event.environment != nil,
            let transaction = event.transaction
        else { return }
        said.insert(transaction)
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for line in facts.lines {
            for pair in facts.neighbours(of: line) {
                report.test()
                let end = min(
                    pair.earlier.end, pair.earlier.ended == nil ? .latest : pair.earlier.accessEnd)
                guard pair.later.start < end, !facts.actsAtOnce(pair, line, changes) else {
                    continue
                }
                let isSaid = said.contains(pair.later.transaction)
                if let reason = facts.endMayBeMissing(pair)
                    ?? (isSaid ? nil : facts.environmentMayBeMissing)
                {
                    report.cannotTell(reason)
                } else {
                    find(pair, line, facts, &report)
                }
            }
        }
    }

    /// Then: the extension by which a period of a line ends when it does, where one says so.
    private func extended(
        _ period: Period, _ line: LineFacts, _ facts: Facts
    ) -> [Finding.Note] {
        let extended = extensions[line.original]?.first { extended in
            extended.said.expiresAt == period.end
                && (extended.said.transaction.map { $0 == period.transaction } ?? true)
        }
        return DeliveryWords.note(
            extended?.line ?? 0,
            "then transaction \(facts.text(period.transaction)) was extended to "
                + period.end.text)
    }

    private func find(
        _ pair: Neighbours, _ line: LineFacts, _ facts: Facts, _ report: inout Report
    ) {
        let (earlier, later) = (pair.earlier.transaction, pair.later.transaction)
        let number = facts.line(of: pair)
        report.find(
            at: number, facts,
            level: facts[later].environment == .production ? .warning : .note,
            account: facts.owner(of: line.original), key: facts.text(later),
            "the period of transaction \(facts.text(later)) starts at \(pair.later.start.text), "
                + "before that of transaction \(facts.text(earlier)) ends at "
                + "\(pair.earlier.end.text): expected it to start then or later",
            notes: facts.notes(on: pair, besides: number) + extended(pair.earlier, line, facts),
            hint: "one stretch of time was paid for twice, or an upgrade was not recorded: "
                + "compare the rows of the receipt")
    }
}
