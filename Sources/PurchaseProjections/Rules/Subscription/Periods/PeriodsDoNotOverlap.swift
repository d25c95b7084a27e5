import PurchaseEvents

/// The periods of a subscription do not overlap (G6.2).
///
/// A period starts at or after the end, refund or revocation of the one of its product before it,
/// also if the refund was reversed after the start. Of different products, the later is a change
/// of plan. In sandbox and Xcode, renewals are known to start early. Judged at the end of the log,
/// when all extensions and upgrades are known.
struct PeriodsDoNotOverlap: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        Periods of one line and one product don't overlap, upgraded rows aside; in sandbox and \
        xcode it is a note.
        """
    static let evidence = ["G6.2"]
    static let reads = EventTypes(
        .renewalExtended, .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed)

    private struct Extension: Hashable {
        var original: TransactionHandle
        var transaction: TransactionHandle?
        var expiresAt: Timestamp
    }

    /// The first line of the log with each extension.
    private var extensions: [Extension: LineNumber] = [:]
    /// The transactions with a stated environment, in a log of unknown environment.
    private var withEnvironment = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&extensions).visit(&withEnvironment)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .renewalExtended, case .renewalExtended(let payload) = event.fact {
            let stated = Extension(
                original: payload.original, transaction: payload.transaction,
                expiresAt: payload.expiresAt)
            if extensions[stated] == nil { extensions[stated] = line.number }
            return
        }
        guard facts.startsInTheMiddle, event.environment != nil,
            let transaction = event.transaction
        else { return }
        withEnvironment.insert(transaction)
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for index in facts.subscriptions.indices {
            facts.forEachPairOfOneProduct(ofSubscription: index) { pair in
                report.test()
                let end = min(
                    pair.earlier.end, pair.earlier.ended == nil ? .latest : pair.earlier.accessEnd)
                guard pair.later.start < end,
                    facts.reversedRefund(of: pair.earlier.transaction)?.contains(pair.later.start)
                        != true
                else { return }
                let isStated = withEnvironment.contains(pair.later.transaction)
                if let reason = facts.endMayBeMissing(pair)
                    ?? (isStated ? nil : facts.environmentMayBeMissing)
                {
                    report.cannotTell(reason)
                } else {
                    find(pair, facts.subscriptions[index], facts, &report)
                }
            }
        }
    }

    /// The note on the extension that set a period's end; empty if there is none.
    private func extended(
        _ period: Period, _ subscription: SubscriptionFacts, _ facts: Facts
    ) -> [Finding.Note] {
        let extended = [nil, period.transaction].compactMap {
            extensions[
                Extension(original: subscription.original, transaction: $0, expiresAt: period.end)]
        }
        return Finding.note(
            extended.min() ?? 0,
            "then transaction \(facts.text(period.transaction)) was extended to " + period.end.text)
    }

    private func find(
        _ pair: Neighbours, _ subscription: SubscriptionFacts, _ facts: Facts,
        _ report: inout Report
    ) {
        let (earlier, later) = (pair.earlier.transaction, pair.later.transaction)
        let number = facts.line(of: pair)
        report.find(
            at: number, facts,
            level: facts[later].environment == .production ? .warning : .note,
            account: facts.owner(of: subscription), key: facts.text(later),
            "the period of transaction \(facts.text(later)) starts at \(pair.later.start.text), "
                + "before that of transaction \(facts.text(earlier)) ends at "
                + "\(pair.earlier.end.text): expected it to start then or later",
            notes: facts.notes(on: pair, besides: number)
                + extended(pair.earlier, subscription, facts),
            hint: "one stretch of time was paid for twice, or an upgrade was not recorded: "
                + "compare the rows of the receipt")
    }
}
