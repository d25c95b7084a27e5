import PurchaseEvents

/// A refunded or revoked purchase grants nothing (G6.9, I8).
///
/// From the line at which the log knows of a refund or revocation, the transaction is not
/// delivered, and content that only it allows is not opened, until the refund is reversed. The same
/// holds for a transaction that only restores it, except in a subscription, where each period is
/// refunded alone. A refund of a part of a consumable takes back only that part: what is left may
/// be delivered. Content opened after a reported delivery is not reported again, and neither is a
/// delivery or use before the refund became known. A delivery of an identifier that Xcode's test
/// environment used for another purchase is only a note.
struct RefundGrantsNothing: CatalogueRule {
    static let level = Level.error
    static let statement = """
        From the line at which the log knows of a refund or revocation of a transaction, it is \
        not delivered, and content that only it opened is not opened, until the refund is reversed.
        """
    static let evidence = ["G6.9", "I8"]
    static let reads = EventTypes(
        .receiptListed, .cancellationRefunded, .cancellationRevoked, .deliveryDelivered,
        .deliveryWithdrawn, .contentOpened)

    /// A reported delivery, and the line of the withdrawal that ended it; 0 if there is none.
    private struct Given {
        var line: LineNumber
        var until: LineNumber = 0
    }

    /// A delivery that is wrong or not by the kind of its product, which the log had not said: of a
    /// restored transaction whose original was refunded, which is right in a subscription, or of
    /// what a refund of a part left, which is right for a consumable.
    private struct Unclear: SnapshottedElement {
        var transaction = TransactionHandle(index: 0)
        var refunded = TransactionHandle(index: 0)
        var line: LineNumber = 0
        var refund = Finding.Note(line: 0, message: "")

        var isOfPart: Bool { transaction == refunded }

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&transaction).visit(&refunded).visit(&line)
            refund.visitFields(visitor)
        }
    }

    private var unclear: [Unclear] = []
    private var knowsRefunds = false
    private var given: [TransactionHandle: [Given]] = [:]
    private var waiting = UncoveredUses()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&unclear).visit(&knowsRefunds).visit(&given).visit(&waiting)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let use = facts.use(event, line.number) {
            if knowsRefunds { waiting.keep(use, facts) }
            return
        }
        guard let transaction = event.transaction else { return }
        if event.type == .deliveryWithdrawn { return withdraw(transaction, line.number) }
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
        if kind == nil, refunded != transaction || isWithinPart {
            unclear.append(
                Unclear(
                    transaction: transaction, refunded: refunded, line: line,
                    refund: facts.refunded(refunded)))
        } else {
            find(transaction, refunded, line, facts.refunded(refunded), facts, &report)
        }
    }

    private mutating func withdraw(_ transaction: TransactionHandle, _ line: LineNumber) {
        guard let all = given[transaction], let last = all.indices.last, all[last].until == 0
        else { return }
        given[transaction]?[last].until = line
    }

    private func find(
        _ transaction: TransactionHandle, _ refunded: TransactionHandle,
        _ line: LineNumber, _ refund: Finding.Note, _ facts: Facts, _ report: inout Report
    ) {
        let stated = (refunded == transaction ? [refunded] : [refunded, transaction]).filter {
            facts[$0].statedLine != 0 && facts[$0].statedLine != refund.line
        }
        let what =
            refunded == transaction
            ? "it" : "transaction \(facts.text(refunded)), which it restores,"
        report.find(
            at: line, facts, level: facts.levelOfReuse(of: refunded),
            account: facts.owner(of: transaction), key: facts.text(transaction),
            "transaction \(facts.text(transaction)) was delivered, but the log already knew "
                + "that \(what) was refunded or revoked: expected no delivery before a "
                + "cancellation.reversed",
            notes: facts.attested(stated) + [refund],
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
        for delivery in unclear {
            let kind = facts.kind(of: delivery.transaction) ?? facts.kind(of: delivery.refunded)
            if delivery.isOfPart, kind == nil {
                report.cannotTell(
                    "a part of transaction \(facts.text(delivery.transaction)) was refunded, and "
                        + "the log doesn't say whether its product is a consumable")
            } else if kind == (delivery.isOfPart ? .consumable : .autoRenewable) {
                given[delivery.transaction]?.removeAll { $0.line == delivery.line }
            } else {
                find(
                    delivery.transaction, delivery.refunded, delivery.line, delivery.refund, facts,
                    &report)
            }
        }
        for (use, coverage) in zip(waiting.uses, facts.coverages(of: waiting.uses)) {
            guard !coverage.isCovered, let refunded = coverage.refunded.first,
                !coverage.refunded.contains(where: { isGiven($0, at: use.line) })
            else { continue }
            let doubt = coverage.doubt("what else opened content", facts)
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

    /// Whether a reported delivery was in force at a line.
    private func isGiven(_ transaction: TransactionHandle, at line: LineNumber) -> Bool {
        guard let all = given[transaction] else { return false }
        let later = all.lowerBound { $0.line >= line }
        return later > 0 && (all[later - 1].until == 0 || line < all[later - 1].until)
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
