import PurchaseEvents

/// Access is withdrawn only when nothing grants it any more (G1.4, I8).
///
/// At a `delivery.withdrawn`, no known fact may still grant the transaction's product to the
/// account; for a consumable, only the transaction itself counts. A refund does not take away what
/// another purchase grants. The reason `other` is the app's own decision: a warning if anything
/// still grants, or if nothing states the transaction. If nothing states the end of a non-renewing
/// subscription, the app may say that it expired.
struct WithdrawalHasAReason: CatalogueRule {
    static let level = Level.error
    static let statement = """
        Access is withdrawn only when no fact known by then still grants that product to the \
        account, or, of a consumable, that transaction; with the reason other it is a warning.
        """
    static let evidence = ["I8"]
    static let reads = EventTypes(.deliveryWithdrawn)

    /// Withdrawals from accounts that hold too much to be looked through at each of them.
    private var waiting: [Use] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&waiting) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .deliveryWithdrawn(let withdrawn) = event.fact else { return }
        report.test()
        let use = use(event, withdrawn, line.number, facts)
        if let use, facts.isLarge(use.account, orSubscriptionOf: withdrawn.transaction) {
            return waiting.append(use)
        }
        var (granting, unclear) = granting(use, withdrawn, facts)
        // By the App Store's clock, more may have ended.
        if granting != nil, var later = use, later.at < facts.storeTime(at: later.at) {
            later.at = facts.storeTime(at: later.at)
            (granting, unclear) = self.granting(later, withdrawn, facts)
        }
        if let upgraded = granting, facts[upgraded].isUpgraded {
            unclear = "no statement says when \(facts.text(upgraded)) was upgraded"
            granting = nil
        }
        let isOther = withdrawn.reason == .other
        let isBaseless = isOther && facts[withdrawn.transaction].statedLine == 0
        if granting != nil || isBaseless, let reason = facts.incompleteReason {
            report.cannotTell("what ended access may be missing: \(reason)")
        } else if granting != nil || isBaseless {
            let level = isOther ? Level.warning : .error
            find(event, on: line, withdrawn, granting, facts, level: level, &report)
        } else if let unclear {
            report.cannotTell(unclear)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let coverages = facts.coverages(of: waiting, onlyAttested: true)
        for (use, coverage) in zip(waiting, coverages) where coverage.isCovered {
            report.cannotTell(
                "\(facts.describe(use.account)) holds too many periods and purchases to tell what "
                    + "granted \(facts.describe(use.target)) when it was withdrawn")
        }
    }

    /// The use that a withdrawal ends; `nil` for a consumable or without a known product.
    private func use(
        _ event: LogEvent, _ withdrawn: DeliveryWithdrawn<Interned>, _ line: LineNumber,
        _ facts: Facts
    ) -> Use? {
        let transaction = withdrawn.transaction
        guard facts.kind(of: transaction) != .consumable, let product = facts[transaction].product
        else { return nil }
        return facts.use(
            of: .product(product), by: event.account ?? facts.owner(of: transaction), event, line)
    }

    /// The transaction that still grants the withdrawn product, or why the log leaves that unclear.
    private func granting(
        _ use: Use?, _ withdrawn: DeliveryWithdrawn<Interned>, _ facts: Facts
    ) -> (TransactionHandle?, String?) {
        let transaction = withdrawn.transaction
        let known = facts[transaction]
        guard let use else {
            let isOwed =
                facts.kind(of: transaction) == .consumable && known.validation != .invalid
                && known.refund == nil && known.statedLine != 0
            return (isOwed ? transaction : nil, nil)
        }
        if facts.kind(of: transaction) == .nonRenewing, withdrawn.reason == .expired,
            known.until == nil
        {
            return (nonRenewingPurchase(granting: use, besides: transaction, facts), nil)
        }
        let coverage = use.account.map { facts.coverage(of: use, by: .account($0)) } ?? Coverage()
        if coverage.isCovered || facts.owner(of: transaction) != nil {
            return (coverage.covering, coverage.unclear)
        }
        // Without a known owner, the transaction's own subscription or purchase decides: it
        // belonged to the account that loses access.
        let own = facts.coverage(of: use, by: .holder(of: transaction))
        return (own.covering, own.unclear ?? coverage.unclear)
    }

    /// Another purchase of the non-renewing subscription that is still running by the end that the
    /// app set.
    private func nonRenewingPurchase(
        granting use: Use, besides transaction: TransactionHandle, _ facts: Facts
    ) -> TransactionHandle? {
        guard use.account != nil else { return nil }
        return facts.purchases(of: use.account).first { other in
            guard other != transaction, facts[other].until != nil,
                facts.mayGrant(other, in: use.environment),
                case .certain(let access) = facts.access(of: other)
            else { return false }
            return facts.allows(access, use) == true
                && !facts.isRefunded(other, at: use.line, use.at)
                && !facts.isInvalid(other, at: use.line)
        }
    }

    private func find(
        _ event: LogEvent, on line: Line, _ withdrawn: DeliveryWithdrawn<Interned>,
        _ granting: TransactionHandle?, _ facts: Facts, level: Level,
        _ report: inout Report
    ) {
        let text = facts.text(withdrawn.transaction)
        let delivered = facts[withdrawn.transaction].deliveredLine
        let seen = granting.map { granting in
            granting == withdrawn.transaction
                ? "but nothing known ended it"
                : "but transaction \(facts.text(granting)) still grants "
                    + "\(facts.describe(facts[granting].product))"
        }
        report.find(
            event, on: line, facts, level: level, account: facts.owner(of: withdrawn.transaction),
            key: text,
            "\(facts.describe(withdrawn.transaction)) was withdrawn as "
                + "\(withdrawn.reason.rawValue), "
                + (seen ?? "which gives no reason")
                + ": expected an expiry, refund, revocation or upgrade that ended all access",
            notes: (granting.map { [facts.attested($0)] } ?? [])
                + Finding.note(delivered, "then transaction \(text) was delivered"),
            hint: "somebody who paid may have lost access: look at what else the account holds of "
                + "the product")
    }
}
