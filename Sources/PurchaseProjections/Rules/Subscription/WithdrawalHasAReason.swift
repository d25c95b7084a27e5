import PurchaseEvents

/// Access is withdrawn only when nothing grants it any more (G1.4, I8).
///
/// At a `delivery.withdrawn`, no known fact may still grant the transaction's product to the
/// account; for a consumable, only the transaction itself counts. A refund does not take away what
/// another purchase grants. The reason `other` is the app's own decision: a warning if anything
/// still grants, or if nothing states the transaction. If nothing states the end of a non-renewing
/// subscription, the app may say that it expired. What another recorder states within five minutes
/// after the withdrawal of a device may have been known before it, because their clocks differ.
struct WithdrawalHasAReason: CatalogueRule {
    static let level = Level.error
    static let statement = """
        Access is withdrawn only when no fact known by then still grants that product to the \
        account, or, of a consumable, that transaction; with the reason other it is a warning.
        """
    static let evidence = ["I8"]
    static let reads = EventTypes(.deliveryWithdrawn, .renewalExpired, .renewalGraceExpired)
        .union(HeldFinishes.freeing)

    /// A withdrawal of what something still granted.
    private struct Withdrawal {
        var transaction: TransactionHandle
        var reason: WithdrawalReason
        /// The owner at the withdrawal.
        var account: AccountHandle?
        var device: DeviceHandle?
        var at: Timestamp
        var line: LineNumber
        /// What it ended; `nil` for a consumable.
        var use: Use?
        /// The transaction that still grants; `nil` if nothing states the withdrawn one.
        var granting: TransactionHandle?
        /// The original of what still grants, while the withdrawal is held.
        var original = TransactionHandle(index: 0)
        /// The line of the delivery before it; 0 if there is none.
        var deliveredLine: LineNumber
    }

    /// Withdrawals from accounts that hold too much to be looked through at each of them.
    private var waiting: [Use] = []
    /// Withdrawals that another recorder may yet explain, by line, until their device writes more
    /// than five minutes later; and their lines by the original of what still grants and by device.
    private var held: [LineNumber: Withdrawal] = [:]
    private var families: [TransactionHandle: [LineNumber]] = [:]
    private var queues: [DeviceHandle: EarliestQueue] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&waiting).visit(&held).visit(&families).visit(&queues)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if !held.isEmpty { release(before: event, facts, &report) }
        guard case .deliveryWithdrawn(let withdrawn) = event.fact else {
            return explain(by: event, line.number, facts, &report)
        }
        report.test()
        let use = use(event, withdrawn, line.number, facts)
        if let use, facts.isLarge(use.account, orSubscriptionOf: withdrawn.transaction) {
            return waiting.append(use)
        }
        var known = Withdrawal(
            transaction: withdrawn.transaction, reason: withdrawn.reason,
            account: facts.owner(of: withdrawn.transaction) ?? event.account,
            device: event.device, at: event.at, line: line.number, use: use,
            deliveredLine: facts[withdrawn.transaction].deliveredLine)
        var (granting, unclear) = granting(use, known, facts)
        // By the App Store's clock, more may have ended.
        if granting != nil, var later = use, later.at < later.begunBy {
            later.at = later.begunBy
            (granting, unclear) = self.granting(later, known, facts)
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
            known.granting = granting
            if let granting, let device = event.device, !facts.isChained {
                known.original = facts.original(of: granting)
                held[known.line] = known
                families[known.original, default: []].append(known.line)
                queues[device, default: EarliestQueue()].add(known.line, at: known.at.milliseconds)
            } else {
                find(known, facts, &report)
            }
        } else if let unclear {
            report.cannotTell(unclear)
        }
    }

    /// Removes the held withdrawals that a statement of another recorder may explain; of those, the
    /// rule can't tell.
    private mutating func explain(
        by event: LogEvent, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        guard !held.isEmpty, let stated = event.transaction ?? event.fact.original else { return }
        for place in latestHeld(of: facts.original(of: stated)) {
            guard let known = held[place] else { continue }
            let end = known.at.advanced(byMilliseconds: HeldFinishes.skew)
            guard known.device != event.device, event.at <= end,
                !facts.isLarge(known.use?.account, orSubscriptionOf: known.transaction)
            else { continue }
            var use = known.use
            use?.at = end
            use?.line = line
            let granting = granting(use, known, facts).0
            guard granting.map({ facts[$0].isUpgraded }) ?? true else { continue }
            held[known.line] = nil
            report.cannotTell(
                "another recorder says within five minutes after the withdrawal of "
                    + "\(facts.name(known.transaction)) what ended it, and their clocks may differ "
                    + "by as much")
        }
    }

    /// The lines of the latest held withdrawals of an original, the latest first; forgets those of
    /// withdrawals held no more.
    @discardableResult
    private mutating func latestHeld(of original: TransactionHandle) -> [LineNumber] {
        guard var lines = families.removeValue(forKey: original) else { return [] }
        var latest: [LineNumber] = []
        while latest.count < HeldFinishes.most, let line = lines.popLast() {
            if held[line] != nil { latest.append(line) }
        }
        lines += latest.reversed()
        if !lines.isEmpty { families[original] = lines }
        return latest
    }

    /// Reports the held withdrawals of a device that writes more than five minutes later: whatever
    /// other recorders state from now on came after them.
    private mutating func release(
        before event: LogEvent, _ facts: Facts, _ report: inout Report
    ) {
        guard let device = event.device else { return }
        let end = event.at.advanced(byMilliseconds: -HeldFinishes.skew)
        while let line = queues[device]?.next(upTo: end.milliseconds &- 1) {
            guard let known = held.removeValue(forKey: line) else { continue }
            latestHeld(of: known.original)
            find(known, facts, &report)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for known in held.values.sorted(by: { $0.line < $1.line }) {
            find(known, facts, &report)
        }
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
        var use = facts.use(
            of: .product(product), by: event.account ?? facts.owner(of: transaction), event, line)
        // What was recorded long before its own date grants nothing yet.
        use.begunBy = facts.storeTime(at: event.at)
        return use
    }

    /// The transaction that still grants the withdrawn product, or why the log leaves that unclear.
    private func granting(
        _ use: Use?, _ withdrawn: Withdrawal, _ facts: Facts
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

    private func find(_ withdrawn: Withdrawal, _ facts: Facts, _ report: inout Report) {
        let text = facts.text(withdrawn.transaction)
        let granting = withdrawn.granting
        let seen = granting.map { granting in
            granting == withdrawn.transaction
                ? "but nothing known ended it"
                : "but transaction \(facts.text(granting)) still grants "
                    + "\(facts.describe(facts[granting].product))"
        }
        report.find(
            at: withdrawn.line, facts, level: withdrawn.reason == .other ? .warning : .error,
            account: withdrawn.account, key: text,
            "\(facts.describe(withdrawn.transaction)) was withdrawn as "
                + "\(withdrawn.reason.rawValue), "
                + (seen ?? "which gives no reason")
                + ": expected an expiry, refund, revocation or upgrade that ended all access",
            notes: (granting.map { [facts.attested($0)] } ?? [])
                + Finding.note(
                    withdrawn.deliveredLine, "then transaction \(text) was delivered"),
            hint: "somebody who paid may have lost access: look at what else the account holds of "
                + "the product")
    }
}
