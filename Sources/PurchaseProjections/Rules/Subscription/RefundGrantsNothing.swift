import PurchaseEvents

/// A refunded or revoked purchase grants nothing (G6.9, I8).
///
/// From the line at which the log knows of a refund or revocation, the transaction is not
/// delivered, and content that only it allows is not opened, until the refund is reversed. The same
/// holds for a transaction that only restores it, except in a subscription, where each period is
/// refunded alone. A refund of a part of a consumable takes back only that part: what is left may
/// be delivered. Content opened after a reported delivery is not reported again, and neither is a
/// delivery or use before the refund became known. A delivery of an identifier that Xcode's test
/// environment used for another purchase is only a note. A page shows that a refund was reversed,
/// not when: of what came before such a page, the rule can't tell, so it waits for the end of a log
/// that may be merged.
struct RefundGrantsNothing: CatalogueRule {
    static let level = Level.error
    static let statement = """
        From the line at which the log knows of a refund or revocation of a transaction, it is \
        not delivered, and content that only it opened is not opened, until the refund is reversed.
        """
    static let evidence = ["G6.9", "I8"]
    static let reads = EventTypes(
        .receiptListed, .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
        .deliveryDelivered, .deliveryWithdrawn, .contentOpened)

    /// A reported delivery, and the line of the withdrawal that ended it; 0 if there is none.
    private struct Given {
        var line: LineNumber
        var until: LineNumber = 0
        /// Whether the delivery turned out to be right, or may have been.
        var isExcused = false
    }

    /// A delivery of what was refunded.
    private struct Delivery: SnapshottedElement {
        var transaction = TransactionHandle(index: 0)
        var refunded = TransactionHandle(index: 0)
        var account: AccountHandle?
        var line: LineNumber = 0
        var refund = Finding.Note(line: 0, message: "")
        /// Whether Xcode used the identifier again.
        var isOfReused = false
        /// Whether the delivery is wrong or not by the kind of its product, which the log had not
        /// said: of a restored transaction whose original was refunded, which is right in a
        /// subscription, or of what a refund of a part left, which is right for a consumable.
        var isUnclear = false

        var isOfPart: Bool { transaction == refunded }

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&transaction).visit(&refunded).visit(&account).visit(&line)
                .visit(&isOfReused).visit(&isUnclear)
            refund.visitFields(visitor)
        }
    }

    /// The first reversal after a refund became known.
    private struct Reversal: BitwiseCopyable {
        var line: LineNumber
        /// Whether no notification states it, so that it may have happened long before.
        var isOfPage: Bool
    }

    private var held: [Delivery] = []
    private var knowsRefunds = false
    private var given: [TransactionHandle: [Given]] = [:]
    private var reversals: [TransactionHandle: [Reversal]] = [:]
    private var waiting = UncoveredUses()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&held).visit(&knowsRefunds).visit(&given).visit(&reversals).visit(&waiting)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let use = facts.use(event, line.number) {
            if knowsRefunds { waiting.keep(use, facts) }
            return
        }
        guard let transaction = event.transaction else { return }
        if event.type == .deliveryWithdrawn { return withdraw(transaction, line.number) }
        if event.type == .cancellationReversed {
            return reverse(transaction, by: event, line.number, facts)
        }
        guard let refunded = facts.refundedPurchase(of: transaction) else { return }
        let refundedLine = facts[refunded].refundedLine
        if refundedLine == line.number {
            knowsRefunds = true
            report.test()
        } else if event.type == .deliveryDelivered, refundedLine < line.number,
            case .deliveryDelivered(let delivered) = event.fact
        {
            if let reason = facts.reuseMayBeMissing(of: transaction, event) {
                return report.cannotTell(reason)
            }
            deliver(delivered, refunded, line.number, facts, &report)
        }
    }

    private mutating func deliver(
        _ delivered: DeliveryDelivered<Interned>, _ refunded: TransactionHandle,
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        let transaction = delivered.transaction
        let kind = facts.kind(of: transaction) ?? facts.kind(of: refunded)
        let isWithinPart = refunded == transaction && facts.givesWhatIsKept(delivered)
        if isWithinPart, kind == .consumable { return }
        if let reason = reversalMayBeMissing(of: refunded, facts) {
            return report.cannotTell("the reversal of a refund may be missing: \(reason)")
        }
        if given[transaction]?.last?.until != 0 {
            given[transaction, default: []].append(Given(line: line))
        }
        let delivery = Delivery(
            transaction: transaction, refunded: refunded, account: facts.owner(of: transaction),
            line: line, refund: facts.refunded(refunded),
            isOfReused: facts.levelOfReuse(of: refunded) != nil,
            isUnclear: kind == nil && (refunded != transaction || isWithinPart))
        if delivery.isUnclear || !facts.isChained {
            held.append(delivery)
        } else {
            find(delivery, facts, &report)
        }
    }

    private mutating func reverse(
        _ transaction: TransactionHandle, by event: LogEvent, _ line: LineNumber, _ facts: Facts
    ) {
        let refundedLine = facts[transaction].refundedLine
        guard refundedLine > reversals[transaction]?.last?.line ?? 0,
            facts[transaction].refund == nil
        else { return }
        let isOfPage = event.id != nil && event.source == nil
        reversals[transaction, default: []].append(Reversal(line: line, isOfPage: isOfPage))
    }

    /// Why it is unknown whether the refund of a transaction was reversed by a line; `nil` unless
    /// only a page states the reversal.
    private func reversalIsUndated(
        of transaction: TransactionHandle, after line: LineNumber, _ facts: Facts
    ) -> String? {
        guard let all = reversals[transaction] else { return nil }
        let next = all.lowerBound { $0.line > line }
        guard next < all.count, all[next].isOfPage else { return nil }
        return "a page shows later that the refund of \(facts.name(transaction)) was reversed, and "
            + "no notification says when"
    }

    private mutating func withdraw(_ transaction: TransactionHandle, _ line: LineNumber) {
        guard let all = given[transaction], let last = all.indices.last, all[last].until == 0
        else { return }
        given[transaction]?[last].until = line
    }

    private func find(_ delivery: Delivery, _ facts: Facts, _ report: inout Report) {
        let (transaction, refunded) = (delivery.transaction, delivery.refunded)
        let stated = (refunded == transaction ? [refunded] : [refunded, transaction]).filter {
            let line = facts[$0].statedLine
            return line != 0 && line < delivery.line && line != delivery.refund.line
        }
        let what =
            refunded == transaction
            ? "it" : "transaction \(facts.text(refunded)), which it restores,"
        report.find(
            at: delivery.line, facts, level: delivery.isOfReused ? .note : nil,
            account: delivery.account, key: facts.text(transaction),
            "transaction \(facts.text(transaction)) was delivered, but the log already knew "
                + "that \(what) was refunded or revoked: expected no delivery before a "
                + "cancellation.reversed",
            notes: facts.attested(stated) + [delivery.refund],
            hint: "a refunded product was given away: look at what the app does with a "
                + "cancellation date before it delivers")
    }

    /// Why the log may lack a reversal; `nil` if it can't.
    ///
    /// A refund stated after the log begins cannot have been reversed before the log begins.
    private func reversalMayBeMissing(
        of transaction: TransactionHandle, _ facts: Facts
    ) -> String? {
        guard let reason = facts.incompleteReason else { return nil }
        let refunded = facts[transaction]
        if facts.latestNotUnderstoodLine > refunded.refundedLine { return reason }
        guard facts.startsInTheMiddle, let firstAt = facts.firstAt,
            let statedAt = refunded.refundStatedAt(facts.versions), statedAt < firstAt
        else { return nil }
        return reason
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for delivery in held { judge(delivery, facts, &report) }
        for (use, coverage) in zip(waiting.uses, facts.coverages(of: waiting.uses)) {
            guard !coverage.isCovered, let refunded = coverage.refunded.first,
                !coverage.refunded.contains(where: { isGiven($0, at: use.line) })
            else { continue }
            let purchase = facts[refunded].isOnlyRestored ? facts.original(of: refunded) : refunded
            let doubt =
                reversalIsUndated(of: purchase, after: use.line, facts)
                ?? coverage.doubt("what else opened content", facts)
            if let reason = coverage.unclear ?? facts.reuseHides(use) ?? doubt {
                report.cannotTell(reason)
            } else {
                let notes =
                    facts.attested(coverage.refunded) + facts.refunded(coverage.refunded, for: use)
                report.find(
                    at: use.line, facts, account: use.account, key: facts.text(refunded),
                    "\(facts.describe(use.target)) was opened at \(use.at.text) by "
                        + "\(facts.describe(use.account)), and only transaction "
                        + "\(facts.text(refunded)) allowed it, which was refunded or revoked: "
                        + "expected another period or purchase",
                    notes: notes,
                    hint: "access was kept after the money was paid back: look at what the app "
                        + "does with a cancellation date")
            }
        }
    }

    private mutating func judge(_ delivery: Delivery, _ facts: Facts, _ report: inout Report) {
        let (transaction, refunded) = (delivery.transaction, delivery.refunded)
        let kind = facts.kind(of: transaction) ?? facts.kind(of: refunded)
        if delivery.isUnclear, delivery.isOfPart, kind == nil {
            report.cannotTell(
                "a part of transaction \(facts.text(transaction)) was refunded, and the log "
                    + "doesn't say whether its product is a consumable")
        } else if delivery.isUnclear, kind == (delivery.isOfPart ? .consumable : .autoRenewable) {
            excuse(delivery)
        } else if let reason = reversalIsUndated(of: refunded, after: delivery.line, facts) {
            excuse(delivery)
            report.cannotTell(reason)
        } else {
            find(delivery, facts, &report)
        }
    }

    private mutating func excuse(_ delivery: Delivery) {
        guard let all = given[delivery.transaction] else { return }
        let place = all.lowerBound { $0.line >= delivery.line }
        guard place < all.count, all[place].line == delivery.line else { return }
        given[delivery.transaction]?[place].isExcused = true
    }

    /// Whether a reported delivery was in force at a line.
    private func isGiven(_ transaction: TransactionHandle, at line: LineNumber) -> Bool {
        guard let all = given[transaction] else { return false }
        let later = all.lowerBound { $0.line >= line }
        guard later > 0, !all[later - 1].isExcused else { return false }
        return all[later - 1].until == 0 || line < all[later - 1].until
    }
}

extension Facts {
    /// Whether the latest delivery of a transaction gave no more than a refund of a part left, if
    /// its product is a consumable; one without a quantity gives what is left.
    fileprivate func givesWhatIsKept(_ delivered: DeliveryDelivered<Interned>) -> Bool {
        let known = self[delivered.transaction]
        guard let kept = known.refund?.unitsKept(of: known.quantity) else { return false }
        return known.deliveredQuantity <= kept
            || delivered.quantity == nil && known.deliveredBefore < kept
    }
}
